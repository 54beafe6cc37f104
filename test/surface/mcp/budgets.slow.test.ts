// What a model reads for three pieces of work, to the byte: the tasks of the bench, over MCP by hand. A byte more is a change of
// what every agent reads at every step, and is decided here.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { testFolder } from "../../fixtures/folder.ts";

test("vim in eight steps, a wizard of ten questions and ten lines in a REPL", async () => {
  const file = join(testFolder(), "results.json");
  const env = { ...process.env, BENCH_SMOKE: "1", BENCH_TEXTS: "1", BENCH_JSON: file };
  const { stdout } = await promisify(execFile)(process.execPath, ["bench/run.mjs", "bytes"], { env });
  const [{ tables }] = JSON.parse(readFileSync(file, "utf8")).answers;
  const bytes = tables[0].rows.map(([task, , calls, all]: [string, string, number, number]) => [task, calls, all]);
  // A shell's prompt is # or $, of the same length.
  expect(bytes, stdout).toEqual([
    ["vim, 8 steps", 9, 725],
    ["wizard, 10 questions", 13, 936],
    ["REPL, 10 lines", 12, 726],
  ]);
});
