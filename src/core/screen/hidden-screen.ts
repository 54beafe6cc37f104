// A screen as agents see it: secrets are hidden in its rows before anything is made of them, also before they are hashed. Owns:
// what it has made so far. Good for one revision and for what its eyes know now; screen.ts makes the next one.

import type { Selected, ZoneSpan } from "../../protocol/ops/screen.ts";
import { lineText } from "../base/clean.ts";
import { marked } from "../base/invisible.ts";
import type { Redactor } from "../redact/redactor.ts";
import { type ScreenRow, withMasks } from "../redact/rows.ts";
import type { ShownSecrets } from "../redact/shown-secrets.ts";
import { ABOVE_ROWS_MAX, rowsAbove } from "./above.ts";
import type { Engine, StyledRow } from "./engine.ts";
import { hashOf, plainRows, type ScreenFacts, type ScreenState, selectedBy } from "./facts.ts";
import { hiddenStyled, writingRow } from "./hidden.ts";

interface Revision {
  readonly seq: number;
  readonly facts: ScreenFacts;
  readonly rows: readonly ScreenRow[];
}

/** Without its hash, which takes a look at all colours. */
export type Picture = Omit<ScreenState, "hash">;

export class HiddenScreen {
  #engine: Engine;
  #eyes: Redactor;
  #learnt: number;
  #seq: number;
  #facts: ScreenFacts;
  #above: readonly string[];
  #rows: readonly string[];
  /** Its colours tell nothing more. */
  #isPlain: boolean;
  #selected: Selected[] | undefined;
  #picture: Picture | undefined;
  #state: ScreenState | undefined;
  /** What it hides is known from then on. */
  readonly teach: (shown: ShownSecrets) => void;

  constructor(engine: Engine, eyes: Redactor, { seq, facts, rows }: Revision) {
    this.#engine = engine;
    this.#eyes = eyes;
    this.#learnt = eyes.learnt;
    this.#seq = seq;
    this.#facts = { ...facts, title: eyes.text(facts.title) };
    this.#above = rowsAbove(engine);
    const above = this.#above.map((text) => ({ text, wraps: false }));
    const writing = writingRow(rows, facts.cols, { above: this.#above, cursor: facts.cursor });
    const all = [...above, ...rows];
    const masks = eyes.rowMasks(all, facts.cols, writing);
    this.teach = (shown) => shown.hidden(all, masks, writing);
    const hidden = withMasks(all, masks).slice(above.length);
    const { conceal, highlight } = engine.colours();
    this.#isPlain = !conceal && !highlight;
    this.#rows = conceal ? this.styled({ history: 0 }).map(({ runs }) => lineText(runs)) : hidden;
  }

  isBy(eyes: Redactor): boolean {
    return this.#eyes === eyes && this.#learnt === eyes.learnt;
  }

  get seq(): number {
    return this.#seq;
  }

  get hash(): string {
    return this.shown().hash;
  }

  picture(): Picture {
    const { top, ...facts } = this.#facts;
    this.#picture ??= { seq: this.#seq, ...facts, rows: this.#rows.map((row) => marked(row)) };
    return this.#picture;
  }

  shown(): ScreenState {
    const hash = () => hashOf(this.#facts, this.#rows, () => this.selected());
    this.#state ??= { ...this.picture(), hash: hash() };
    return this.#state;
  }

  state(): ScreenState {
    return this.shown();
  }

  styled({ history }: { history: number }): StyledRow[] {
    const { cols, rows_count, cursor } = this.#facts;
    const around = { above: this.#above, cursor };
    if (history === 0) return hiddenStyled(this.#engine.styled({ history }), cols, this.#eyes, around);
    const above = Math.max(ABOVE_ROWS_MAX, rowsAbove(this.#engine, history).length);
    const rows = this.#engine.styled({ history: history + above });
    const wanted = rows_count + Math.min(history, this.#engine.historyCount());
    const at = { row: cursor.row + rows.length - rows_count, col: cursor.col };
    return hiddenStyled(rows, cols, this.#eyes, { cursor: at }).slice(-wanted);
  }

  selected(): Selected[] {
    this.#selected ??= selectedBy(this.#isPlain ? plainRows(this.#rows) : this.styled({ history: 0 }), this.#facts);
    return this.#selected;
  }

  zones(): ZoneSpan[] {
    return this.#engine.zones();
  }

  scrollback(count: number): { lines: string[]; total: number } {
    const total = this.#engine.historyCount();
    const most = Math.min(count, total);
    const rows = most === 0 ? [] : this.styled({ history: most }).slice(0, most);
    return { lines: rows.map(({ runs }) => lineText(runs)), total };
  }
}
