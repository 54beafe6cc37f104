// Hides secrets in rows before they become text, styles or matches. Pure. A line over several rows is one line here, as on the
// screen, whatever styles it has.
import type { CursorAt } from "../../protocol/words/program.ts";
import type { Redactor } from "../redact/redactor.ts";
import { type RowMask, withMasksInRuns } from "../redact/rows.ts";
import { widthOf } from "./above.ts";
import type { StyledRow } from "./engine.ts";
import type { ScreenView } from "./wait/view.ts";

interface Around {
  /** What stands before the first row. */
  readonly above?: readonly string[];
  readonly cursor?: Pick<CursorAt, "row" | "col">;
}

/** The row in which something is being written: its text ends at the cursor. Counted with the rows above. */
export function writingRow(
  rows: readonly { readonly text: string }[],
  cols: number,
  { above = [], cursor = { row: -1, col: 0 } }: Around,
): number | undefined {
  const { row, col } = cursor;
  const text = rows[row]?.text ?? "";
  if (text === "") return undefined;
  const width = widthOf(text);
  // At the edge the cursor stands on the last cell until the next character comes.
  return width === col || (width >= cols && col === cols - 1) ? row + above.length : undefined;
}

/** Rows in colour. */
export function hiddenStyled(
  rows: readonly StyledRow[],
  cols: number,
  eyes: Redactor,
  around: Around = {},
): StyledRow[] {
  const { above = [] } = around;
  const texts = rows.map(({ runs, wraps }) => ({ text: runs.map(({ text }) => text).join(""), wraps }));
  const masks = eyes.rowMasks([...above.map(unwrapped), ...texts], cols, writingRow(texts, cols, around));
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
  const shown = rows.map((text, i) => ({ text, wraps: wraps[i] ?? false }));
  const writing = writingRow(shown, cols, { above: before, cursor: view.cursor });
  const hidden = eyes.rows([...before.map(unwrapped), ...shown], cols, writing);
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
