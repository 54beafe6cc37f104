// Keeps the processes of our descendants below us: one that leaves its session and its parents becomes our child, so that it
// is still known where it came from. Owns: their exit statuses, which nobody else takes.
import { readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { isHidden } from "../process/table.ts";
import { libc } from "../pty/libc.ts";

/** Node and the PTY library take the statuses of their own children at once. What is left after this long is an orphan's. */
const REAP_MS = 1_000;
/** A worker thread hears of no child. */
const LOOK_MS = 10_000;
/** It is the whole process that adopts, and for good: who once left a session may still be there. */
let isAdopting = false;

/** Linux only. Elsewhere orphans are nobody's. */
export function adoptOrphans(): void {
  if (isAdopting || !libc().adoptOrphans()) return;
  isAdopting = true;
  let ended: ReadonlySet<number> = new Set();
  let isPlanned = false;
  const look = () => {
    isPlanned = false;
    const now = endedChildren();
    for (const pid of now) if (ended.has(pid)) libc().reap(pid);
    ended = new Set(now.filter((pid) => !ended.has(pid)));
    if (ended.size > 0) plan();
  };
  const plan = () => {
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(look, REAP_MS).unref();
  };
  if (isMainThread) process.on("SIGCHLD", plan);
  else setInterval(plan, LOOK_MS).unref();
}

/** Orphans become children of the main thread. A kernel that does not list them leaves their statuses until we end. */
function endedChildren(): number[] {
  const children = lineOf(`/proc/self/task/${process.pid}/children`);
  return children.split(" ").filter(Boolean).map(Number).filter(isEnded);
}

function isEnded(pid: number): boolean {
  const stat = lineOf(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
}

/** Empty when somebody else took its status meanwhile. */
function lineOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    if (isHidden(error)) return "";
    throw error;
  }
}
