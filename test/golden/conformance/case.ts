// One row of the conformance tables: bytes in, the screen the standard asks for, and who shows something else today.

export interface Shown {
  /** Rows from the top; those left out are blank. */
  readonly rows: readonly string[];
  /** Row and column, both from 0. Waiting to wrap counts as the last column. */
  readonly cursor: readonly [number, number];
}

/** A section of docs/engine-deviations.md. */
export type Section = `#${string}`;

export interface Case extends Shown {
  readonly name: string;
  readonly input: string | Uint8Array;
  /** Default 10. Always 5 rows. */
  readonly cols?: number;
  /** What the standard says, briefly. */
  readonly why: string;
  /** Our engine shows this today instead: an upgrade that mends it must be seen. */
  readonly ours?: Shown & { readonly doc: Section };
  /** The oracle shows this instead. */
  readonly oracle?: Shown & { readonly doc: Section };
}

export const ROWS = 5;
export const COLS = 10;

/** Five rows full of A, B, C, D, E; the cursor ends at home. */
export const full = `${[..."ABCDE"].map((char, row) => `\x1b[${row + 1};1H${char.repeat(COLS)}`).join("")}\x1b[H`;
export const line = (char: string): string => char.repeat(COLS);
/** One letter at the start of each row: A to E; the cursor ends at home. */
export const letters = `${[..."ABCDE"].map((char, row) => `\x1b[${row + 1};1H${char}`).join("")}\x1b[H`;
export const alphabet = "ABCDEFGHIJ";

/** Rows from the top, side by side: "A|B||D". */
type Rows = string | readonly string[];

/** A row of a table. */
export function row(
  name: string,
  input: Case["input"],
  rows: Rows,
  cursor: Case["cursor"],
  why: string,
  more: Pick<Case, "cols" | "ours" | "oracle"> = {},
): Case {
  return { name, input, rows: rowsOf(rows), cursor, why, ...more };
}

/** What an engine shows instead, and where that is explained. */
export function shown(rows: Rows, cursor: Shown["cursor"], doc: Section): Shown & { readonly doc: Section } {
  return { rows: rowsOf(rows), cursor, doc };
}

function rowsOf(rows: Rows): readonly string[] {
  if (typeof rows !== "string") return rows;
  return rows === "" ? [] : rows.split("|");
}
