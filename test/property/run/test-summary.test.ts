// Summaries of test runs: recorded and documented outputs give exactly what is kept beside them, and whatever the text,
// nothing is called a success that the exit code denies. Also the words of planned lines, as real shells read them.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shellLine } from "../../../src/core/run/tests/shell-words.ts";
import { summarize, type TestSummary } from "../../../src/core/run/tests/summary.ts";
import { depth } from "../../fixtures/depth.ts";

interface Sample {
  readonly name: string;
  readonly runner: string;
  readonly exit_code: number;
  readonly text: string;
  readonly summary: TestSummary | null;
}

const folder = fileURLToPath(new URL("../../fixtures/test-output", import.meta.url));
const samples: readonly Sample[] = readdirSync(folder)
  .filter((name) => name.endsWith(".txt"))
  .map((file) => {
    const kept = JSON.parse(readFileSync(join(folder, file.replace(/txt$/, "json")), "utf8"));
    return { name: file.replace(".txt", ""), text: readFileSync(join(folder, file), "utf8"), ...kept };
  });

describe("recorded outputs", () => {
  for (const { name, runner, exit_code, text, summary } of samples) {
    it(name, () => expect(summarize({ runner, text, exit_code })).toEqual(summary));
  }

  it("recorded outputs are recognised behind any wrapper", () => {
    for (const { name, text, exit_code, summary } of samples) {
      for (const runner of ["npm", "make", "whatever"]) {
        const result = summarize({ runner, text, exit_code });
        const known = summary?.crashed && summary.passed + summary.failed === 0 ? runner : summary?.runner;
        expect({ name, result: result && { ...result, runner: "" } }).toEqual({
          name,
          result: summary && { ...summary, runner: "" },
        });
        if (result !== null) expect(result.runner).toBe(known);
      }
    }
  });

  it("recorded outputs are read without their blank lines", () => {
    for (const { runner, text, exit_code, summary } of samples) {
      const dense = text.replace(/\n[ \t]*(?=\n)/g, "");
      expect(summarize({ runner, text: dense, exit_code })).toEqual(summary);
    }
  });

  it("several runs behind one wrapper are added up", () => {
    const sample = (name: string) => samples.find((one) => one.name === name)?.text ?? "";
    const text = sample("pytest-passing") + sample("vitest-failing") + sample("cargo-passing");
    const result = summarize({ runner: "make", text, exit_code: 2 });
    expect(result).toMatchObject({
      passed: 6,
      failed: 3,
      skipped: 2,
      crashed: false,
      runner: "vitest + pytest + cargo",
    });
  });

  it("outputs of parallel packages are read behind their names", () => {
    for (const prefix of ["packages/web test: ", "@shop/web:test: ", "│ "]) {
      for (const { name, text, exit_code, summary } of samples.filter((one) =>
        /^(?:vitest|jest|mocha)-(?:pass|fail)/.test(one.name),
      )) {
        const result = summarize({ runner: "npm", text: text.replace(/^/gm, prefix), exit_code });
        expect({ name, ...result }).toEqual({ name, ...summary });
      }
    }
  });

  it("a second runner's failures explain the exit code", () => {
    const sample = (name: string) => samples.find((one) => one.name === name)?.text ?? "";
    const text = sample("vitest-passing") + sample("playwright-failing");
    const result = summarize({ runner: "vitest", text, exit_code: 1 });
    expect(result).toMatchObject({ passed: 4, failed: 1, skipped: 2, crashed: false, runner: "vitest + playwright" });
  });

  it("a run that selected no test says so; one that could not begin crashed", () => {
    const names = (runner: string, text: string, exit_code: number) =>
      summarize({ runner, text, exit_code })?.failures.map(({ name }) => name);
    const [none, crashed] = [["(no tests)"], ["(crashed)"]];
    expect(names("pytest", "==== 3 deselected in 0.02s ====", 5)).toEqual(none);
    expect(names("pytest", "no tests ran in 0.00s", 5)).toEqual(none);
    expect(names("jest", "No tests found, exiting with code 1\nRun with `--passWithNoTests`", 1)).toEqual(none);
    expect(names("vitest", "No test files found, exiting with code 1", 1)).toEqual(none);
    expect(names("pytest", "no tests ran in 0.00s\nERROR: file or directory not found: x", 4)).toEqual(crashed);
  });

  it("a success that the exit code denies is not shown", () => {
    for (const { runner, text, summary } of samples.filter((one) => one.exit_code === 0)) {
      for (const exit_code of [1, null]) {
        const result = summarize({ runner, text, exit_code });
        expect(result?.crashed).toBe(true);
        expect(result?.passed).toBe(summary?.passed ?? 0);
        expect(result?.failures.map((failure) => failure.name)).toEqual(["(crashed)"]);
      }
    }
  });
});

/** Lines of all formats, mixed: the worst that can be read without being made for it. */
const line = fc.constantFrom(...new Set(samples.flatMap(({ text }) => text.split("\n"))));
const anyText = fc.oneof(
  fc.array(line, { maxLength: 60 }).map((lines) => lines.join("\n")),
  fc.string({ unit: "binary", maxLength: 300 }),
);
const anyRunner = fc.constantFrom("npm", "", ...new Set(samples.map(({ runner }) => runner)));

/** Each output is cut after every fourth line in `npm test`, and after every line in the longer tiers. */
const CUT_STEP = depth(4, 1);

describe("any text", () => {
  it("any text never shows a success that the exit code denies, and stays within limits", () => {
    fc.assert(
      fc.property(anyText, anyRunner, fc.constantFrom(0, 1, 2, 137, null), (text, runner, exit_code) => {
        const result = summarize({ runner, text, exit_code });
        if (result === null) return exit_code === 0;
        expect(result.failures.length).toBeLessThanOrEqual(200);
        for (const count of [result.passed, result.failed, result.skipped])
          expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
        for (const { message, line } of result.failures) {
          expect(message.length).toBeLessThanOrEqual(2_000);
          expect(line === null || Number.isSafeInteger(line)).toBe(true);
        }
        return exit_code === 0 ? !result.crashed : result.failed > 0 || (result.crashed && result.failures.length > 0);
      }),
      { numRuns: depth(150, 500) },
    );
  });

  it("a text that is cut anywhere has no more successes than the whole", () => {
    for (const { name, runner, text, summary } of samples) {
      const lines = text.split("\n");
      for (let end = name.length % CUT_STEP; end < lines.length; end += CUT_STEP) {
        const result = summarize({ runner, text: lines.slice(0, end).join("\n"), exit_code: 130 });
        const isFailure = result !== null && (result.failed > 0 || result.crashed);
        if (!isFailure || result.passed > (summary?.passed ?? 0)) expect.fail(`${name}, first ${end} lines`);
      }
    }
  });

  // 4 MB each; a reading that is not linear would not end before the test's own limit.
  const hostile: Readonly<Record<string, string>> = {
    blank: "\n".repeat(4 << 20),
    "one line": "a".repeat(4 << 20),
    spaces: " ".repeat(4 << 20),
    digits: `${"1".repeat(1_999)}\n`.repeat(2_000),
    "digits and words": `${"1 a".repeat(600)}\n`.repeat(2_000),
    rules: `${"=".repeat(900)} 1 passed ${"=".repeat(900)}x\n`.repeat(2_000),
    failures:
      "--- FAIL: TestA (0.00s)\n FAIL  a > b\n  ● c\n  1) d:\nFAILED a::b - c\nnot ok 1 - x\n---- a stdout ----\n".repeat(
        36_000,
      ),
    samples: samples
      .map(({ text }) => text)
      .join("")
      .repeat(60),
  };
  for (const [name, text] of Object.entries(hostile)) {
    it(`4 MB of output are read in one pass: ${name}`, () => {
      const result = summarize({ runner: "npm", text: `${text}\n1 passed in 0.1s\n`, exit_code: 1 });
      expect(result?.failed || result?.crashed).toBeTruthy();
      expect(result?.failures.length).toBeLessThanOrEqual(200);
    });
  }
});

describe("a planned line", () => {
  const word = fc.oneof(
    fc.string({
      unit: fc.constantFrom(..."ab '\"\\$`!~#*?[]{}()<>|&;=%^-@:/ü漢🙂"),
      minLength: 0,
      maxLength: 12,
    }),
    fc.constantFrom(
      "~",
      "=x",
      "-n",
      "a=b",
      "!!",
      "$HOME",
      "$(x)",
      "*",
      "\\",
      "'",
      '"',
      "",
      "\\'",
      "'\\",
      "{a,b}",
      "%1",
      "a\\\\b",
      "#",
    ),
  );
  for (const [shell, ...flags] of [["bash"], ["dash"], ["zsh", "-f"], ["fish", "--no-config"]] as const) {
    it(`${shell} reads a planned line as the words it was made of`, () => {
      fc.assert(
        fc.property(
          fc.array(fc.array(word, { minLength: 1, maxLength: 6 }), { minLength: 20, maxLength: 20 }),
          (lists) => {
            const lines = lists.map((words) => shellLine(["printf", "%s\\0", ...words]));
            const ran = spawnSync(shell, [...flags, "-c", lines.join("\n")], { encoding: "utf8" });
            expect(ran.stdout.split("\0").slice(0, -1)).toEqual(lists.flat());
          },
        ),
        { numRuns: depth(4, 12) },
      );
    });
  }

  it("a planned line keeps leading assignments", () => {
    expect(shellLine(["A=x y", "B=", "env", "C=it's"])).toBe("A='x y' B= env 'C=it'\\''s'");
  });
});
