// A screen as waits and searches see it: rows, and the lines they belong to.

export interface ScreenView {
  readonly rows: readonly string[];
  /** Whether a row's line goes on in the next row. */
  readonly wraps: readonly boolean[];
  readonly alt_screen: boolean;
  /** Number of the top row, counted from the first line ever shown. */
  readonly top: number;
  /** Rows that were printed and scrolled away since the last check. `first` is the number of the first one. */
  readonly passed?: { readonly first: number; readonly rows: readonly string[] };
  /** The rows of the primary screen while the alternate one is shown. They come back when the program ends. */
  readonly under?: readonly string[];
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
    let text = view.rows[row] ?? "";
    while (view.wraps[row] && row + 1 < view.rows.length && included(row + 1) && text.length < LINE_CHARS_MAX) {
      row += 1;
      text += view.rows[row] ?? "";
    }
    lines.push({ first, last: row, text });
  }
  return lines;
}
