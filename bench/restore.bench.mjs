// What a restore point costs an agent's line: in a repository of 5,000 files, when little or nothing changed.

import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RestorePoints } from "../build/core/restore/restore-points.js";
import { nodeClock } from "../build/host/clock.js";
import { gitShadows } from "../build/host/git/shadows.js";
import { quantile, table, withFolder } from "./stand.mjs";

export const question =
  "What does a restore point cost in a repository of 5,000 files? (ms; little changed: at most 150)";

const FILES = 5_000;
const TIMES = 30;

export async function run() {
  await withFolder(async (dir) => {
    const workspace = join(dir, "ws");
    makeRepository(workspace);
    let id = 0;
    const limits = { ignored: false, max_file_mb: 10, max_total_mb: 2_000 };
    const points = new RestorePoints({
      clock: nodeClock,
      settings: () => ({ on: true, budget_ms: 60_000, keep: 100 }),
      newId: () => `p_${++id}`,
      workspaceOf: () => workspace,
      shadow: gitShadows(join(dir, "restore"), dir, limits),
      told: () => undefined,
    });
    const point = async (change) => {
      change();
      const began = performance.now();
      await points.before({ cwd: workspace, session_id: null, actor: "agent:bench", text: "bench", input: "line" });
      return performance.now() - began;
    };
    const rows = [["the first", (await point(() => undefined)).toFixed(0), "", ""]];
    const write = (name, text) => writeFileSync(join(workspace, name), text);
    for (const [name, change] of [
      ["nothing changed", () => undefined],
      ["one file changed", (i) => write("d1/f1", `changed ${i}\n`)],
      ["one new file", (i) => write(`d2/new${i}`, "new\n")],
      ["twenty files changed", (i) => Array.from({ length: 20 }, (_, n) => write(`d3/f${n * 50 + 3}`, `${i} ${n}\n`))],
    ]) {
      const took = [];
      for (let i = 0; i < TIMES; i++) took.push(await point(() => change(i)));
      rows.push([name, ...[0.5, 0.9, 0.99].map((q) => quantile(took, q).toFixed(0))]);
    }
    table(["", "p50", "p90", "p99"], rows);
  });
}

function makeRepository(workspace) {
  for (let i = 0; i < 50; i++) mkdirSync(join(workspace, `d${i}`), { recursive: true });
  for (let i = 0; i < FILES; i++)
    writeFileSync(join(workspace, `d${i % 50}/f${i}`), `file ${i}\n${"some text in it\n".repeat(i % 60)}`);
  const git = (...args) => spawnSync("git", ["-C", workspace, "-c", "user.name=b", "-c", "user.email=b@b", ...args]);
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "all");
}
