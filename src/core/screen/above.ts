// What stands above a screen and tells what is secret on it: a line that began there, a private key whose first rows have left. Pure.
import { cellWidth } from "../base/cell-width.ts";
import type { Engine } from "./engine.ts";

/** Lines around a part of an output that are looked at: a private key of 8192 bits has about a hundred. */
export const ABOVE_ROWS_MAX = 120;
/** Characters of a private key above the screen, in rows of any width: the largest keys. */
const KEY_CHARS_MAX = 32 << 10;
/** Rows between a key's first mark and its letters on the narrowest screens: the mark, what encrypts it, a comment, a blank. */
const HEAD_ROWS = 12;
/** Rows that are read at once. */
const ROWS_AT_ONCE = 64;
/** A row of a private key, or of a token that fills it. */
const LETTERS_ONLY = /^\s{0,8}[\w+/=.-]+$/;
const LONG = 40;

type Above = Pick<Engine, "modes" | "size" | "history" | "historyCount">;

/** `under`: rows of the history that are shown, too. What comes back is the row before those, and more where rows go on. */
export function rowsAbove(engine: Above, under = 0): string[] {
  const total = engine.historyCount() - under;
  if (total <= 0 || engine.modes().alt_screen) return [];
  const { cols } = engine.size();
  const rows: string[] = [];
  let [first, chars] = [total, 0];
  while (first > 0 && chars < KEY_CHARS_MAX) {
    const from = Math.max(0, first - (rows.length === 0 ? HEAD_ROWS : ROWS_AT_ONCE));
    // One more, because a short row may be the end of the one above it.
    const before = from === 0 ? "" : (engine.history({ from: from - 1, count: 1 })[0] ?? "");
    const more = engine.history({ from, count: first - from });
    const ends = (row: string, i: number) => {
      const isNear = total - from - i <= ABOVE_ROWS_MAX;
      if (!LETTERS_ONLY.test(row)) return !(isNear && isFull(row, cols));
      return row.length < LONG && !isFull(row, cols) && !isFull(more[i - 1] ?? before, cols);
    };
    const end = more.findLastIndex(ends);
    rows.unshift(...more.slice(Math.max(0, end)));
    if (end >= 0) return [...head(engine, from + end), ...rows];
    chars += more.join("").length;
    first = from;
  }
  return rows;
}

/** A private key's first mark, and what follows it up to a row, if it is near. */
function head(engine: Above, row: number): string[] {
  const from = Math.max(0, row - HEAD_ROWS);
  const rows = engine.history({ from, count: row - from });
  const mark = rows.findLastIndex((text) => text.includes("--BEGIN "));
  return mark < 0 ? [] : rows.slice(mark);
}

function isFull(row: string, cols: number): boolean {
  return row.length * 2 >= cols && widthOf(row) >= cols - 1;
}

export function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width += cellWidth(char);
  return width;
}
