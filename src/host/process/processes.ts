// The processes of a session: finding and ending them. Owns: who belongs to it, the grace and the kill of close.
// Refuses: to signal this process, its parents, or a stranger that got a recycled pid, session id or terminal.
import { setTimeout as delay } from "node:timers/promises";
import { type ProcessRow, processRow, processTable } from "./table.ts";

/** What a session leaves on its processes. */
export interface Trace {
  readonly leader: number;
  /** "KEY=value", an entry of the environment of each. */
  readonly marker: string;
  /** Null once our slave is closed: the number of the terminal may then be another session's. */
  readonly tty: string | null;
  readonly startedTick: number;
  /** When the leader was reaped; null while it lives. A session id may be recycled after that. */
  readonly endedTick: number | null;
}

export interface Ending {
  trace(): Trace;
  /** Settles after the exit event. */
  readonly exited: Promise<void>;
  hasExited(): boolean;
}

/** From hang-up to kill: shells save their history and editors their swap files within this. */
export const CLOSE_GRACE_MS = 2_000;
/** For killed processes to vanish; freeing much memory takes a second, only a hung disk or NFS takes longer. */
const CLOSE_KILL_MS_MAX = 5_000;
/** Re-checks start at 2 ms, as most processes die at once, and slow down to 50 ms. */
const RECHECK_MS_MIN = 2;
const RECHECK_MS_MAX = 50;
/** Uptime and start times are rounded differently. */
const TICK_SLACK = 2;

/** Every live process of the session, and of what it started. */
export function sessionProcesses(trace: Trace): ProcessRow[] {
  const table = processTable();
  const kin = selfAndParents(table);
  const candidates = table.filter((row) => !kin.has(row.pid) && row.startedTick >= trace.startedTick - TICK_SLACK);
  const children = groupByParent(candidates);
  const found = new Map<number, ProcessRow>();
  const queue = candidates.filter((row) => belongs(row, trace));
  for (let row = queue.pop(); row !== undefined; row = queue.pop()) {
    if (found.has(row.pid)) continue;
    found.set(row.pid, row);
    queue.push(...(children.get(row.pid) ?? []));
  }
  return [...found.values()];
}

/** Hang-up, grace, kill. Resolves when none is left and the exit was delivered, or the limits are spent. */
export async function endSession(ending: Ending): Promise<void> {
  let known = sessionProcesses(ending.trace());
  for (const row of known) {
    // SIGCONT after it, or a stopped job would never see the hang-up.
    signalProcess(row.pid, "SIGHUP");
    signalProcess(row.pid, "SIGCONT");
  }
  let recheckMs = RECHECK_MS_MIN;
  const graceEndsMs = performance.now() + CLOSE_GRACE_MS;
  while (performance.now() < graceEndsMs) {
    if (known.every(isGone)) known = sessionProcesses(ending.trace());
    if (known.length === 0 && ending.hasExited()) return;
    recheckMs = await recheck(ending, recheckMs);
  }
  const killEndsMs = performance.now() + CLOSE_KILL_MS_MAX;
  recheckMs = RECHECK_MS_MIN;
  while (performance.now() < killEndsMs) {
    // Again each time: one of them may have forked between the look and the kill. One that we may not signal (EPERM,
    // such as under sudo) is not waited for.
    const left = sessionProcesses(ending.trace()).filter((row) => signalProcess(row.pid, "SIGKILL") === "sent");
    if (left.length === 0 && ending.hasExited()) return;
    recheckMs = await recheck(ending, recheckMs);
  }
}

/** `target` may be negative: a group. ESRCH and EPERM are expected; an unknown name is a bug and throws. */
export function signalProcess(target: number, name: string): "sent" | "gone" | "denied" {
  try {
    process.kill(target, name as NodeJS.Signals);
    return "sent";
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ESRCH") return "gone";
    if (code === "EPERM") return "denied";
    throw error;
  }
}

function belongs(row: ProcessRow, trace: Trace): boolean {
  // Until its first own call it has neither session nor terminal nor environment of its own.
  if (row.pid === trace.leader && trace.endedTick === null) return true;
  // A session id stays taken while members live, so one that started before the leader's end is ours.
  const recycled = trace.endedTick !== null && row.startedTick > trace.endedTick + TICK_SLACK;
  if (row.session === trace.leader && !recycled) return true;
  if (trace.tty !== null && row.tty === trace.tty) return true;
  return `\0${row.environ()}\0`.includes(`\0${trace.marker}\0`);
}

function selfAndParents(table: readonly ProcessRow[]): Set<number> {
  const parents = new Map(table.map((row) => [row.pid, row.parent]));
  const kin = new Set<number>();
  for (let pid: number | undefined = process.pid; pid !== undefined && pid > 0; pid = parents.get(pid)) kin.add(pid);
  return kin;
}

function groupByParent(rows: readonly ProcessRow[]): Map<number, ProcessRow[]> {
  const groups = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    const siblings = groups.get(row.parent);
    if (siblings === undefined) groups.set(row.parent, [row]);
    else siblings.push(row);
  }
  return groups;
}

/** A recycled pid has another start. */
function isGone(row: ProcessRow): boolean {
  return processRow(row.pid)?.startedTick !== row.startedTick;
}

/** Waits, at most until the exit arrives; returns the next wait. */
async function recheck(ending: Ending, ms: number): Promise<number> {
  if (ending.hasExited()) await delay(ms);
  else await soonerOf(ending.exited, ms);
  return Math.min(ms * 2, RECHECK_MS_MAX);
}

async function soonerOf(event: Promise<void>, ms: number): Promise<void> {
  const timer = new AbortController();
  const timeout = delay(ms, undefined, { signal: timer.signal }).catch(expectAbort);
  await Promise.race([event, timeout]);
  timer.abort();
}

function expectAbort(error: unknown): void {
  if ((error as Error).name !== "AbortError") throw error;
}
