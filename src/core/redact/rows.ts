// Masks in the rows of a screen. Rows that wrap are one line to the rules. Every cell stays where it is, so that cursor, regions and
// row numbers still mean the same: a secret's cells are filled with its mark and dots. Pure.
//
// The mark stands whole in the first row in which the secret has enough cells, or where nothing follows it in its row. Otherwise
// it is cut: ‹redac›. The other rows of the secret have dots.
import { cellWidth } from "../base/cell-width.ts";
import type { Span } from "./finding.ts";

export interface ScreenRow {
  readonly text: string;
  /** The line continues in the next row. */
  readonly wraps: boolean;
}

/** Characters of one row that are replaced. Indexes count UTF-16 units. */
export interface RowMask {
  readonly row: number;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

interface Rules {
  spans(text: string): readonly Span[];
  mark(text: string, span: Span): string;
}

const DOT = "•";

/** Where each row begins in the joined text. */
interface Joined {
  readonly text: string;
  readonly starts: readonly number[];
}

export function rowMasks(rows: readonly ScreenRow[], cols: number, rules: Rules): RowMask[] {
  const masks = masksIn(
    joined(rows, ({ wraps }) => wraps),
    rows,
    cols,
    rules,
  );
  // A program may have broken its lines itself: rows that are full to the edge are then one line.
  const isFull = ({ text, wraps }: ScreenRow) => !wraps && text.length * 2 >= cols && widthOf(text) % cols === 0;
  if (!rows.some(isFull)) return masks;
  const more = masksIn(
    joined(rows, (row) => row.wraps || isFull(row)),
    rows,
    cols,
    rules,
  );
  const found = byRows(masks);
  const isNew = (mark: RowMask) => !found.get(mark.row)?.some(({ from, to }) => from < mark.to && mark.from < to);
  return [...masks, ...more.filter(isNew)].sort((a, b) => a.row - b.row || a.from - b.from);
}

export function withMasks(rows: readonly ScreenRow[], masks: readonly RowMask[]): string[] {
  const texts = rows.map(({ text }) => text);
  for (const { row, from, to, text } of [...masks].reverse()) {
    const old = texts[row] ?? "";
    texts[row] = old.slice(0, from) + text + old.slice(to);
  }
  return texts;
}

/** The same for a row in pieces that have styles: a mark has the style of its first character. */
export function withMasksInRuns<R extends { readonly text: string }>(
  runs: readonly R[],
  masks: readonly RowMask[],
): R[] {
  let start = 0;
  return runs.flatMap((run) => {
    const [from, to] = [start, start + run.text.length];
    start = to;
    let [out, at] = ["", from];
    for (const mask of masks) {
      if (mask.to <= from || mask.from >= to) continue;
      out += run.text.slice(at - from, Math.max(at, mask.from) - from);
      if (mask.from >= from) out += mask.text;
      at = Math.min(to, mask.to);
    }
    const text = out + run.text.slice(at - from);
    return text === "" ? [] : [{ ...run, text }];
  });
}

function byRows(masks: readonly RowMask[]): Map<number, RowMask[]> {
  const rows = new Map<number, RowMask[]>();
  for (const mask of masks) rows.set(mask.row, [...(rows.get(mask.row) ?? []), mask]);
  return rows;
}

function joined(rows: readonly ScreenRow[], continues: (row: ScreenRow) => boolean): Joined {
  const starts: number[] = [];
  let text = "";
  for (const [i, row] of rows.entries()) {
    starts.push(text.length);
    text += row.text;
    if (i < rows.length - 1 && !continues(row)) text += "\n";
  }
  return { text, starts };
}

function masksIn({ text, starts }: Joined, rows: readonly ScreenRow[], cols: number, rules: Rules): RowMask[] {
  let first = 0;
  return rules.spans(text).flatMap((span) => {
    while ((starts[first + 1] ?? Number.POSITIVE_INFINITY) <= span.from) first += 1;
    const places: PlaceInRow[] = [];
    for (let row = first; (starts[row] ?? Number.POSITIVE_INFINITY) < span.to; row++) {
      const [start, line] = [starts[row] ?? 0, rows[row]?.text ?? ""];
      const [from, to] = [Math.max(0, span.from - start), Math.min(line.length, span.to - start)];
      if (from < to) places.push({ row, from, to, line });
    }
    return filled(places, rules.mark(text, span), cols);
  });
}

interface PlaceInRow {
  readonly row: number;
  readonly from: number;
  readonly to: number;
  readonly line: string;
}

function filled(places: readonly PlaceInRow[], mark: string, cols: number): RowMask[] {
  const widths = places.map(({ line, from, to }) => widthOf(line.slice(from, to)));
  // Behind the last character of a row there is room up to the edge.
  const rooms = places.map(({ line, to, from }, i) =>
    to === line.length ? cols - widthOf(line.slice(0, from)) : (widths[i] ?? 0),
  );
  const whole = Math.max(
    widths.findIndex((width) => width >= mark.length),
    -1,
  );
  const chosen = whole >= 0 ? whole : rooms.findIndex((room) => room >= mark.length);
  return places.map(({ row, from, to }, i) => {
    const width = widths[i] ?? 0;
    if (i === chosen) return { row, from, to, text: mark + DOT.repeat(Math.max(0, width - mark.length)) };
    return { row, from, to, text: i === 0 && chosen < 0 ? cut(mark, width) : DOT.repeat(width) };
  });
}

function cut(mark: string, width: number): string {
  return width < 3 ? DOT.repeat(width) : `${mark.slice(0, width - 1)}›`;
}

function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width += cellWidth(char);
  return width;
}
