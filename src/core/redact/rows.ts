// Masks in the rows of a screen. Rows that wrap are one line to the rules. Every cell stays where it is, so that cursor, regions and
// row numbers still mean the same: a secret's cells are filled with its mark and dots. Pure.
//
// The mark stands whole in the first row in which the secret has enough cells, or where nothing follows it in its row. Otherwise
// it is cut: ‹redac›. The other rows of the secret have dots.
import { cellWidth } from "../base/cell-width.ts";
import type { Look, Span } from "./finding.ts";

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
  /** All of the secret that these are a part of, and what it is. Absent: it may become one. */
  readonly secret?: string;
  readonly kind?: string;
}

interface Rules {
  look(text: string): Look;
  mark(text: string, span: Span): string;
}

export const DOT = "•";
/** Fewer characters of a secret tell nothing. */
const OPEN_MIN = 8;
/** A word of a person or a program has none of these. */
export const RANDOM = /\d|[a-z][A-Z]|[A-Z]{2}[a-z]/;

/** Where each row begins in the joined text. */
interface Joined {
  readonly text: string;
  readonly starts: readonly number[];
}

/** `writing`: the row whose text ends at the cursor. What may become a secret there has dots until it is known to be none. */
export function rowMasks(
  rows: readonly ScreenRow[],
  cols: number,
  rules: Rules,
  writing?: number | undefined,
): RowMask[] {
  const masks = wholeMasks(rows, cols, rules);
  const open = writing === undefined ? [] : openMasks(rows, cols, rules, writing);
  return open.length === 0 ? masks : withMore(masks, open);
}

function wholeMasks(rows: readonly ScreenRow[], cols: number, rules: Rules): RowMask[] {
  const masks = masksIn(
    joined(rows, ({ wraps }) => (wraps ? "" : "\n")),
    rows,
    cols,
    rules,
  );
  // A program may have broken its lines itself: rows that are full to the edge are then one line. And blanks at the end of a row
  // that wraps are not in its text, but they part two words.
  const ends = rows.map((row) => (row.wraps ? (widthOf(row.text) < cols ? " " : "") : isFull(row, cols) ? "" : "\n"));
  if (rows.every(({ wraps }, i) => i === rows.length - 1 || ends[i] === (wraps ? "" : "\n"))) return masks;
  const more = masksIn(
    joined(rows, (_, i) => ends[i] ?? "\n"),
    rows,
    cols,
    rules,
  );
  return withMore(masks, more);
}

function isFull({ text, wraps }: ScreenRow, cols: number): boolean {
  return !wraps && text.length * 2 >= cols && widthOf(text) % cols === 0;
}

function openMasks(rows: readonly ScreenRow[], cols: number, rules: Rules, writing: number): RowMask[] {
  let from = writing;
  while (from > 0 && goesOn(rows[from - 1], cols)) from -= 1;
  const line = rows.slice(from, writing + 1);
  const { text, starts } = joined(line, () => "");
  const openFrom = unfinishedFrom(text, rules.look(text));
  return line.flatMap((row, i) => {
    const at = Math.max(0, openFrom - (starts[i] ?? 0));
    const width = widthOf(row.text.slice(at));
    return width === 0 ? [] : [{ row: from + i, from: at, to: row.text.length, text: DOT.repeat(width) }];
  });
}

/** From where on a line that is being written may be a secret, though not enough of it is there to know. */
export function unfinishedFrom(text: string, { openFrom }: Look): number {
  const part = text.slice(openFrom);
  if (part.length >= OPEN_MIN && !/\s/.test(part) && RANDOM.test(part)) return openFrom;
  // Until an @ or a slash comes, what follows `user:` in a URL is a password or a port.
  const password = /:\/\/[^\s/:@"'<>`]{0,128}:([^\s/"'<>`]{1,256})$/.exec(text.slice(-512))?.[1] ?? "";
  return text.length - password.length;
}

function goesOn(row: ScreenRow | undefined, cols: number): boolean {
  return row !== undefined && (row.wraps || isFull(row, cols));
}

/** What overlaps is left out: it is hidden already. */
function withMore(masks: readonly RowMask[], more: readonly RowMask[]): RowMask[] {
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
  for (const mask of masks) {
    const row = rows.get(mask.row);
    if (row) row.push(mask);
    else rows.set(mask.row, [mask]);
  }
  return rows;
}

/** `end`: what stands between a row and the next. */
function joined(rows: readonly ScreenRow[], end: (row: ScreenRow, i: number) => string): Joined {
  const starts: number[] = [];
  let text = "";
  for (const [i, row] of rows.entries()) {
    starts.push(text.length);
    text += row.text;
    if (i < rows.length - 1) text += end(row, i);
  }
  return { text, starts };
}

function masksIn({ text, starts }: Joined, rows: readonly ScreenRow[], cols: number, rules: Rules): RowMask[] {
  let first = 0;
  return rules.look(text).spans.flatMap((span) => {
    while ((starts[first + 1] ?? Number.POSITIVE_INFINITY) <= span.from) first += 1;
    const places: PlaceInRow[] = [];
    for (let row = first; (starts[row] ?? Number.POSITIVE_INFINITY) < span.to; row++) {
      const [start, line] = [starts[row] ?? 0, rows[row]?.text ?? ""];
      const [from, to] = [Math.max(0, span.from - start), Math.min(line.length, span.to - start)];
      if (from < to) places.push({ row, from, to, line });
    }
    return filled(places, rules.mark(text, span), cols, { secret: text.slice(span.from, span.to), kind: span.kind });
  });
}

interface PlaceInRow {
  readonly row: number;
  readonly from: number;
  readonly to: number;
  readonly line: string;
}

type Told = Required<Pick<RowMask, "secret" | "kind">>;

function filled(places: readonly PlaceInRow[], mark: string, cols: number, { secret, kind }: Told): RowMask[] {
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
    if (i === chosen) return { row, from, to, text: mark + DOT.repeat(Math.max(0, width - mark.length)), secret, kind };
    return { row, from, to, text: i === 0 && chosen < 0 ? cut(mark, width) : DOT.repeat(width), secret, kind };
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
