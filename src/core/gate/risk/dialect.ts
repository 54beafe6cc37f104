// Syntax that other shells read differently from bash. In their sessions it is unknown; only shared syntax is judged.
import type { SyntaxNode } from "unbash";
import { type PartRisk, type Shell, unknown } from "./risk.ts";

/** Checks the text before it is parsed. */
export function foreignText(line: string, shell: Shell): PartRisk | null {
  const differs = unknown(`dialect.${shell}`, `${shell} reads this differently`);
  if (shell === "zsh") return zshDiffers(line) ? differs : null;
  if (shell === "fish") return fishDiffers(line) ? differs : null;
  return null;
}

/** Text with everything in quotes replaced, as far as quotes mean the same everywhere; null when they may not. */
function bare(line: string): string | null {
  let out = "";
  let rest = line;
  while (rest !== "") {
    const quoted = /^'[^'\\]*'|^"[^"\\$`]*"/.exec(rest);
    if (!quoted && /^["']/.test(rest)) return null;
    out += quoted ? "Q" : (rest[0] ?? "");
    rest = rest.slice(quoted ? quoted[0].length : 1);
  }
  return out;
}

/**
 * zsh: `=cmd`, glob qualifiers, `^` and `#` in patterns, flags in expansions, numeric ranges, comments that are none at the
 * prompt, and functions without a name.
 */
function zshDiffers(line: string): boolean {
  // Double quotes with expansions inside are common; only simple ones mean the same.
  const simple = line.replace(/"(?:[^"\\$`]|\$[A-Za-z_]\w*(?![\w[:])|\$\{[A-Za-z_]\w*\})*"/g, "Q");
  const text = bare(simple);
  if (text === null) return true;
  if (
    /[\^#`\\]|(?:^|[\s;&|(:=])=|[*?\]\w]\(|\$[^A-Za-z_({\s]|\$\{[^A-Za-z_]|\$\{\w+[^\w}]|\$\w+[[:]|<\d*-|&[!|]|>!|\(\)/.test(
      text,
    )
  )
    return true;
  return /(?:^|[\s;&|(])(?:noglob|nocorrect|repeat|foreach|always|-)(?:\s|$)/.test(text);
}

/** fish is another language. Plain words, quotes, pipes, && || ; and output redirections are the same. */
function fishDiffers(line: string): boolean {
  const text = bare(line);
  if (text === null || text.includes("\n")) return true;
  const plain = text.replace(/(?:^|\s)(?:[12]?>\s*\/dev\/null|2>&1)(?=\s|$|;|\|)/g, " ");
  if (!/^[\w./:@%+,=*|&; \t-]*$/.test(plain)) return true;
  if (/(?:^|\s)[%=~]|&(?!&)(?<!&&)|\|&/.test(plain)) return true;
  return /(?:^|[;&|])\s*(?:and|or|not|begin|end|if|else|for|while|switch|case|function|set|exec|builtin|time|test|\[)(?=[\s;&|]|$)/.test(
    plain,
  );
}

/** Checks a node: POSIX shells know less than bash and read some syntax differently. */
export function foreign(node: SyntaxNode, shell: Shell): PartRisk | null {
  if (shell === "bash") return null;
  const differs = unknown(`dialect.${shell}`, `${shell} reads this differently`);
  switch (node.type) {
    case "ExtendedGlob":
    case "AnsiCQuoted":
    case "LocaleString":
    case "ArithmeticCommand":
    case "ArithmeticFor":
    case "Coproc":
    case "Select":
      return differs;
    case "ProcessSubstitution":
    case "TestCommand":
    case "HereString":
    case "BraceExpansion":
      return shell === "zsh" ? null : differs;
    case "Redirect":
      return node.operator === "&>" || node.operator === "&>>" ? (shell === "sh" ? differs : null) : null;
    default:
      return null;
  }
}
