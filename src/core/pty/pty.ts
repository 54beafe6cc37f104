// Port: one pseudo-terminal and the processes on it. Bytes only, never text. Adapters: host/pty (native), a fake in tests.
import type { Echo } from "../../protocol/words/program.ts";
import type { Fault } from "../base/fault.ts";

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** What one program needs that boxes do not have, or hide. */
export interface BoxOpenings {
  /** Folders and files that can be written, at their own places. */
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  /** Made for this program alone: its home and its caches, instead of those of the workspace. */
  readonly own?: string;
  /** Names of variables that come along though their names look secret. */
  readonly variables: readonly string[];
  /** Whose loopback the program means: the box has its own. Outside it is reached like any other host. */
  readonly loopback: "own" | "outside";
}

export interface PtyCommand extends Size {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. Nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Words before the program's own: what must be done first, in the same terminal and box. */
  readonly before?: readonly string[];
  /** What its box opens besides, if it has one. */
  readonly opens?: BoxOpenings;
  /** Marks every process of this session in its environment, so that close finds those that left it by setsid. */
  readonly marker: string;
}

/** `signal` is the name ("SIGKILL") when a signal ended it; then `code` is null. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface PtyEvents {
  /** The chunk is only valid during the call: copy or consume it. */
  bytes(chunk: Uint8Array): void;
  /** After the last byte, exactly once. */
  exit(status: ExitStatus): void;
}

export interface Foreground {
  readonly pid: number;
  readonly name: string;
  /** The script that an interpreter runs, without its folder. */
  readonly script?: string;
  /** A digest of its start and argv. It changes after an exec or when the pid is reused. Not available everywhere. */
  readonly instance?: string;
}

/** What the foreground programs do: whether one runs right now, and how much CPU time they have used. */
export interface Activity {
  readonly running: boolean;
  readonly cpu_ticks: number;
  /** Whether one waits for input: blocked in a read of the terminal, in a poll that includes it, neither, or unknown. */
  readonly reading: "blocked" | "polled" | "no" | "unknown";
}

/** Whose input it is. What an agent typed to one program must not reach the next. */
export type Typist = "person" | "agent";

export interface Pty {
  readonly pid: number;
  /** Queued in order and never interleaved. "full" refuses all of it. After the exit it does nothing. */
  write(bytes: Uint8Array, by?: Typist): "queued" | "full" | "ended";
  /** Throws away what the terminal holds and nobody has read, and what of an agent's is still queued. */
  dropUnread(): void;
  /** Input that was accepted but not yet delivered to the program. */
  unread(): number;
  /** Types again what no program has read, where the terminal hands out lines: each is a line of its own then. */
  retype(): Promise<void>;
  /**
   * Tells by `bytes`, now, what the program has printed so far. "more": not all of it, as it is paused, prints without
   * end, or has ended and the rest follows.
   */
  readAll(): "all" | "more";
  resize(size: Size): void;
  pause(): void;
  /** After so many bytes it pauses by itself; one read of the kernel's, 4 KiB, is not cut. */
  resume(bytes?: number): void;
  /** Sends to the foreground process group. False when no process is left to get it. */
  signal(name: string): boolean;
  foreground(): Foreground | null;
  /** `off`: canonical without echo. `raw`: neither. */
  echo(): Echo;
  activity(): Activity;
  /** SIGHUP and SIGCONT, a grace, then SIGKILL to every process of the session. Resolves when none is left. */
  close(): Promise<void>;
}

export type Spawn = (command: PtyCommand, on: PtyEvents) => Pty | Fault;
