// What a screen shows besides the text of its rows, and the digest of all that is visible. Pure.

import type { Selected, Screen as WireScreen } from "../../protocol/ops/screen.ts";
import { marked } from "../base/invisible.ts";
import type { Engine, StyledRow } from "./engine.ts";
import { screenHash } from "./hash.ts";
import { selectionOf } from "./selection.ts";

export type ScreenState = Readonly<
  Pick<
    WireScreen,
    "seq" | "hash" | "cols" | "rows_count" | "rows" | "cursor" | "title" | "alt_screen" | "mouse" | "bracketed_paste"
  >
>;

/** Everything visible besides the text of the rows. */
export type ScreenFacts = Omit<ScreenState, "seq" | "hash" | "rows"> & { readonly top: number };

export function factsOf(engine: Engine): ScreenFacts {
  const { alt_screen, mouse, bracketed_paste } = engine.modes();
  const { cols, rows } = engine.size();
  return {
    cols,
    rows_count: rows,
    cursor: engine.cursor(),
    title: marked(engine.title()),
    alt_screen,
    mouse,
    bracketed_paste,
    top: engine.scrolled(),
  };
}

export function sameFacts(a: ScreenFacts, b: ScreenFacts): boolean {
  const [x, y] = [a.cursor, b.cursor];
  return (
    x.row === y.row &&
    x.col === y.col &&
    x.visible === y.visible &&
    a.title === b.title &&
    a.alt_screen === b.alt_screen &&
    a.mouse === b.mouse &&
    a.bracketed_paste === b.bracketed_paste &&
    // A screen full of equal lines looks the same after one more. Waits must still know that it scrolled.
    a.top === b.top &&
    a.cols === b.cols &&
    a.rows_count === b.rows_count
  );
}

/** What a selection is read from. Colours take long to read, so they are read only where something stands out by them. */
export function plainRows(rows: readonly string[]): StyledRow[] {
  return rows.map((text) => ({ runs: [{ text, sgr: "" }], wraps: false }));
}

/** What rows show as selected. */
export function selectedBy(rows: readonly StyledRow[], facts: ScreenFacts): Selected[] {
  return selectionOf(rows, facts.cols, isMenu(facts) ? "any" : "whole rows");
}

/** Programs that show a selection take the whole screen or hide the cursor. */
export function isMenu({ alt_screen, cursor }: ScreenFacts): boolean {
  return alt_screen || !cursor.visible;
}

export function hashOf(all: ScreenFacts, rows: readonly string[], selected: () => readonly Selected[]): string {
  const { cursor, top, ...facts } = all;
  const { row, col, visible } = cursor;
  const chosen = isMenu(all) ? selected().map((one) => `${one.row},${one.from}`) : [];
  return screenHash([...Object.values(facts).map(String), `${row},${col},${visible}`, ...rows, ...chosen]);
}
