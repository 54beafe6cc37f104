// A screen as waits and searches see it: rows, and the lines they belong to.
import type { ZoneSpan } from "../../../protocol/ops/screen.ts";
import type { CursorAt } from "../../../protocol/words/program.ts";
import { columnOf } from "../../base/cell-width.ts";

export interface ScreenView {
  readonly rows: readonly string[];
  /** Whether a row's line goes on in the next row. */
  readonly wraps: readonly boolean[];
  readonly cols: number;
  readonly alt_screen: boolean;
  /** Number of the top row, counted from the first line ever shown. */
  readonly top: number;
  readonly cursor: CursorAt;
  /** Where a shell marked what is typed to it. */
  inputs(): readonly ZoneSpan[];
  /** Rows above the screen that its first line may begin in. */
  above(): readonly string[];
  /** Rows that were printed and scrolled away since the last check. `first` is the number of the first one. */
  readonly passed?: { readonly first: number; readonly rows: readonly string[] };
  /** The rows of the primary screen while the alternate one is shown. They come back when the program ends. */
  readonly under?: readonly string[];
  /** What is there, when secrets are hidden in this: only to know again what was typed. */
  readonly real?: ScreenView;
}

/** One line as the program printed it, over one or more rows. */
export interface Line {
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

/** We check an endless line up to here: four wrapped rows of the widest screen. */
const LINE_CHARS_MAX = 4_000;

/** The lines of a view. `included` says which rows count. A row that does not count ends its line. */
export function linesOf(view: ScreenView, included: (row: number) => boolean): Line[] {
  const lines: Line[] = [];
  for (let row = 0; row < view.rows.length; row++) {
    if (!included(row)) continue;
    const first = row;
    let text = rowOf(view, row);
    while (view.wraps[row] && row + 1 < view.rows.length && included(row + 1) && text.length < LINE_CHARS_MAX) {
      row += 1;
      text += rowOf(view, row);
    }
    lines.push({ first, last: row, text });
  }
  return lines;
}

/** A row ends with its last visible character. Only before the cursor blanks count, as in "Name: ". */
export function rowOf({ rows, cursor }: Pick<ScreenView, "rows" | "cursor">, row: number): string {
  const text = rows[row] ?? "";
  if (row !== cursor.row || text === "" || text.length > cursor.col) return text;
  return text + " ".repeat(Math.max(0, cursor.col - columnOf(text, text.length)));
}
