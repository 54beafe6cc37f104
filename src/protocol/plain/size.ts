// What a terminal's size may be, for those who check it without a schema.
export const COLS = { min: 2, max: 1_000 } as const;
export const ROWS = { min: 1, max: 1_000 } as const;

/** A damaged number could cost an engine all the memory there is. */
export function isSize(value: object): value is { readonly cols: number; readonly rows: number } {
  return "cols" in value && "rows" in value && isWithin(value.cols, COLS) && isWithin(value.rows, ROWS);
}

function isWithin(value: unknown, { min, max }: { readonly min: number; readonly max: number }): boolean {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}
