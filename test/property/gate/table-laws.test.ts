// A law for every entry of the tables: where a value or a file may stand, nothing may stand that shows only when the line runs,
// that leads out of the workspace, or that may become several words. The lines are made from the tables themselves.
import { expect, test } from "vitest";
import { classify } from "../../../src/core/gate/risk/classify.ts";
import { knownPrograms } from "../../../src/core/gate/risk/known-programs.ts";
import type { Options, Rule, Takes } from "../../../src/core/gate/risk/spec.ts";
import { depth } from "../../fixtures/depth.ts";

interface Entry {
  /** The words in front, and what must stand behind. */
  readonly words: readonly string[];
  readonly options: Options;
  readonly takesFiles: boolean;
}

/** Every place of a rule where options are listed. What code judges has tests of its own. */
function entries(rule: Rule, words: readonly string[]): readonly Entry[] {
  switch (rule.form) {
    case "safe_with":
      return [{ words, options: rule.options, takesFiles: rule.words === "files" }];
    case "when":
      return [...entries(rule.then, [...words, [...rule.options][0] ?? ""]), ...entries(rule.otherwise, words)];
    case "needs":
      return entries(rule.rule, [...words, [...rule.options][0] ?? ""]);
    case "verbs": {
      const rules = [...rule.verbs].flatMap(([verb, inner]) => entries(inner, [...words, verb]));
      return [...rules, ...entries(rule.other, words), ...entries(rule.bare, words)];
    }
    case "tasks":
      return [{ words: [...words, "test"], options: rule.options, takesFiles: false }];
    default:
      return [];
  }
}

const EVERY = [...knownPrograms].flatMap(([program, rule]) => entries(rule, [program]));
/** Programs that share a list of options share its entry. */
const ALL = [...new Map(EVERY.toReversed().map((entry) => [entry.options, entry])).values()];

const SAMPLE: Record<Takes, string> = {
  nothing: "1",
  value: "1",
  text: "1",
  name: "json",
  path: "a.cfg",
  written: "build/coverage.xml",
};
const DYNAMIC = ["$(echo a -b)", '"$(echo a)"', "`echo a`", "$v", '"$v"', "*", "a*", "{a,$v}", "<(echo a)", "~"];
const OUTSIDE = [
  "/tmp/x",
  "/etc/passwd",
  "../x",
  "a/../../x",
  "~/x",
  "/dev/stdin",
  "/proc/self/environ",
  "https://x/y",
];
const HIDDEN_OUTSIDE = ["xml:/tmp/x", "a=/tmp/x", "a,/tmp/x", "text:../x"];

/** The bad values that the n-th form is tried with: all of them, or in `npm test` every fifth, not the same for each form. */
const VALUES_STEP = depth(5, 1);
const sampled = (values: readonly string[], n: number) => values.filter((_, i) => (i + n) % VALUES_STEP === 0);

const isSafe = (words: readonly string[]) => classify(words.join(" ")).class === "safe";

/** How an option carries a value. */
const forms = (option: string, takes: Takes): readonly ((value: string) => readonly string[])[] => {
  const attached = (value: string) => [`${option}=${value}`];
  if (takes === "nothing") return option.includes("=") ? [] : [attached];
  const glued = /^-\w$/.test(option) ? [(value: string) => [option + value]] : [];
  return [attached, (value: string) => [option, value], ...glued];
};

test("a value of an option never shows only at run time, and never leads out of the workspace", () => {
  const passed: string[] = [];
  let tried = 0;
  for (const { words, options } of ALL) {
    for (const [option, takes] of options) {
      const bad = takes === "text" ? DYNAMIC.slice(0, -1) : [...DYNAMIC, ...OUTSIDE, ...HIDDEN_OUTSIDE];
      for (const form of forms(option, takes)) {
        if (!isSafe([...words, ...form(SAMPLE[takes])])) continue;
        tried += 1;
        for (const value of sampled(bad, tried)) {
          const line = [...words, ...form(value)];
          if (isSafe(line)) passed.push(line.join(" "));
        }
      }
    }
  }
  expect(passed).toEqual([]);
  // The law says something only when most entries have a safe form.
  expect(tried).toBeGreaterThan(2_000);
});

test("a file of an entry is inside the workspace, and no other word", () => {
  const passed: string[] = [];
  let tried = 0;
  for (const { words } of EVERY.filter(({ takesFiles }) => takesFiles)) {
    if (!isSafe([...words, "src"])) continue;
    tried += 1;
    for (const value of ["$(echo a -b)", '"$(echo a)"', "$v", '"$v"', "*", "<(echo a)", "~", ...OUTSIDE, "@args"]) {
      if (isSafe([...words, value])) passed.push([...words, value].join(" "));
      if (isSafe([...words, "--", value])) passed.push([...words, "--", value].join(" "));
    }
  }
  expect(passed).toEqual([]);
  expect(tried).toBeGreaterThan(200);
});

test("a written file is never one of the project's own", () => {
  const own = [
    "package.json",
    "Makefile",
    "src.py",
    "src/a.ts",
    "setup.py",
    "configure",
    ".git/config",
    "build/run.sh",
  ];
  const passed: string[] = [];
  for (const { words, options } of ALL) {
    for (const [option, takes] of options) {
      if (takes !== "written") continue;
      for (const form of forms(option, takes))
        for (const file of own) if (isSafe([...words, ...form(file)])) passed.push([...words, ...form(file)].join(" "));
    }
  }
  expect(passed).toEqual([]);
});

test("an absolute path belongs to the workspace when it is below the folder of the line", () => {
  const at = (line: string) => classify(line, { folder: "/home/ann/app" }).class;
  expect(at("cd /home/ann/app && npm test")).toBe("safe");
  expect(at("pytest /home/ann/app/tests")).toBe("safe");
  expect(at("cat /home/ann/app/README.md")).toBe("safe");
  for (const line of [
    "pytest /home/ann/app2",
    "cd /home/ann && npm test",
    "pytest /home/ann/app/../x",
    "cat /home/ann/x",
  ])
    expect([line, at(line)]).toEqual([line, "unknown"]);
  expect(classify("pytest /x", { folder: "/" }).class).toBe("unknown");
});
