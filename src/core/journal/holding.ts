// A PTY together with its journal, as the daemon sees it: control goes in, "the journal has grown to N" comes out.
// The bytes themselves are read from the store. Implementations: Held (in process), host/holder-link (another process).
import type { Fault } from "../base/fault.ts";
import type { Activity, Echo, ExitStatus, Foreground, PtyCommand, Size } from "../pty/pty.ts";
import type { GapRecord, ResizeRecord } from "./records.ts";

export interface HoldingEvents {
  grew(cursor: number): void;
  resized(record: ResizeRecord): void;
  gap(record: GapRecord): void;
  /** Input was refused because the program does not read: so many bytes were dropped. */
  refused(bytes: number): void;
  /** At `ts`, as it stands in the records. */
  exited(status: ExitStatus, cursor: number, ts: number): void;
  /** The holder is gone, and the program with it. */
  lost(): void;
}

export interface Probe {
  readonly echo: Echo;
  readonly foreground: Foreground | null;
  readonly activity: Activity;
}

/** What is said of a program that is no more. */
export const NO_PROGRAM: Probe = {
  echo: "on",
  foreground: null,
  activity: { running: false, cpu_ticks: 0, reading: "no" },
};

/** Which question a reply is for. */
export interface Asked {
  /** So that a later daemon answers each question once. */
  readonly cursor: number;
  /** The foreground program that asked; when it is gone, nobody is answered. Null: whoever reads. */
  readonly asker: number | null;
}

export interface Holding {
  readonly pid: number;
  write(bytes: Uint8Array): void;
  /** An agent's input: not while the terminal shows nothing of what is typed, looked at in the moment of writing. */
  type(bytes: Uint8Array): Promise<"written" | "echo_off">;
  /** A terminal's reply to a program's question. */
  answer(bytes: Uint8Array, to: Asked): void;
  /** Resolves when the new size is in the journal. */
  resize(size: Size): Promise<void>;
  pause(): void;
  resume(): void;
  signal(name: string): Promise<boolean>;
  probe(): Promise<Probe>;
  close(): Promise<void>;
}

/** A session found running when the daemon came up. */
export interface Survivor {
  readonly session_id: string;
  readonly cursor: number;
  /** Queries up to here were answered. */
  readonly answered: number;
  attach(on: HoldingEvents): Holding;
}

export interface Holder {
  readonly pid: number;
  readonly version: string;
  open(session_id: string, command: PtyCommand, on: HoldingEvents): Promise<Holding | Fault>;
  survivors(): Promise<Survivor[]>;
  /** Ends every session and then itself. */
  shutdown(): Promise<void>;
}
