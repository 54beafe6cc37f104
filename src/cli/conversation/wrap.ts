// Wraps safe text into rows of a terminal at words, by the real widths of characters. Pure.
import { cellWidth } from "../../core/base/cell-width.ts";
import { textWidth, wrapped } from "../text/width.ts";

/** Where a list item's text begins, so that further rows are indented. */
const HANG = /^\s*(?:[-*•]\s+|\d{1,3}[.)]\s+)?/u;
/** A narrower terminal gets no indent. */
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
    // A word longer than a row is split over several rows.
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

/** Words with the blanks after them. Leading blanks belong to the first word. */
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
