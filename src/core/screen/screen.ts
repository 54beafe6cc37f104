// What a session shows, derived from the engine. Owns: the revision counter and the last view.
// Refuses: to be a source. Everything here can be deleted and rebuilt from the journal.

import type { Selected, ZoneSpan } from "../../protocol/ops/screen.ts";
import { lineText } from "../base/clean.ts";
import { marked } from "../base/invisible.ts";
import type { Redactor } from "../redact/redactor.ts";
import { rowsAbove } from "./above.ts";
import type { Engine, RepaintOptions, RowText, StyledRow } from "./engine.ts";
import {
  factsOf,
  hashOf,
  isMenu,
  plainRows,
  type ScreenFacts,
  type ScreenState,
  sameFacts,
  selectedBy,
} from "./facts.ts";
import { HiddenScreen } from "./hidden-screen.ts";
import type { ScreenView } from "./wait/view.ts";

/** The changes since the last check. `rows` holds the rows whose text changed; `moved` tells whether anything else did. */
export interface ScreenChange {
  readonly seq: number;
  readonly rows: readonly RowText[];
  /** For the turn in which it changed. It may look at all colours, so nobody asks without need. */
  moved(): boolean;
  /** Number of the top row at the check before. */
  readonly top_before: number;
}

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
  /** The same without secrets. */
  #hidden: HiddenScreen | undefined;

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

  /** What an agent CLI's state is read from. Only valid during the call. */
  picture(eyes: Redactor) {
    return { title: this.title, rows: this.#rows, hidden: () => this.seenBy(eyes).picture().rows };
  }

  view(): ScreenView {
    const { alt_screen, top, cursor, cols } = this.#facts;
    const inputs = () => this.zones().filter(({ zone }) => zone === "input");
    const above = () => rowsAbove(this.#engine);
    return { rows: this.#rows, wraps: this.#wraps, cols, alt_screen, top, cursor, inputs, above };
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
    if (touched.length > 0) this.#shown = this.#hidden = undefined;
    const before = this.#facts;
    this.#facts = facts;
    const isElsewhere = !sameFacts(facts, before);
    const reselects = () => rows.length < touched.length && this.#reselects(before);
    if (rows.length === 0 && !isElsewhere && !reselects()) return undefined;
    this.#hash = this.#hidden = undefined;
    this.#seq += 1;
    const moved = () => isElsewhere || rows.length === 0 || reselects();
    return { seq: this.#seq, rows, moved, top_before: before.top };
  }

  /** A menu moves its selection by colour alone, so that no text changes. */
  #reselects(was: ScreenFacts): boolean {
    if (!isMenu(was) || !isMenu(this.#facts)) return false;
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
    this.#hash ??= hashOf(this.#facts, this.#rows, () => this.selected());
    return this.#hash;
  }

  state(): ScreenState {
    const { top, ...facts } = this.#facts;
    return { seq: this.#seq, hash: this.hash, ...facts, rows: [...this.#rows] };
  }

  /** As it is read: what nobody sees is marked, not handed on. */
  shown(): ScreenState {
    this.#shown ??= this.#engine.colours().conceal ? this.#revealed() : this.#rows.map((row) => marked(row));
    return { ...this.state(), rows: [...this.#shown] };
  }

  /** As agents see it. Good until something changes. */
  seenBy(eyes: Redactor): HiddenScreen {
    if (!this.#hidden?.isBy(eyes)) {
      const rows = this.#rows.map((text, row) => ({ text, wraps: this.#wraps[row] ?? false }));
      this.#hidden = new HiddenScreen(this.#engine, eyes, { seq: this.#seq, facts: this.#facts, rows });
    }
    return this.#hidden;
  }

  #revealed(): string[] {
    return this.#engine.styled({ history: 0 }).map(({ runs }) => lineText(runs));
  }

  styled(options: { history: number }): StyledRow[] {
    return this.#engine.styled(options);
  }

  repaint(options: RepaintOptions): Uint8Array {
    return this.#engine.repaint(options);
  }

  /** What is drawn as selected. */
  selected(): Selected[] {
    if (!this.#isStale) return this.#selected;
    const { conceal, highlight } = this.#engine.colours();
    const rows = conceal || highlight ? this.#engine.styled({ history: 0 }) : plainRows(this.#rows);
    this.#selected = selectedBy(rows, factsOf(this.#engine));
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
