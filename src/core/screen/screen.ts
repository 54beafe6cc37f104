// What a session shows, derived from the engine. Owns: the revision counter and the last view.
// Refuses: to be a source. Everything here can be deleted and rebuilt from the journal.

import type { Selected, Screen as WireScreen, ZoneSpan } from "../../protocol/ops/screen.ts";
import { lineText } from "../base/clean.ts";
import { marked } from "../base/invisible.ts";
import type { Engine, RowText, StyledRow } from "./engine.ts";
import { screenHash } from "./hash.ts";
import { selectionOf } from "./selection.ts";
import type { ScreenView } from "./wait/view.ts";

/** The changes since the last check. `rows` holds the rows whose text changed; `moved` is set when anything else did. */
export interface ScreenChange {
  readonly seq: number;
  readonly rows: readonly RowText[];
  readonly moved: boolean;
  /** Number of the top row at the check before. */
  readonly top_before: number;
}

export type ScreenState = Readonly<
  Pick<
    WireScreen,
    "seq" | "hash" | "cols" | "rows_count" | "rows" | "cursor" | "title" | "alt_screen" | "mouse" | "bracketed_paste"
  >
>;

/** Everything visible besides the text of the rows. */
type ScreenFacts = Omit<ScreenState, "seq" | "hash" | "rows"> & { readonly top: number };

export class Screen {
  #engine: Engine;
  #seq = 0;
  #rows: string[];
  #wraps: boolean[];
  #facts: ScreenFacts;
  #hash: string | undefined;
  /** As of the last time that somebody asked. `stale`: something was drawn since. */
  #selected: Selected[] = [];
  #isStale = true;
  /** The rows as agents may see them, until something is drawn. */
  #shown: string[] | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
    const lines = engine.lines();
    this.#rows = lines.map(({ text }) => text);
    this.#wraps = lines.map(({ wraps }) => wraps);
    engine.takeDirty();
    this.#facts = factsOf(engine);
  }

  get seq(): number {
    return this.#seq;
  }
  get title(): string {
    return this.#facts.title;
  }

  view(): ScreenView {
    const { alt_screen, top, cursor } = this.#facts;
    const inputs = () => this.zones().filter(({ zone }) => zone === "input");
    return { rows: this.#rows, wraps: this.#wraps, alt_screen, top, cursor, inputs };
  }

  /** The text before the cursor in its row, and which screen is shown. */
  glance(): { readonly alt_screen: boolean; readonly before: string } {
    const { cursor, alt_screen } = this.#facts;
    return { alt_screen, before: (this.#rows[cursor.row] ?? "").slice(0, cursor.col) };
  }

  /** After a rebuild, revisions continue above any that could have been given out before. */
  continueAbove(seq: number): void {
    this.#seq = Math.max(this.#seq, seq + 1);
  }

  /** Checks what the engine did since the last call. Undefined when nothing visible changed. */
  advance(): ScreenChange | undefined {
    const dirty = this.#engine.takeDirty();
    const facts = factsOf(this.#engine);
    const touched = facts.rows_count === this.#rows.length ? dirty : this.#engine.lines();
    const rows = this.#take(touched);
    // Something was drawn again with the same text, perhaps in other colours.
    if (touched.length > 0) this.#isStale = true;
    if (touched.length > 0) this.#shown = undefined;
    const moved = !sameFacts(facts, this.#facts) || (rows.length < touched.length && this.#reselects(facts));
    const top_before = this.#facts.top;
    this.#facts = facts;
    if (rows.length === 0 && !moved) return undefined;
    this.#hash = undefined;
    this.#seq += 1;
    return { seq: this.#seq, rows, moved, top_before };
  }

  /** A menu moves its selection by colour alone, so that no text changes. */
  #reselects(facts: ScreenFacts): boolean {
    if (!isMenu(facts) || !isMenu(this.#facts)) return false;
    const before = JSON.stringify(this.#selected);
    return JSON.stringify(this.selected()) !== before;
  }

  /** Stores the rows and returns those that differ. */
  #take(lines: readonly RowText[]): RowText[] {
    const { rows } = this.#engine.size();
    this.#rows.length = rows;
    this.#wraps.length = rows;
    return lines.filter(({ row, text, wraps }) => {
      const same = this.#rows[row] === text;
      this.#rows[row] = text;
      this.#wraps[row] = wraps;
      return !same;
    });
  }

  get hash(): string {
    const { cursor, top, ...facts } = this.#facts;
    if (this.#hash !== undefined) return this.#hash;
    const { row, col, visible } = cursor;
    const selected = isMenu(this.#facts) ? this.selected().map((one) => `${one.row},${one.from}`) : [];
    const seen = [...Object.values(facts).map(String), `${row},${col},${visible}`, ...this.#rows, ...selected];
    this.#hash = screenHash(seen);
    return this.#hash;
  }

  state(): ScreenState {
    const { top, ...facts } = this.#facts;
    return { seq: this.#seq, hash: this.hash, ...facts, rows: [...this.#rows] };
  }

  /** As agents may see it: what is invisible to a person is marked, not handed on. */
  shown(): ScreenState {
    this.#shown ??= this.#engine.conceals() ? this.#revealed() : this.#rows.map((row) => marked(row));
    return { ...this.state(), rows: [...this.#shown] };
  }

  #revealed(): string[] {
    return this.#engine.styled({ history: 0 }).map(({ runs }) => lineText(runs));
  }

  styled(options: { history: number }): StyledRow[] {
    return this.#engine.styled(options);
  }

  /** What is drawn as selected. */
  selected(): Selected[] {
    if (this.#isStale) this.#selected = selectedBy(this.#engine);
    this.#isStale = false;
    return this.#selected;
  }

  zones(): ZoneSpan[] {
    return this.#engine.zones();
  }

  scrollback(count: number): { lines: string[]; total: number } {
    const total = this.#engine.historyCount();
    const from = Math.max(0, total - count);
    // In colour, because only styles tell what is concealed.
    const rows = total === from ? [] : this.#engine.styled({ history: total - from }).slice(0, total - from);
    return { lines: rows.map(({ runs }) => lineText(runs)), total };
  }
}

/** What an engine's screen shows as selected. */
export function selectedBy(engine: Engine): Selected[] {
  const facts = factsOf(engine);
  return selectionOf(engine.styled({ history: 0 }), facts.cols, isMenu(facts) ? "any" : "whole rows");
}

/** Programs that show a selection take the whole screen or hide the cursor. */
function isMenu({ alt_screen, cursor }: ScreenFacts): boolean {
  return alt_screen || !cursor.visible;
}

function factsOf(engine: Engine): ScreenFacts {
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

function sameFacts(a: ScreenFacts, b: ScreenFacts): boolean {
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
