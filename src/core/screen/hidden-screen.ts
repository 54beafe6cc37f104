// A screen as agents see it: secrets are hidden in its rows before anything is made of them, also before they are hashed. Owns:
// what it has made so far. Good for one revision and for what its eyes know now; screen.ts makes the next one.

import type { Selected, ZoneSpan } from "../../protocol/ops/screen.ts";
import { lineText } from "../base/clean.ts";
import { marked } from "../base/invisible.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { ScreenRow } from "../redact/rows.ts";
import type { Engine, StyledRow } from "./engine.ts";
import { hashOf, type ScreenFacts, type ScreenState, selectedBy } from "./facts.ts";
import { ABOVE_ROWS_MAX, hiddenStyled, rowsAbove } from "./hidden.ts";

interface Revision {
  readonly seq: number;
  readonly facts: ScreenFacts;
  readonly rows: readonly ScreenRow[];
}

export class HiddenScreen {
  #engine: Engine;
  #eyes: Redactor;
  #learnt: number;
  #seq: number;
  #facts: ScreenFacts;
  #above: readonly string[];
  #rows: readonly string[];
  #selected: Selected[] | undefined;
  #state: ScreenState | undefined;

  constructor(engine: Engine, eyes: Redactor, { seq, facts, rows }: Revision) {
    this.#engine = engine;
    this.#eyes = eyes;
    this.#learnt = eyes.learnt;
    this.#seq = seq;
    this.#facts = { ...facts, title: eyes.text(facts.title) };
    this.#above = rowsAbove(engine);
    const above = this.#above.map((text) => ({ text, wraps: false }));
    const hidden = eyes.rows([...above, ...rows], facts.cols).slice(above.length);
    this.#rows = engine.conceals() ? this.styled({ history: 0 }).map(({ runs }) => lineText(runs)) : hidden;
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

  shown(): ScreenState {
    const { top, ...facts } = this.#facts;
    const hash = () => hashOf(this.#facts, this.#rows, () => this.selected());
    this.#state ??= { seq: this.#seq, hash: hash(), ...facts, rows: this.#rows.map((row) => marked(row)) };
    return this.#state;
  }

  state(): ScreenState {
    return this.shown();
  }

  styled({ history }: { history: number }): StyledRow[] {
    const { cols, rows_count } = this.#facts;
    if (history === 0) return hiddenStyled(this.#engine.styled({ history }), cols, this.#eyes, this.#above);
    const rows = this.#engine.styled({ history: history + ABOVE_ROWS_MAX });
    const wanted = rows_count + Math.min(history, this.#engine.historyCount());
    return hiddenStyled(rows, cols, this.#eyes).slice(-wanted);
  }

  selected(): Selected[] {
    this.#selected ??= selectedBy(this.styled({ history: 0 }), this.#facts);
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
