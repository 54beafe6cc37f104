// Harmless text in rows of a terminal: broken at words, by what the characters really measure. Pure.
import { cellWidth } from "../../core/base/cell-width.ts";
import { textWidth, wrapped } from "../text/width.ts";

/** Where a list's text begins: it goes on there in the next row. */
const HANG = /^\s*(?:[-*•]\s+|\d{1,3}[.)]\s+)?/u;
/** A narrower terminal keeps its columns for words. */
const HANG_COLS_MIN = 24;

/** Rows of at most `cols` columns. One line in; at least one row out. */
export function wordWrapped(line: string, cols: number): string[] {
  if (textWidth(line) <= cols) return [line];
  const lead = HANG.exec(line)?.[0] ?? "";
  const hang = cols >= HANG_COLS_MIN && textWidth(lead) <= cols >> 1 ? " ".repeat(textWidth(lead)) : "";
  const rows: string[] = [];
  let row = "";
  for (const word of wordsOf(line)) {
    if (textWidth(row) + textWidth(word.trimEnd()) <= cols) {
      row += word;
      continue;
    }
    if (row.trim() !== "") {
      rows.push(row);
      row = hang;
    }
    // Longer than a row: its pieces fill rows of their own.
    const pieces = wrapped(word.trimEnd(), Math.max(1, cols - textWidth(row)));
    const blanks = word.slice(word.trimEnd().length);
    for (const piece of pieces.slice(0, -1)) {
      rows.push(row + piece);
      row = hang;
    }
    row += (pieces.at(-1) ?? "") + blanks;
  }
  return [...rows, row].map((each) => within(each, cols));
}

/** Words with the blanks behind them; the blanks before the first are its own. */
function wordsOf(line: string): string[] {
  return line.match(/^\s*\S*\s*|\S+\s*/gu) ?? [line];
}

/** Blanks at the end may be too many. */
function within(row: string, cols: number): string {
  const text = row.trimEnd();
  let [kept, width] = ["", 0];
  for (const char of text) {
    width += cellWidth(char);
    if (width > cols) break;
    kept += char;
  }
  return kept;
}
