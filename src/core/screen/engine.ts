// Port: a VT engine. Bytes in, a grid out. Adapters: host/engine (libghostty-vt), an xterm oracle in tests.
// Contract: cutting the input anywhere changes nothing; feed never throws on bytes, only on a dead engine (EngineTrap).
import type { Run } from "../../protocol/ops/blocks.ts";
import type { ZoneSpan } from "../../protocol/ops/screen.ts";
import type { CursorAt, MouseFormat, MouseMode } from "../../protocol/words/program.ts";
import { ENGINE_FAILED } from "../base/fault.ts";
import type { Size } from "../pty/pty.ts";

export interface EngineOptions extends Size {
  /** The least number of history lines to keep. */
  readonly scrollback: number;
}

export interface EngineModes {
  readonly alt_screen: boolean;
  readonly mouse: MouseMode;
  readonly mouse_format: MouseFormat;
  readonly bracketed_paste: boolean;
  /** Synchronized output (2026): the program asks us not to show its screen yet. */
  readonly synchronized: boolean;
  readonly application_cursor: boolean;
  readonly application_keypad: boolean;
  readonly kitty_keyboard: number;
}

export interface RepaintOptions {
  /** Lines of history to paint above the screen. */
  readonly scrollback: number;
  /** hard: for our own terminals. soft: for a person's own terminal, whose history must survive. */
  readonly reset: "hard" | "soft";
}

export interface RowText {
  readonly row: number;
  readonly text: string;
  /** The line continues in the next row, because it was too long for the screen. */
  readonly wraps: boolean;
}

export interface StyledRow {
  readonly runs: readonly Run[];
  readonly wraps: boolean;
  /** Blank cells at the end of a row that wraps, which are not in its runs. */
  readonly blanks?: number;
}

/** What of the visible rows cannot be told from their text. Much cheaper than to read their styles. */
export interface Colours {
  /** Some of the text is unseen: concealed (SGR 8), or in the colour that it stands on. */
  readonly conceal: boolean;
  /** Something is in reverse or has a background. */
  readonly highlight: boolean;
}

export interface Engine {
  /** It has failed or was disposed of. Only its size can still be asked. */
  readonly isDead: boolean;
  /** `cursor`: where in the journal they stand, so that images can be found there. Without it they follow the last ones. */
  feed(bytes: Uint8Array, cursor?: number): void;
  /** What the terminal answers (DA, DSR, DECRQM, colours …) since the last call. */
  takeReplies(): Uint8Array;
  resize(size: Size): void;
  size(): Size;
  /** Rows of the visible grid touched since the last call, with their text now; cheap when there are none. */
  takeDirty(): RowText[];
  /** All visible rows, right-trimmed. */
  rows(): string[];
  /** The same, with details of each row. */
  lines(): RowText[];
  /** Rows of the primary screen while the alternate one is shown; empty otherwise. */
  underneath(): string[];
  colours(): Colours;
  /** The visible rows in colour, with a limited number of history lines before them. */
  styled(options: { history: number }): StyledRow[];
  /** Which of the visible rows are prompt, typed input or output, as the shell marked them; rows without a mark are output. */
  zones(): ZoneSpan[];
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

/** The engine died (a wasm trap, no memory), or could not be made. Everything in it is gone; rebuild from the journal. */
export class EngineTrap extends Error {
  readonly code = ENGINE_FAILED;
}

export type MakeEngine = (options: EngineOptions, from?: Uint8Array) => Engine;

/** Whether the engine failed in it. */
export function trapIn(work: () => void): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (error instanceof EngineTrap) return true;
    throw error;
  }
}
