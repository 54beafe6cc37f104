// A program and everything it starts. We pipe to the first process and end them all together. Owns: the child until
// it is reaped, and the end of its standard error. Refuses: to know what the pipes carry. It cannot find a process that
// cleared its environment, left its session and lost its parents before we looked; no ordinary program does all three.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { resolveCommand } from "../pty/resolve.ts";
import { refusesDescriptors } from "./descriptor-limit.ts";
import { sessionProcesses, signalProcess } from "./processes.ts";
import { nowTick, type ProcessRow, processRow, processTable } from "./table.ts";

/** Time between the request to end and the kill. Agents save their transcripts within it. */
const TREE_GRACE_MS = 2_000;
/** Time for killed processes to vanish. Only a hung disk takes longer. */
const KILL_MS_MAX = 5_000;
const RECHECK_MS_MIN = 2;
const RECHECK_MS_MAX = 50;
/** Long enough for a stack trace with its message. */
const COMPLAINT_CHARS_MAX = 4_000;

export interface TreeSpec {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** A variable in its environment. Child processes inherit it, and we find them by it. */
  readonly marker: { readonly name: string; readonly value: string };
}

interface TreeExit {
  readonly code: number | null;
  readonly signal: string | null;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Resolves when the program runs. */
export async function startTree(spec: TreeSpec): Promise<ChildTree | Fault> {
  const [file = "", ...args] = spec.argv;
  const env = { ...spec.env, [spec.marker.name]: spec.marker.value };
  const full = refusesDescriptors();
  if (full) return full;
  const found = resolveCommand({ file, args, cwd: spec.cwd, env });
  if (isFault(found)) return found;
  const startedTick = nowTick();
  // detached: it gets its own session and group, so no terminal of ours reaches it.
  const child = spawn(found.file, args, { cwd: found.cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const failed = await new Promise<Error | undefined>((resolve) => {
    child.once("spawn", () => resolve(undefined));
    child.once("error", resolve);
  });
  if (failed || child.pid === undefined)
    return fault("spawn.failed", `${found.file}: ${failed?.message ?? "no process"}`, "Check that it can be run.");
  return new ChildTree(child, child.pid, `${spec.marker.name}=${spec.marker.value}`, startedTick);
}

export class ChildTree {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** The first program's exit. Others may still run. */
  readonly exited: Promise<TreeExit>;
  #child: Child;
  #marker: string;
  #startedTick: number;
  #endedTick: number | null = null;
  #complaints = "";
  #ending: Promise<void> | undefined;

  constructor(child: Child, pid: number, marker: string, startedTick: number) {
    this.pid = pid;
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.#child = child;
    this.#marker = marker;
    this.#startedTick = startedTick;
    // It may end without reading its input (EPIPE). The exit event still comes.
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on("error", () => undefined);
    child.on("error", () => undefined);
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#complaints = (this.#complaints + text).slice(-COMPLAINT_CHARS_MAX);
    });
    this.exited = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        this.#endedTick = nowTick();
        resolve({ code, signal });
      });
    });
  }

  get alive(): boolean {
    return this.#endedTick === null;
  }

  /** The end of what it wrote to standard error. */
  get complaints(): string {
    return this.#complaints.trim();
  }

  /** Asks every process to end and kills those that stay. Resolves when none is left or time is up. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    // We remember processes between scans. So we still know an orphan without the marker from when it had parents.
    const known = new Map<number, ProcessRow>();
    await endAll(
      () => this.#left(known),
      () => !this.alive,
    );
    for (const pipe of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) pipe.destroy();
  }

  #left(known: Map<number, ProcessRow>): ProcessRow[] {
    const trace = {
      leader: this.pid,
      marker: this.#marker,
      tty: null,
      startedTick: this.#startedTick,
      endedTick: this.#endedTick,
    };
    for (const row of sessionProcesses(trace)) known.set(row.pid, row);
    // A recycled pid has a different start time.
    for (const [pid, row] of known) if (processRow(pid)?.startedTick !== row.startedTick) known.delete(pid);
    return [...known.values()];
  }
}

/** Ends trees whose owner died first, found by their environment. Returns how many processes there were. */
export async function endOrphans(isTheirs: (environment: readonly string[]) => boolean): Promise<number> {
  const look = () => processTable().filter((row) => row.pid !== process.pid && isTheirs(row.environ().split("\0")));
  const { length } = look();
  if (length > 0) await endAll(look, () => true);
  return length;
}

/** Asks every process to end, then kills those that stay, until none is found or time is up. */
async function endAll(look: () => ProcessRow[], isReaped: () => boolean): Promise<void> {
  for (const row of look()) {
    signalProcess(row.pid, "SIGTERM");
    // A stopped process would never see the signal.
    signalProcess(row.pid, "SIGCONT");
  }
  if (await until(TREE_GRACE_MS, () => look().length === 0 && isReaped())) return;
  // We scan again each time, because a process may have forked. We do not wait for one that we may not signal (EPERM).
  const killed = () => look().filter((row) => signalProcess(row.pid, "SIGKILL") === "sent").length;
  await until(KILL_MS_MAX, () => killed() === 0 && isReaped());
}

async function until(ms: number, done: () => boolean): Promise<boolean> {
  const endsMs = performance.now() + ms;
  for (
    let recheckMs = RECHECK_MS_MIN;
    performance.now() < endsMs;
    recheckMs = Math.min(2 * recheckMs, RECHECK_MS_MAX)
  ) {
    if (done()) return true;
    await delay(recheckMs);
  }
  return false;
}
