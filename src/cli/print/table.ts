// Lines, tables and bytes on standard output.
import { inert } from "../text/harmless.ts";

/** The width when the terminal does not say. */
const COLS = 80;

/** Nothing in it acts on a terminal, and nothing is hidden from the reader. */
export function line(text: string): void {
  exactLine(inert(text));
}

/** Messages for the caller, apart from the answer itself. */
export function aside(text: string | undefined): void {
  if (text !== undefined) process.stderr.write(`duetty: ${inert(text)}\n`);
}

/** JSON, and text that was made for a terminal. */
export function exactLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The last column takes what is left of an 80-column line, or of the real one. */
export function table(cells: readonly (readonly string[])[]): void {
  const rows = cells.map((row) => row.map(inert));
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  for (const row of rows) {
    const text = row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0))).join("  ");
    line(process.stdout.isTTY ? text.slice(0, columns()) : text);
  }
}

export function columns(): number {
  return process.stdout.columns || COLS;
}

/** Resolves when the bytes are written, so that a large answer does not pile up in memory. */
export function write(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => void process.stdout.write(bytes, () => resolve()));
}
