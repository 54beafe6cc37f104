// How many processes and threads may be started yet. Whoever starts one that must not fail half-way asks first: the native part that
// opens terminals makes a thread for each, and ends the whole process where it gets none.
import { readdirSync, readFileSync } from "node:fs";
import { type Fault, noProcesses } from "../../core/base/fault.ts";

/** What a session takes while it starts: its program, the thread that waits for it, what makes its box, and short work beside it. */
const SPARE = 16;

/** Of this user. Infinity: the platform does not say, or it does not count, as for root. */
const PROCESSES_MAX = limitNow();

export function refusesProcesses(): Fault | undefined {
  if (process.platform !== "linux") return undefined;
  return userLeft() < SPARE || groupLeft() < SPARE ? noProcesses() : undefined;
}

/** The threads of everybody are one short read. Only where they could be too many, those of this user are counted. */
function userLeft(): number {
  const [, everybody] = /\d+\/(\d+) /.exec(read("/proc/loadavg")) ?? [];
  const left = PROCESSES_MAX - Number(everybody);
  return left >= SPARE ? left : PROCESSES_MAX - ownThreads();
}

function ownThreads(): number {
  const uid = process.getuid?.();
  const counts = readdirSync("/proc").map((name) => {
    const status = /^\d+$/.test(name) ? read(`/proc/${name}/status`) : "";
    const [, owner] = /^Uid:\s+(\d+)/m.exec(status) ?? [];
    return Number(owner) === uid ? Number(/^Threads:\s+(\d+)/m.exec(status)?.[1] ?? 0) : 0;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** What the control group allows, as a container has it. */
function groupLeft(): number {
  const [, path] = /^0::(.*)$/m.exec(read("/proc/self/cgroup")) ?? [];
  const max = Number.parseInt(read(`/sys/fs/cgroup${path}/pids.max`), 10);
  return Number.isNaN(max) ? Number.POSITIVE_INFINITY : max - Number(read(`/sys/fs/cgroup${path}/pids.current`));
}

function limitNow(): number {
  const [, soft] = /^Max processes\s+(\d+)/m.exec(read("/proc/self/limits")) ?? [];
  return soft === undefined || process.getuid?.() === 0 ? Number.POSITIVE_INFINITY : Number(soft);
}

/** Empty where there is no such file: a process that has ended, or another kind of system. */
function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
