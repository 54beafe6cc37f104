// A PTY together with its journal, as the daemon sees it: control goes in, "the journal has grown to N" comes out.
// The bytes themselves are read from the store. Implementations: Held (in process), src/host/holder/link.ts (another process).
import type { Echo } from "../../protocol/words/program.ts";
import type { Fault } from "../base/fault.ts";
import type { Activity, ExitStatus, Foreground, PtyCommand, Size } from "../pty/pty.ts";
import type { GapRecord, ResizeRecord } from "./records.ts";

export interface HoldingEvents {
  grew(cursor: number): void;
  resized(record: ResizeRecord): void;
  gap(record: GapRecord): void;
  /** This many bytes of input were dropped, because the program does not read. */
  refused(bytes: number): void;
  /** `ts` is the time in the records. */
  exited(status: ExitStatus, cursor: number, ts: number): void;
  /** The holder is gone, and the program with it. */
  lost(): void;
}

/** The program in one moment, as the kernel shows it. The journal is another clock: it tells the same later. */
export interface QuickProbe {
  /**
   * All that the program had printed in that moment lies before this cursor: what the journal says there belongs to the
   * probe. Null: it had printed more than the journal has. A holder of an earlier version does not tell.
   */
  readonly cursor?: number | null;
  readonly echo: Echo;
  readonly foreground: Foreground | null;
}

/** Also what its processes do, which the kernel tells only process by process. */
export interface Probe extends QuickProbe {
  readonly activity: Activity;
}

/** The answer for a program that is gone. */
export const NO_PROGRAM: Probe = {
  echo: "on",
  foreground: null,
  activity: { running: false, cpu_ticks: 0, reading: "no" },
};

/** The query that a reply is for. */
export interface TerminalQuery {
  /** The cursor of the query, so that a later daemon answers each query once. */
  readonly cursor: number;
  /** The foreground program that asked. When it is gone, the reply is dropped. Null: any program that reads. */
  readonly asker: number | null;
}

/** A piece of one viewer's input. After a daemon's death the viewer sends again what it cannot know to be written. */
export interface InputNumber {
  /** Chosen by the viewer. */
  readonly viewer: number;
  /** From 1 on. A number that was written before is not written again. */
  readonly n: number;
}

export interface Holding {
  readonly pid: number;
  write(bytes: Uint8Array, number?: InputNumber): void;
  /** An agent's input. It is refused while echo is off, checked at the moment of writing. */
  type(bytes: Uint8Array): Promise<"written" | "echo_off">;
  /** Throws away what agents typed and no program has read, and what else the terminal holds. False: it cannot. */
  dropUnread(): Promise<boolean>;
  /** A terminal's reply to a program's question. */
  reply(bytes: Uint8Array, to: TerminalQuery): void;
  /** Resolves when the new size is in the journal. */
  resize(size: Size): Promise<void>;
  /** Gives the terminal the size that it was given last, whatever a program has made of it. */
  keepSize(): Promise<void>;
  pause(): void;
  /** Also ends a hush. */
  resume(): void;
  /** It tells of no growth until it is resumed, and then of all. The journal says how far it has grown. */
  hush(): void;
  /**
   * Its output before this cursor was read. Beyond a limit of what nobody has read it is paused, or drops. `ahead`: until the
   * next call it prints no more than so much beyond the cursor.
   */
  read(cursor: number, ahead?: number): void;
  signal(name: string): Promise<boolean>;
  /** Whether the terminal shows what is typed, before what is written after this call. */
  echo(): Promise<Echo>;
  quickProbe(): Promise<QuickProbe>;
  probe(): Promise<Probe>;
  /** Types again what no program has read, line by line. */
  retype(): Promise<void>;
  close(): Promise<void>;
}

/** A session that was running when the daemon started. */
export interface Survivor {
  readonly session_id: string;
  readonly cursor: number;
  /** Queries up to here were answered. */
  readonly answered: number;
  /** How far the viewers' input has come. */
  readonly typed: readonly InputNumber[];
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
