// Lines and what they are: safe ones are recognised, risky ones are risky of the right kind, and nothing else is ever
// called safe. The lines stand in fixtures/risk, one ecosystem after the other.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { classify, commandsOf } from "../../../src/core/gate/risk/classify.ts";

interface Line {
  readonly command: string;
  readonly class: string;
  readonly reason: string;
}

function lines(name: string): readonly Line[] {
  const file = new URL(`../../fixtures/risk/${name}.jsonl`, import.meta.url);
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const wrong = (all: readonly Line[]) =>
  all.filter((line) => classify(line.command).class !== line.class).map((line) => line.command);

for (const name of ["safe", "risky", "unknown", "sample"]) {
  test(`every line of ${name}.jsonl is classified as it says`, () => {
    expect(wrong(lines(name))).toEqual([]);
  });
}

test.each(lines("reported").map((line) => [line.reason, line.command] as const))("reported: %s", (_, command) => {
  expect(classify(command).class).not.toBe("safe");
});

test("no deceptive line is safe", () => {
  const passed = lines("attacks").filter((line) => classify(line.command).class === "safe");
  expect(passed).toEqual([]);
});

test("a risky line has a kind", () => {
  const other = lines("risky").filter((line) => classify(line.command).kind !== line.reason);
  // Several parts of a line can be risky, and then the first of them names it.
  expect(other.length / lines("risky").length).toBeLessThan(0.05);
});

test("a verdict names its rule, its reasons and the worst part first", () => {
  const risk = classify("npm test && git push && ./x");
  expect(risk).toMatchObject({ class: "risky", kind: "network", rule: "git.push" });
  expect(risk.reasons.map((reason) => [reason.part, reason.class])).toEqual([
    ["git push", "risky"],
    ["./x", "unknown"],
  ]);
  expect(classify("ls -la")).toMatchObject({ class: "safe", kind: null, rule: "ls", reasons: [], normal: ["ls -la"] });
});

test.each([
  ["/usr/bin/git push  origin   main", ["git push origin main"]],
  ["r''m -rf 'a b'", ["rm -rf 'a b'"]],
  ["env FOO=1 nohup rm x", ["FOO=1", "rm x"]],
  ["PATH=/x ls", ["PATH=/x", "ls"]],
  ["CI=1 npm test", ["npm test"]],
  ["sh -c 'rm x; ls'", ["rm x", "ls"]],
  ["sudo rm x", ["sudo rm x", "rm x"]],
  ["ls > out", ["> out", "ls"]],
  ["ls $x", null],
  ["ls *.js", null],
  ["ls | xargs rm", null],
  ["ls (", null],
])("the normal form of %s", (line, normal) => {
  expect(classify(line).normal).toEqual(normal);
});

test.each([
  ["ls | xargs -n1 env FOO=1 timeout 5 cat", ["ls", "xargs", "env", "timeout", "cat"]],
  ["find . -exec grep -l x {} +", ["find", "grep"]],
  ["$x", null],
  ['sh -c "$x"', null],
])("the programs that %s starts", (line, names) => {
  const found = commandsOf(line);
  expect(found && [...found].sort()).toEqual(names && [...names].sort());
});

/** What bash takes for something harmless and another shell does not. */
test.each([
  ["zsh", "ls # ; rm -rf x"],
  ["zsh", "=ls"],
  ["zsh", "ls *(e:'rm x':)"],
  ["zsh", "ls ^foo"],
  ["zsh", "echo \u0024{(e)x}"],
  ["zsh", "echo $x[1]"],
  ["zsh", "noglob ls"],
  ["zsh", "repeat 3 ls"],
  ["zsh", "echo =(ls)"],
  ["zsh", "printf '%d' 'path[\u0024{\u0024{aliases[ls]::=touch x}:+0}]'"],
  ["zsh", "printf '%d' 'PATH=3'"],
  ["zsh", "printf '%s %x' a UID=3"],
  ["zsh", "printf '%*s' PATH=3 a"],
  ["zsh", "printf '%.*f' PATH=3 1"],
  ["zsh", 'printf "$x" PATH=3'],
  ["zsh", "[ -t 'PATH=3' ]"],
  ["zsh", "[[ -t 'PATH=3' ]]"],
  ["zsh", "[ 'PATH=3' -eq 1 ]"],
  ["zsh", "for op in -eq; do [ 'PATH=3' \"$op\" 1 ]; done"],
  ["zsh", "for i in 1; do break 'PATH=3'; done"],
  ["zsh", "for i in 1; do continue 'path[1]'; done"],
  ["zsh", "COLUMNS='PATH=3' true"],
  ["zsh", "LINES=PATH=3 true"],
  ["bash", "wait -p PATH -n"],
  ["bash", "wait -pPATH"],
  ["bash", "for o in -v; do [ ! \"$o\" 'a[\u0024(touch x)]' ]; done"],
  ["bash", "for i in 'a[\u0024(touch x)]'; do :; done"],
  ["bash", "for i in 1; do break 'a[\u0024(touch x)]'; done"],
  ["fish", "ls (rm x)"],
  ["fish", "ls; and pwd"],
  ["fish", "ls; or rm x"],
  ["fish", "echo $x"],
  ["fish", "if true; ls; end"],
  ["fish", "echo 'a\\'; rm x; #'"],
  ["sh", "echo $'\\'; rm x; #'"],
  ["sh", "((ls))"],
  ["sh", "[[ -f x ]]"],
  ["sh", "ls &> /dev/null"],
] as const)("in %s it is not safe to run %s", (shell, line) => {
  expect(classify(line, { shell }).class).not.toBe("safe");
});

test.each(["bash", "zsh", "fish", "sh"] as const)("plain lines are safe in %s", (shell) => {
  const plain = ["ls -la", "npm test", "git status && npm run lint", "cargo test 2>&1 | tail -20", "echo 'a b'"];
  plain.push("printf '%s %5.2s' 'a[1]' b", "printf '%03d' 7", ...(shell === "fish" ? [] : ["[ -t 1 ]", "[ 1 -lt 2 ]"]));
  expect(plain.filter((line) => classify(line, { shell }).class !== "safe")).toEqual([]);
});
