// Mutants of shell scripts and Perl, by operators on single lines. They are written into a copy of the tree while their
// tests run: a script has no switch that would be safe in a shell of the user.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const SHELL = [
  { name: "LogicalOperator", pattern: / && /g, replacement: " || " },
  { name: "LogicalOperator", pattern: / \|\| /g, replacement: " && " },
  { name: "EqualityOperator", pattern: / == /g, replacement: " != " },
  { name: "EqualityOperator", pattern: / != /g, replacement: " == " },
  { name: "EqualityOperator", pattern: / -eq /g, replacement: " -ne " },
  { name: "EqualityOperator", pattern: / -gt /g, replacement: " -le " },
  { name: "ConditionalExpression", pattern: / -n (?=["$])/g, replacement: " -z " },
  { name: "ConditionalExpression", pattern: / -z (?=["$])/g, replacement: " -n " },
  { name: "ConditionalExpression", pattern: /^(\s*)if (?=\[\[|\(\(|test )/g, replacement: "$1if ! " },
  { name: "ReturnValue", pattern: /\breturn 1\b/g, replacement: "return 0" },
  { name: "ReturnValue", pattern: /\breturn 0\b/g, replacement: "return 1" },
];
const PERL = [
  { name: "LogicalOperator", pattern: / && /g, replacement: " || " },
  { name: "LogicalOperator", pattern: / \|\| /g, replacement: " && " },
  { name: "EqualityOperator", pattern: / eq /g, replacement: " ne " },
  { name: "EqualityOperator", pattern: / ne /g, replacement: " eq " },
  { name: "EqualityOperator", pattern: / == /g, replacement: " != " },
  { name: "ConditionalExpression", pattern: / unless /g, replacement: " if " },
  { name: "ConditionalExpression", pattern: / if (?=[$@!(])/g, replacement: " unless " },
  { name: "BitwiseOperator", pattern: / \| (?=[A-Z])/g, replacement: " & " },
  {
    name: "StatementDeletion",
    pattern: /^(\s*)(?:mount|syscall|chdir|umount|rmdir|unlink|open|close)\b[^{}]*;$/g,
    replacement: "$1;",
  },
];

export function shellMutantsOf(root, files) {
  return files.flatMap((file) => {
    const operators = file.endsWith(".pl") ? PERL : SHELL;
    const lines = readFileSync(join(root, file), "utf8").split("\n");
    const seen = new Map();
    return lines.flatMap((original, index) => {
      if (/^\s*(?:#|$)/.test(original)) return [];
      return operators.flatMap(({ name, pattern, replacement }) =>
        [...original.matchAll(pattern)].map((match) => {
          const end = match.index + match[0].length;
          const changed = original.slice(0, match.index) + match[0].replace(pattern, replacement) + original.slice(end);
          const key = JSON.stringify([name, original, changed]);
          const occurrence = seen.get(key) ?? 0;
          seen.set(key, occurrence + 1);
          const digest = createHash("sha256").update(key).digest("hex").slice(0, 16);
          return {
            file,
            line: index + 1,
            mutator: name,
            original,
            replacement: changed,
            digest,
            occurrence,
            isShell: true,
          };
        }),
      );
    });
  });
}

/** The script with this mutant in it. */
export function mutatedScript(content, { original, replacement, line }) {
  const lines = content.split("\n");
  if (lines[line - 1] !== original) throw new Error(`line ${line} is not what the mutant expects`);
  lines[line - 1] = replacement;
  return lines.join("\n");
}
