// How many columns text takes on a person's terminal, and how it is made to fit. Pure.
import { cellWidth } from "../../core/base/cell-width.ts";

export function textWidth(text: string): number {
  let width = 0;
  for (const char of text) width += cellWidth(char);
  return width;
}

/** Terminals agree on the width of characters below this. */
const FIRST_CONTESTED = 0x300;

/** Terminals disagree about these: symbols and emoji, private use, joining and wide characters. */
export function isContested(char: string): boolean {
  const point = char.codePointAt(0) ?? 0;
  if (point < FIRST_CONTESTED) return false;
  if (cellWidth(char) !== 1 || point >= 0x1f000) return true;
  return (point >= 0x2600 && point <= 0x27bf) || (point >= 0xe000 && point <= 0xf8ff);
}

const ELLIPSIS = "…";

/** Cuts text to a number of columns and marks the cut. */
export function cut(text: string, cols: number): string {
  if (textWidth(text) <= cols) return text;
  let [kept, width] = ["", 0];
  for (const char of text) {
    width += cellWidth(char);
    if (width > cols - 1) break;
    kept += char;
  }
  return cols > 0 ? kept + ELLIPSIS : "";
}

/** Breaks the whole text into rows of a number of columns. */
export function wrapped(text: string, cols: number): string[] {
  const rows = [""];
  let width = 0;
  for (const char of text) {
    const wide = cellWidth(char);
    if (width + wide > cols) {
      rows.push("");
      width = 0;
    }
    rows.push((rows.pop() ?? "") + char);
    width += wide;
  }
  return rows;
}
