// Port: a VT engine. Bytes in, a grid out. Adapters: host/engine (libghostty-vt), an xterm oracle in tests.
// Contract: cutting the input anywhere changes nothing; feed never throws on bytes, only on a dead engine (EngineTrap).
import type { Size } from "../pty/pty.ts";

export interface EngineOptions extends Size {
  /** Lines of history that must be kept at least. */
  readonly scrollback: number;
}

export interface CursorAt {
  readonly row: number;
  readonly col: number;
  readonly visible: boolean;
}

export interface EngineModes {
  readonly alt_screen: boolean;
  readonly mouse: "none" | "x10" | "normal" | "button" | "any";
  readonly bracketed_paste: boolean;
  /** Synchronized output (2026): the program asks not to be looked at yet. */
  readonly synchronized: boolean;
  readonly application_cursor: boolean;
  readonly kitty_keyboard: number;
}

export interface RepaintOptions {
  /** Lines of history to paint above the screen. */
  readonly scrollback: number;
  /** hard: for terminals of ours. soft: for a person's own terminal, whose history must survive it. */
  readonly reset: "hard" | "soft";
}

export interface RowText {
  readonly row: number;
  readonly text: string;
}

export interface Engine {
  feed(bytes: Uint8Array): void;
  /** What the terminal answers (DA, DSR, DECRQM, colours …) since the last call. */
  takeReplies(): Uint8Array;
  resize(size: Size): void;
  size(): Size;
  /** Rows of the visible grid touched since the last call, with their text now; cheap when there are none. */
  takeDirty(): RowText[];
  /** All visible rows, right-trimmed. */
  rows(): string[];
  cursor(): CursorAt;
  title(): string;
  modes(): EngineModes;
  /** Lines above the screen, oldest first; `from` counts from the oldest kept one. */
  history(range: { from: number; count: number }): string[];
  historyCount(): number;
  /** Lines that left the top of the primary screen, so `scrolled() + row` names a line. Only a resize may lower it. */
  scrolled(): number;
  /** Bytes that turn any terminal of this size into this one: both screens, history, modes, cursor, unfinished sequence. */
  repaint(options: RepaintOptions): Uint8Array;
  /** The engine's whole state, for MakeEngine's `from`. A cache: no promise across versions. */
  snapshot(): Uint8Array;
  dispose(): void;
}

/** The engine died (a wasm trap). Everything in it is gone; rebuild from the journal. */
export class EngineTrap extends Error {}

export type MakeEngine = (options: EngineOptions, from?: Uint8Array) => Engine;
