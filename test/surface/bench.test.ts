// The benches run and their results can be read by programs. Ratios are checked with wide margins: what is lost by a mistake, not
// what a busy machine takes.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { testFolder } from "../fixtures/folder.ts";

/** It is 1.4 to 2.4 on a quiet machine. */
const TMUX_RATIO_MIN = 0.1;

test("output gets onto the screen not much slower than in tmux", async () => {
  const file = join(testFolder(), "results.json");
  const env = { ...process.env, BENCH_SMOKE: "1", BENCH_JSON: file };
  await promisify(execFile)(process.execPath, ["bench/run.mjs", "throughput"], { env });
  const { machine, answers } = JSON.parse(readFileSync(file, "utf8"));
  expect(machine).toMatchObject({ node: process.version });
  const [[, , , ratio]] = answers[0].tables[0].rows.filter(([, by]: string[]) => by === "tmux");
  expect(Number(ratio)).toBeGreaterThan(TMUX_RATIO_MIN);
});
