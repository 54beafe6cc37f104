// Finds and ends the processes of a session. Owns: which processes belong to it, and the grace time before the kill.
// Refuses: to signal this process, its parents, or a stranger with a recycled pid, session id or terminal.
import { setTimeout as delay } from "node:timers/promises";
import { opensTerminal, type ProcessRow, processRow, processTable, type Tty } from "./table.ts";

/** The traces by which we recognise a session's processes. */
export interface Trace {
  readonly leader: number;
  /** "KEY=value", an entry in the environment of each process. */
  readonly marker: string;
  /** Null once our slave is closed. The terminal's number may then belong to another session. */
  readonly tty: Tty | null;
  readonly startedTick: number;
  /** When the leader was reaped, or null while it lives. After that its session id may be recycled. */
  readonly endedTick: number | null;
}

interface Ending {
  trace(): Trace;
  /** Settles after the exit event. */
  readonly exited: Promise<void>;
  hasExited(): boolean;
}

/** Time between hang-up and kill. Shells save their history and editors their swap files within it. */
export const CLOSE_GRACE_MS = 2_000;
/** Time for killed processes to vanish. Freeing much memory takes a second; only a hung disk or NFS takes longer. */
const CLOSE_KILL_MS_MAX = 5_000;
/** Re-checks start at 2 ms, as most processes die at once, and slow down to 50 ms. */
const RECHECK_MS_MIN = 2;
const RECHECK_MS_MAX = 50;
/** Uptime and start times are rounded differently. */
const TICK_SLACK = 2;

/** All processes in one moment, without us and our parents. Any number of sessions find theirs in it. */
class Look {
  readonly rows: readonly ProcessRow[];
  readonly children: ReadonlyMap<number, readonly ProcessRow[]>;
  #environments = new Map<number, ReadonlySet<string>>();

  constructor() {
    const table = processTable();
    const kin = selfAndParents(table);
    this.rows = table.filter((row) => !kin.has(row.pid));
    this.children = groupByParent(this.rows);
  }

  /** Whether this is an entry of its environment, which is read once. */
  isMarked(row: ProcessRow, marker: string): boolean {
    const known = this.#environments.get(row.pid) ?? new Set(row.environ().split("\0"));
    this.#environments.set(row.pid, known);
    return known.has(marker);
  }
}

/** Every live process of the session and everything it started. */
export function sessionProcesses(trace: Trace, look = new Look()): ProcessRow[] {
  const isYoung = (row: ProcessRow) => row.startedTick >= trace.startedTick - TICK_SLACK;
  const found = new Map<number, ProcessRow>();
  const queue = look.rows.filter((row) => isYoung(row) && belongs(row, trace, look));
  for (let row = queue.pop(); row !== undefined; row = queue.pop()) {
    if (found.has(row.pid)) continue;
    found.set(row.pid, row);
    queue.push(...(look.children.get(row.pid) ?? []).filter(isYoung));
  }
  return [...found.values()];
}

let comingLook: Promise<Look> | undefined;
let lookMs = 0;

/** Sessions that end together share their looks, each taken after they asked. Looking takes half of our time at most. */
function nextLook(): Promise<Look> {
  comingLook ??= delay(lookMs).then(() => {
    comingLook = undefined;
    const began = performance.now();
    const look = new Look();
    lookMs = performance.now() - began;
    return look;
  });
  return comingLook;
}

/** Hang-up, grace, kill. Resolves when no process is left and the exit was delivered, or when time is up. */
export async function endSession(ending: Ending): Promise<void> {
  let known = sessionProcesses(ending.trace(), await nextLook());
  for (const row of known) {
    // SIGCONT follows, because a stopped job would never see the hang-up.
    signalProcess(row.pid, "SIGHUP");
    signalProcess(row.pid, "SIGCONT");
  }
  let recheckMs = RECHECK_MS_MIN;
  const graceEndsMs = performance.now() + CLOSE_GRACE_MS;
  while (performance.now() < graceEndsMs) {
    if (known.every(isGone)) known = sessionProcesses(ending.trace(), await nextLook());
    if (known.length === 0 && ending.hasExited()) return;
    recheckMs = await recheck(ending, recheckMs);
  }
  const killEndsMs = performance.now() + CLOSE_KILL_MS_MAX;
  recheckMs = RECHECK_MS_MIN;
  while (performance.now() < killEndsMs) {
    // We scan again each time, because a process may fork between the scan and the kill. We do not wait for one that we
    // may not signal (EPERM, for example under sudo).
    const ours = sessionProcesses(ending.trace(), await nextLook());
    const left = ours.filter((row) => signalProcess(row.pid, "SIGKILL") === "sent");
    if (left.length === 0 && ending.hasExited()) return;
    recheckMs = await recheck(ending, recheckMs);
  }
}

/** `target` may be negative: a group. ESRCH and EPERM are expected; an unknown name is a bug and throws. */
export function signalProcess(target: number, name: string | 0): "sent" | "gone" | "denied" {
  try {
    process.kill(target, name as NodeJS.Signals | 0);
    return "sent";
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ESRCH") return "gone";
    if (code === "EPERM") return "denied";
    throw error;
  }
}

function belongs(row: ProcessRow, trace: Trace, look: Look): boolean {
  // Before its first system call, a new process has no session, terminal or environment of its own.
  if (row.pid === trace.leader && trace.endedTick === null) return true;
  // A session id stays taken while members live, so a process that started before the leader's end is ours.
  const recycled = trace.endedTick !== null && row.startedTick > trace.endedTick + TICK_SLACK;
  if (row.session === trace.leader && !recycled) return true;
  if (trace.tty !== null && row.tty === trace.tty.key && opensTerminal(row.pid, trace.tty)) return true;
  return look.isMarked(row, trace.marker);
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

/** A recycled pid has a different start time. */
function isGone(row: ProcessRow): boolean {
  return processRow(row.pid)?.startedTick !== row.startedTick;
}

/** Waits, but no longer than until the exit arrives. Returns the next waiting time. */
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
