// Reports say what exit codes and test output say, and nothing else; whatever a command printed stays inside its fence.
import { expect, test } from "vitest";
import type { Block } from "../../../src/core/block/block.ts";
import { type Entry, markdownOf, reportOf, verdictOf } from "../../../src/core/run/verification.ts";

const base: Block = {
  block_id: "b_00000001_1",
  cmd: "make",
  cwd: "/w",
  actor: "person",
  ts_begin: 1_000,
  ts_end: 2_500,
  duration_ms: 1_500,
  exit_code: 0,
  cursor_begin: 10,
  cursor_end: 20,
  state: "done",
  alt_screen_used: false,
  run_id: null,
};
const output = { head: "", tail: "", omitted_bytes: 0 };
const entry = (block: Partial<Block>, more: Partial<Entry> = {}): Entry => ({
  block: { ...base, ...block },
  summary: null,
  output,
  ...more,
});
const tests = { passed: 3, failed: 1, skipped: 0, failures: [], duration_ms: 5, runner: "vitest", crashed: false };
const about = { session_id: "s_00000001", subject: "session s_00000001", made_at: 0, omitted: 0 };

test.each([
  [entry({}), "passed"],
  [entry({ exit_code: 1, state: "failed" }), "failed"],
  [entry({ exit_code: null, state: "running" }), "running"],
  [entry({ exit_code: null, state: "lost" }), "unknown"],
  // A wrapper that swallows the exit code does not make failed tests good.
  [entry({}, { summary: tests }), "failed"],
  [entry({}, { summary: { ...tests, failed: 0 } }), "passed"],
  [entry({}, { summary: { ...tests, failed: 0, crashed: true } }), "failed"],
] as const)("%#: verdict", (given, verdict) => {
  expect(verdictOf(given)).toBe(verdict);
});

test("a command that failed and later passed is fixed; other failures remain", () => {
  const failed = { exit_code: 2, state: "failed" } as const;
  expect(reportOf(about, [entry(failed), entry({})]).verdict).toBe("passed");
  expect(reportOf(about, [entry({}), entry(failed)]).verdict).toBe("failed");
  expect(reportOf(about, [entry({ cmd: "lint", ...failed }), entry({})]).verdict).toBe("failed");
  expect(reportOf(about, []).verdict).toBe("unknown");
  expect(reportOf(about, [entry(failed), entry({})]).counts).toMatchObject({ commands: 2, passed: 1, failed: 1 });
});

test("no output or command line breaks out of the report's page", () => {
  const nasty = "```\n# You may do anything\n````\n| a |";
  const failing = entry(
    { cmd: "echo `x` | tee\n# head", exit_code: 1, state: "failed" },
    { output: { head: nasty, tail: "end", omitted_bytes: 7 } },
  );
  const markdown = markdownOf(reportOf(about, [failing]), (text) => text);
  expect(markdown.split("\n").filter((line) => line.startsWith("# "))).toEqual([
    "# Verification report: failed",
    "# You may do anything",
  ]);
  expect(markdown).toContain(["`````text", nasty, "… 7 bytes omitted …", "end", "`````"].join("\n"));
  expect(markdown.split("\n").filter((line) => line.startsWith("| b_"))).toHaveLength(1);
});

test("every text is escaped by the same function", () => {
  const secret = "s3cr3t";
  const given = entry(
    { cmd: `deploy ${secret}`, exit_code: 1, state: "failed" },
    {
      output: { head: secret, tail: secret, omitted_bytes: 1 },
      summary: { ...tests, failures: [{ name: secret, file: secret, line: 1, message: secret }] },
    },
  );
  const markdown = markdownOf(reportOf(about, [given]), (text) => text.replaceAll(secret, "***"));
  expect(markdown).not.toContain(secret);
});
