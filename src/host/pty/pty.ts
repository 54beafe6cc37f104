// The native adapter of the Pty port: a child on a pseudo-terminal. Owns: the life of the two descriptors and the
// order of events (bytes, then exit, once). Refuses: text, and to touch a descriptor after it was closed.
// The slave is held open for the whole life: without it the last bytes are lost at exit (40 of 50 runs, libuv#4992).

import { closeSync, constants, openSync } from "node:fs";
import { constants as osConstants } from "node:os";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import type {
  Activity,
  ExitStatus,
  Foreground,
  Pty,
  PtyCommand,
  PtyEvents,
  Size,
  Spawn,
  Typist,
} from "../../core/pty/pty.ts";
import type { Echo } from "../../protocol/words/program.ts";
import { endSession, signalProcess, type Trace } from "../process/processes.ts";
import { nowTick, processActivity, programInFront, ttyOf } from "../process/table.ts";
import { terminalReading } from "../process/tty-readers.ts";
import { type Forked, native } from "./fork.ts";
import { libc } from "./libc.ts";
import { PtyReader } from "./reader.ts";
import { resolveCommand } from "./resolve.ts";
import { retype } from "./retype.ts";
import { PtyWriter } from "./writer.ts";

/** Status of a leader that outlived SIGKILL (uninterruptible sleep): close must not wait for it for ever. */
const ABANDONED: ExitStatus = { code: null, signal: "SIGKILL" };

export const spawnPty: Spawn = (command, on) => {
  const resolved = resolveCommand(command);
  if (isFault(resolved)) return resolved;
  const startedTick = nowTick();
  // The child's end cannot arrive before this turn ends, so `pty` is set by then.
  let pty: NativePty | null = null;
  let forked: Forked;
  try {
    // The reader cannot do without libc: find out before there is a child.
    libc();
    const { cols, rows } = command;
    const env = envEntries(command);
    const onExit = (code: number, signal: number): void => pty?.childEnded(exitStatus(code, signal));
    forked = native().fork({ ...resolved, args: command.args, env, cols, rows, onExit });
  } catch (error) {
    return spawnFailed(error);
  }
  try {
    pty = new NativePty(forked, hold(forked), { marker: command.marker, startedTick }, on);
    return pty;
  } catch (error) {
    signalProcess(forked.pid, "SIGKILL");
    closeSync(forked.fd);
    return spawnFailed(error);
  }
};

class NativePty implements Pty {
  readonly pid: number;
  readonly #master: number;
  readonly #slave: number;
  readonly #path: string;
  readonly #on: PtyEvents;
  readonly #reader: PtyReader;
  readonly #writer: PtyWriter;
  readonly #exited: Promise<void>;
  #tellExited: () => void = () => undefined;
  #trace: Trace;
  #childStatus: ExitStatus | null = null;
  #finished = false;
  #closing: Promise<void> | null = null;

  constructor(forked: Forked, slave: number, origin: Pick<Trace, "marker" | "startedTick">, on: PtyEvents) {
    this.pid = forked.pid;
    this.#master = forked.fd;
    this.#slave = slave;
    this.#path = forked.pty;
    this.#on = on;
    this.#exited = new Promise((resolve) => {
      this.#tellExited = resolve;
    });
    const tty = ttyOf({ path: forked.pty, fd: slave });
    this.#trace = { ...origin, leader: forked.pid, tty, endedTick: null };
    this.#writer = new PtyWriter(forked.fd);
    this.#reader = new PtyReader(forked.fd, (chunk) => on.bytes(chunk));
  }

  write(bytes: Uint8Array, by: Typist = "person"): "queued" | "full" | "ended" {
    return this.#reader.open ? this.#writer.write(bytes, by) : "ended";
  }

  dropUnread(): void {
    if (!this.#reader.open) return;
    this.#writer.dropAgents();
    libc().dropInput(this.#master, this.#slave);
  }

  unread(): number {
    return this.#writer.queued;
  }

  async retype(): Promise<void> {
    if (this.#reader.open) await retype(this.#slave, (bytes) => this.#writer.writeFirst(bytes));
  }

  readAll(): "all" | "more" {
    return this.#reader.readAll();
  }

  resize(size: Size): void {
    if (this.#reader.open) native().resize(this.#master, size.cols, size.rows);
  }

  pause(): void {
    // A closing session must come to its end, even if its reader is paused.
    if (this.#closing === null) this.#reader.pause();
  }

  resume(bytes?: number): void {
    // One that is closing reads to its end.
    this.#reader.resume(this.#closing === null ? bytes : undefined);
  }

  signal(name: string): boolean {
    // A reaped leader's pid may be recycled, and so may its group.
    if (this.#childStatus !== null) return false;
    const group = this.#foregroundGroup();
    const sent = group === null ? "gone" : signalProcess(-group, name);
    // We do not pass "denied" on: a signal for a `sudo` in the foreground must not hit the shell under it.
    return (sent === "gone" ? signalProcess(this.pid, name) : sent) === "sent";
  }

  foreground(): Foreground | null {
    const group = this.#foregroundGroup();
    if (group === null) return null;
    if (process.platform === "linux") return programInFront(group);
    const name = native().process(this.#master, this.#path);
    return name ? { pid: group, name } : null;
  }

  echo(): Echo {
    const modes = this.#finished ? null : libc().modes(this.#slave);
    // ECHO without ICANON (bash's `read -n1`) shows what is typed, which is what the callers ask for: "on".
    if (modes === null || modes.echo) return "on";
    return modes.canonical ? "off" : "raw";
  }

  activity(): Activity {
    const group = this.#foregroundGroup();
    const { tty } = this.#trace;
    if (group === null || tty === null) return { running: false, cpu_ticks: 0, reading: "no" };
    const used = processActivity(group) ?? { running: false, cpu_ticks: 0 };
    return { ...used, reading: terminalReading({ session: this.pid, foregroundGroup: group, tty }) };
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  /** The leader was reaped. What it wrote is still in the kernel. */
  childEnded(status: ExitStatus): void {
    if (this.#childStatus !== null) return;
    this.#childStatus = status;
    this.#trace = { ...this.#trace, endedTick: nowTick() };
    this.#writer.end();
    this.#reader.drain(() => this.#finish(status));
  }

  async #end(): Promise<void> {
    this.#reader.resume();
    await endSession({
      trace: () => this.#trace,
      exited: this.#exited,
      hasExited: () => this.#finished,
    });
    if (!this.#finished) this.childEnded(ABANDONED);
    await this.#exited;
  }

  #finish(status: ExitStatus): void {
    this.#finished = true;
    this.#reader.destroy();
    closeSync(this.#slave);
    this.#trace = { ...this.#trace, tty: null };
    // Waiters run in a later microtask, so after the event.
    this.#tellExited();
    this.#on.exit(status);
  }

  #foregroundGroup(): number | null {
    return this.#reader.open ? libc().foregroundGroup(this.#master) : null;
  }
}

/** Runs in the same turn as the fork, so that no other child can start in between and inherit the master. */
function hold(forked: Forked): number {
  libc().closeOnExec(forked.fd);
  // libuv opens with O_CLOEXEC. O_NOCTTY: or a daemon without a terminal would get this one.
  return openSync(forked.pty, constants.O_RDWR | constants.O_NOCTTY);
}

function envEntries(command: PtyCommand): string[] {
  const key = command.marker.slice(0, command.marker.indexOf("=") + 1);
  if (key.length < 2) throw new Error(`not an environment entry: ${command.marker}`);
  const entries = Object.entries(command.env).map(([name, value]) => `${name}=${value}`);
  return [...entries.filter((entry) => !entry.startsWith(key)), command.marker];
}

function exitStatus(code: number, signal: number): ExitStatus {
  if (signal === 0) return { code, signal: null };
  // The first of the synonyms: SIGABRT before SIGIOT. Real-time signals have no name here.
  const name = Object.entries(osConstants.signals).find(([, number]) => number === signal)?.[0];
  return { code: null, signal: name ?? `SIG${signal}` };
}

function spawnFailed(error: unknown): Fault {
  const reason = error instanceof Error ? error.message : String(error);
  return fault(
    "spawn.failed",
    `The terminal could not be opened: ${reason}.`,
    "Close sessions you no longer need; check ulimit -n, ulimit -u and /proc/sys/kernel/pty/max.",
  );
}
