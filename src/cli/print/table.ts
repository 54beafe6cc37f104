// A table on standard output. A cell is one line of harmless text, and no name pushes the other columns away.
import { marked } from "../../core/base/invisible.ts";
import { exactly } from "../text/output.ts";
import { cut, textWidth } from "../text/width.ts";

/** The width when the terminal does not say. */
const COLS = 80;
/** On a terminal no column but the last is wider. */
const CELL_COLS_MAX = 32;

/** The last column keeps this much where others may give way. */
const LAST_COLS_MIN = 24;

/**
 * The last column takes what is left of an 80-column line, or of the real one. `spare` names columns that are left out, one after
 * the other, while too little is left for it.
 */
export function table(cells: readonly (readonly string[])[], spare: readonly string[] = []): void {
  const { isTTY } = process.stdout;
  const [first, ...others] = spare;
  const rows = cells.map((row) =>
    row.map((cell, i) => (isTTY && i < row.length - 1 ? cut(marked(cell), CELL_COLS_MAX) : marked(cell))),
  );
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => textWidth(row[i] ?? "")))) ?? [];
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const last = Math.min(widths.at(-1) ?? 0, LAST_COLS_MIN);
  if (isTTY && first !== undefined && before + last > columns()) {
    const at = cells[0]?.indexOf(first) ?? -1;
    return table(at < 0 ? cells : cells.map((row) => row.toSpliced(at, 1)), others);
  }
  const padded = (cell: string, i: number) => `${cell}${" ".repeat((widths[i] ?? 0) - textWidth(cell))}`;
  for (const row of rows) {
    const text = row.map((cell, i) => (i === row.length - 1 ? cell : padded(cell, i))).join("  ");
    exactly(isTTY ? cut(text, columns()) : text);
  }
}

export function columns(): number {
  return process.stdout.columns || COLS;
}

/** Machines whose part of a list is old, or not there. */
export function missingWords(missing: readonly string[]): string {
  return `not here now: ${missing.join(", ")}; what they told last is below (duetty hosts)`;
}

/** A time of these days: month, day, hour and minute. */
export function timeOf(ts: number): string {
  const at = new Date(ts);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The same for somebody at another machine, whose time may be another zone's. */
export function zonedTimeOf(ts: number): string {
  const east = -new Date(ts).getTimezoneOffset();
  const [hours, minutes] = [Math.floor(Math.abs(east) / 60), Math.abs(east) % 60];
  const offset = minutes === 0 ? `${hours}` : `${hours}:${String(minutes).padStart(2, "0")}`;
  return `${timeOf(ts)} UTC${east === 0 ? "" : `${east < 0 ? "-" : "+"}${offset}`}`;
}
