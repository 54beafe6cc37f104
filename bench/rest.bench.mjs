// What an installation does while nobody uses it: how often its processes wake, and what that costs.
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { table, withBuilds } from "./stand.mjs";

export const question = "How often are daemon and holder woken at rest? (ten idle shells, a second)";

const SHELLS = 10;
/** The daemon watches its clock for half a minute after a status. */
const QUIET_MS = 35_000;
const WATCH_MS = 10_000;

export async function run() {
  await withBuilds(async (ours, base) => {
    const builds = [{ name: "duetty", stand: ours }, ...(base ? [{ name: "base", stand: base }] : [])];
    for (const build of builds) {
      for (let i = 0; i < SHELLS; i += 1) await build.stand.client.pty_open({ shell: "/bin/bash" });
      const { daemon, holder } = await build.stand.client.status({});
      build.pids = { daemon: daemon.pid, holder: holder.pid };
    }
    await delay(QUIET_MS);
    const before = builds.map(({ pids }) => Object.values(pids).map(wakes));
    await delay(WATCH_MS);
    const rows = builds.map(({ name, pids }, i) => {
      const after = Object.values(pids).map(wakes);
      return [name, ...after.map((n, j) => (((n - before[i][j]) * 1000) / WATCH_MS).toFixed(1))];
    });
    table(["build", "daemon", "holder"], rows);
  });
}

/** How often a process slept and was woken. Linux counts the main thread here. */
function wakes(pid) {
  return Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]);
}
