// A prompt's text in rows of a terminal, and back from a cell to a place in the text. Pure.
import { cellWidth } from "../../../core/base/cell-width.ts";
import { marked } from "../../../core/base/invisible.ts";
import { textWidth } from "../../text/width.ts";

interface LaidOut {
  readonly rows: readonly LaidRow[];
  readonly cursor: { readonly row: number; readonly col: number };
}

interface LaidRow {
  /** Safe for a terminal. */
  readonly shown: string;
  /** Where in the text it begins, and ends. */
  readonly from: number;
  readonly to: number;
}

const TAB = "    ";
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Characters as people see them: an accent is part of its letter, a family is one emoji. */
export function graphemes(text: string): { readonly text: string; readonly index: number }[] {
  // Nothing before U+0300 joins, except CR LF, which never occurs here.
  if (/^[\x00-\u02ff]*$/u.test(text)) return Array.from(text, (char, index) => ({ text: char, index }));
  return Array.from(segmenter.segment(text), ({ segment, index }) => ({ text: segment, index }));
}

/** `cols` is at least 2: a wide character has a place. There is always a row, and the cursor is in one. */
export function layout(text: string, at: number, cols: number): LaidOut {
  const rows: LaidRow[] = [];
  let cursor = { row: 0, col: 0 };
  let begin = 0;
  for (const line of text.split("\n")) {
    let [shown, width, from] = ["", 0, begin];
    const wrap = (end: number) => {
      rows.push({ shown, from, to: end });
      [shown, width, from] = ["", 0, end];
    };
    for (const { text: char, index } of graphemes(line)) {
      const cell = cellOf(char, cols);
      if (width + textWidth(cell) > cols) wrap(begin + index);
      if (begin + index === at) cursor = { row: rows.length, col: width };
      shown += cell;
      width += textWidth(cell);
    }
    const end = begin + line.length;
    // After a full row the cursor is in the next one.
    if (at === end && width >= cols) wrap(end);
    if (at === end) cursor = { row: rows.length, col: width };
    rows.push({ shown, from, to: end });
    begin = end + 1;
  }
  return { rows, cursor };
}

/** The place in the text that is nearest to this column of the row, from the left. */
export function placeAt(text: string, rows: readonly LaidRow[], row: number, col: number): number {
  const { from, to } = rows[row] ?? { from: 0, to: 0 };
  let width = 0;
  let last = from;
  for (const { text: char, index } of graphemes(text.slice(from, to))) {
    last = from + index;
    width += textWidth(cellOf(char, Number.POSITIVE_INFINITY));
    if (width > col) return last;
  }
  // The end of a wrapped row is the beginning of the next one.
  return rows[row + 1]?.from === to ? last : to;
}

/** How a character is shown, in a limited number of columns. */
function cellOf(char: string, cols: number): string {
  if (char === "\t") return TAB.slice(0, cols);
  // Terminals disagree about emoji joiners and selectors. All other invisible characters are marked.
  return fitting(marked(char, { joiners: "drop" }), cols);
}

function fitting(cell: string, cols: number): string {
  let [kept, width] = ["", 0];
  for (const char of cell) {
    width += cellWidth(char);
    if (width > cols) break;
    kept += char;
  }
  return kept;
}
