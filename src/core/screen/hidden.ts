// Hides secrets in rows before they become text, styles or matches. Pure. A line over several rows is one line here, as on the
// screen, whatever styles it has.
import { cellWidth } from "../base/cell-width.ts";
import type { Redactor } from "../redact/redactor.ts";
import { type RowMask, withMasksInRuns } from "../redact/rows.ts";
import type { Engine, StyledRow } from "./engine.ts";
import type { ScreenView } from "./wait/view.ts";

/** Rows above the screen that are looked at: a private key of 8192 bits has about a hundred. */
export const ABOVE_ROWS_MAX = 120;
/** A row of a private key, or of a token that fills it. */
const LETTERS_ONLY = /^[\w+/=.-]{40,}$/;

/** What stands above the screen and may belong to its first line: the last row, and more where they go on. */
export function rowsAbove(engine: Pick<Engine, "modes" | "size" | "history" | "historyCount">): string[] {
  const total = engine.historyCount();
  if (total === 0 || engine.modes().alt_screen) return [];
  const { cols } = engine.size();
  const goesOn = (row: string) => LETTERS_ONLY.test(row) || (row.length * 2 >= cols && widthOf(row) >= cols - 1);
  const last = engine.history({ from: total - 1, count: 1 });
  if (!goesOn(last[0] ?? "")) return last;
  const count = Math.min(total, ABOVE_ROWS_MAX);
  const rows = engine.history({ from: total - count, count });
  return rows.slice(
    Math.max(
      0,
      rows.findLastIndex((row) => !goesOn(row)),
    ),
  );
}

/** Rows in colour. `above`: what stands before the first of them. */
export function hiddenStyled(
  rows: readonly StyledRow[],
  cols: number,
  eyes: Redactor,
  above: readonly string[] = [],
): StyledRow[] {
  const texts = rows.map(({ runs, wraps }) => ({ text: runs.map(({ text }) => text).join(""), wraps }));
  const masks = eyes.rowMasks([...above.map(unwrapped), ...texts], cols);
  const byRow = new Map<number, RowMask[]>();
  for (const mask of masks) byRow.set(mask.row - above.length, [...(byRow.get(mask.row - above.length) ?? []), mask]);
  return rows.map((row, i) => {
    const mine = byRow.get(i);
    const runs = mine ? withMasksInRuns(row.runs, mine) : row.runs;
    return { ...row, runs: runs.map((run) => (run.link === undefined ? run : { ...run, link: eyes.text(run.link) })) };
  });
}

/** Lines in colour that are whole, so that none goes on in the next, unless a program broke them at the edge. */
export function hiddenLines(lines: readonly StyledRow["runs"][], cols: number, eyes: Redactor): StyledRow["runs"][] {
  const rows = lines.map((runs) => ({ runs, wraps: false }));
  return hiddenStyled(rows, cols, eyes).map(({ runs }) => runs);
}

/** What a wait of an agent looks at. */
export function hiddenView(view: ScreenView, eyes: Redactor): ScreenView {
  const { rows, wraps, passed, under, cols } = view;
  const before = passed?.rows ?? view.above();
  const all = [...before.map(unwrapped), ...rows.map((text, i) => ({ text, wraps: wraps[i] ?? false }))];
  const hidden = eyes.rows(all, cols);
  return {
    ...view,
    rows: hidden.slice(before.length),
    ...(passed ? { passed: { ...passed, rows: hidden.slice(0, before.length) } } : {}),
    ...(under ? { under: eyes.rows(under.map(unwrapped), cols) } : {}),
    real: view,
  };
}

function unwrapped(text: string) {
  return { text, wraps: false };
}

function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width += cellWidth(char);
  return width;
}
