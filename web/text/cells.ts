// Text as the cells a terminal puts it in: one or two columns each, combining marks with the letter before them. Pure.
import { cellWidth } from "../../src/core/base/cell-width.ts";

export interface Cell {
  readonly text: string;
  readonly columns: 1 | 2;
}

/** Fonts for code have these, one column wide. */
export const PLAIN_CELLS =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0377\u037a-\u037f\u0384-\u0482\u048a-\u052f\u2500-\u259f]*$/;

export function cellsOf(text: string): Cell[] {
  const cells: { text: string; columns: 1 | 2 }[] = [];
  for (const char of text) {
    const [last, columns] = [cells.at(-1), cellWidth(char)];
    if (last && columns === 0) last.text += char;
    // A mark with nothing to stand on gets a column of its own: it must be seen.
    else cells.push({ text: char, columns: columns === 2 ? 2 : 1 });
  }
  return cells;
}
