// A session's screen cut to a part of this terminal. Owns: nothing; every function is pure. Refuses: to write, and to cut
// a wide character in half: the half that is visible becomes a blank.

import { cellWidth } from "../../core/base/cell-width.ts";
import type { Paint } from "../../protocol/stream.ts";
import { isContested } from "../text/width.ts";

/** What the session shows, put together from its paints. */
export type Shown = Omit<Paint, "type" | "rows"> & { readonly rows: readonly string[] };

export interface Area {
  readonly cols: number;
  readonly rows: number;
}

/** The session's cell in the area's upper left corner. */
export interface Offset {
  readonly top: number;
  readonly left: number;
}

export function painted(before: Shown | undefined, { type, rows: changed, ...facts }: Paint): Shown {
  const fits = before?.cols === facts.cols && before.rows_count === facts.rows_count;
  const rows = Array.from({ length: facts.rows_count }, (_, row) => (fits ? (before.rows[row] ?? "") : ""));
  for (const { row, ansi } of changed) if (row < rows.length) rows[row] = ansi;
  return { ...facts, rows };
}

/** Moves the cut only as far as the cursor needs. Sideways it moves by half a width, so that typing does not drag it. */
export function follow({ cursor, cols, rows_count }: Shown, area: Area, before: Offset): Offset {
  const topMax = Math.max(0, rows_count - area.rows);
  const leftMax = Math.max(0, cols - area.cols);
  const [top, left] = [Math.min(before.top, topMax), Math.min(before.left, leftMax)];
  if (!cursor.visible) return { top, left };
  const lowest = Math.max(0, cursor.row - area.rows + 1);
  const within = cursor.col >= left && cursor.col < left + area.cols;
  const half = Math.max(0, cursor.col - (area.cols >> 1));
  return {
    top: Math.min(Math.max(top, lowest), cursor.row, topMax),
    left: cursor.col < area.cols ? 0 : within ? left : Math.min(half, leftMax),
  };
}

/** The area's rows. Each begins in the terminal's first column and overwrites everything that was there. */
export function rowsIn(shown: Shown | undefined, area: Area, { top, left }: Offset, clip = clipped): string[] {
  return Array.from({ length: area.rows }, (_, row) => clip(shown?.rows[top + row] ?? "", left, area.cols));
}

/** Where the session's cursor stands in the area. */
export function cursorIn(
  shown: Shown | undefined,
  area: Area,
  { top, left }: Offset,
): { row: number; col: number } | undefined {
  if (!shown?.cursor.visible) return undefined;
  const [row, col] = [shown.cursor.row - top, shown.cursor.col - left];
  return row >= 0 && row < area.rows && col >= 0 && col < area.cols ? { row, col } : undefined;
}

/** The same as `clipped`, with a cache of rows from the last two drawings. */
export class Clips {
  #left = 0;
  #cols = 0;
  #before = new Map<string, string>();
  #now = new Map<string, string>();

  /** Another drawing begins. */
  turn(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }

  readonly clip = (ansi: string, left: number, cols: number): string => {
    if (left !== this.#left || cols !== this.#cols) {
      this.#before.clear();
      this.#now.clear();
      [this.#left, this.#cols] = [left, cols];
    }
    const text = this.#now.get(ansi) ?? this.#before.get(ansi) ?? clipped(ansi, left, cols);
    this.#now.set(ansi, text);
    return text;
  };
}

const TOKEN = /\x1b\[[\d;:]{0,64}m|[^\x1b]/gsu;
const CONTROL = /[\x00-\x1f\x7f-\x9f]/;
const RESET = "\x1b[m";
const [WRAP, NO_WRAP] = ["\x1b[?7h", "\x1b[?7l"];
const ERASE_REST = "\x1b[m\x1b[K";

export function clipped(ansi: string, from: number, cols: number): string {
  const clip = new Clip(from, cols);
  for (const [token] of ansi.matchAll(TOKEN)) clip.add(token);
  return clip.end();
}

class Clip {
  #from: number;
  #to: number;
  #text = "";
  /** SGR since the last reset, and whether the text has it. */
  #pen = "";
  #penned = true;
  #col = 0;
  /** The terminal may be in another column than we think. */
  #lost = false;
  #baseIn = false;
  /** The index of the last character that has a cell. */
  #base = 0;
  #wraps = false;

  constructor(from: number, cols: number) {
    this.#from = from;
    this.#to = from + cols;
  }

  add(token: string): void {
    if (token.startsWith("\x1b")) {
      this.#pen = token === RESET ? "" : this.#pen + token;
      this.#penned = false;
      return;
    }
    // The session's daemon sends no controls in a row; one on another machine may.
    if (CONTROL.test(token)) return this.add(" ");
    const width = cellWidth(token);
    const [begin, end] = [this.#col, this.#col + width];
    this.#col = end;
    if (width > 0) this.#baseIn = begin >= this.#from && end <= this.#to;
    if (this.#baseIn) this.#put(token, begin);
    else if (width > 0 && end > this.#from && begin < this.#to) this.#put(" ", Math.max(begin, this.#from));
  }

  end(): string {
    const isFull = this.#col >= this.#to;
    if (isFull) return this.#wraps ? this.#text + NO_WRAP : this.#text;
    // Also when no part of the row is visible.
    return `${this.#text}${this.#lost ? this.#column(this.#col) : ""}${ERASE_REST}`;
  }

  #put(char: string, col: number): void {
    const width = cellWidth(char);
    if (this.#lost && width > 0) {
      this.#text += this.#column(col);
      this.#lost = false;
    }
    if (!this.#penned) {
      this.#text += RESET + this.#pen;
      this.#penned = true;
    }
    if (width > 0) this.#base = this.#text.length;
    else if (this.#col >= this.#to) this.#wrap();
    this.#text += char;
    this.#lost ||= isContested(char);
  }

  /** Without wrapping, a mark in the last column would join the character before it. So we switch wrapping on for it. */
  #wrap(): void {
    if (this.#wraps) return;
    this.#wraps = true;
    this.#text = `${this.#text.slice(0, this.#base)}${WRAP}${this.#text.slice(this.#base)}`;
  }

  #column(col: number): string {
    return `\x1b[${col - this.#from + 1}G`;
  }
}
