// What a session shows, derived from the engine. Owns: the revision counter and the text of the rows.
// Refuses: to be a source. Everything here can be deleted and rebuilt from the journal.
import type { Size } from "../pty/pty.ts";
import type { CursorAt, Engine, EngineModes, RowText } from "./engine.ts";
import { screenHash } from "./hash.ts";

/** What became different in one turn. `rows` holds the rows whose text changed. */
export interface ScreenChange {
  readonly seq: number;
  readonly rows: readonly RowText[];
}

export interface ScreenState {
  readonly seq: number;
  readonly hash: string;
  readonly cols: number;
  readonly rows_count: number;
  readonly rows: string[];
  readonly cursor: CursorAt;
  readonly title: string;
  readonly alt_screen: boolean;
  readonly mouse: EngineModes["mouse"];
  readonly bracketed_paste: boolean;
}

export class Screen {
  #engine: Engine;
  #seq = 0;
  #rows: string[];
  #face = "";
  #hash: string | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#rows = engine.rows();
    engine.takeDirty();
    this.#face = face(engine);
  }

  get seq(): number {
    return this.#seq;
  }
  get rows(): readonly string[] {
    return this.#rows;
  }
  get title(): string {
    return this.#engine.title();
  }
  get altScreen(): boolean {
    return this.#engine.modes().alt_screen;
  }

  /** After a rebuild: revisions go on above any that could have been given out before. */
  continueAbove(seq: number): void {
    this.#seq = Math.max(this.#seq, seq + 1);
  }

  /** Looks at what the engine did since the last call; undefined when nothing visible came of it. */
  advance(): ScreenChange | undefined {
    const dirty = this.#engine.takeDirty();
    const changed: RowText[] = [];
    const { rows } = this.#engine.size();
    if (this.#rows.length !== rows) {
      this.#rows = this.#engine.rows();
      for (const [row, text] of this.#rows.entries()) changed.push({ row, text });
    } else {
      for (const line of dirty) {
        if (this.#rows[line.row] === line.text) continue;
        this.#rows[line.row] = line.text;
        changed.push(line);
      }
    }
    const now = face(this.#engine);
    if (changed.length === 0 && now === this.#face) return undefined;
    this.#face = now;
    this.#hash = undefined;
    this.#seq += 1;
    return { seq: this.#seq, rows: changed };
  }

  get hash(): string {
    this.#hash ??= screenHash([this.#face, ...this.#rows]);
    return this.#hash;
  }

  state(): ScreenState {
    const size: Size = this.#engine.size();
    const modes = this.#engine.modes();
    return {
      seq: this.#seq,
      hash: this.hash,
      cols: size.cols,
      rows_count: size.rows,
      rows: [...this.#rows],
      cursor: this.#engine.cursor(),
      title: this.#engine.title(),
      alt_screen: modes.alt_screen,
      mouse: modes.mouse,
      bracketed_paste: modes.bracketed_paste,
    };
  }

  scrollback(count: number): { lines: string[]; total: number } {
    const total = this.#engine.historyCount();
    const from = Math.max(0, total - count);
    return { lines: count === 0 ? [] : this.#engine.history({ from, count: total - from }), total };
  }
}

/** What is visible besides the text of the rows, in one comparable string. */
function face(engine: Engine): string {
  const { row, col, visible } = engine.cursor();
  const { cols, rows } = engine.size();
  const modes = engine.modes();
  return `${cols}x${rows} ${row},${col},${visible} ${modes.alt_screen} ${modes.mouse} ${modes.bracketed_paste} ${engine.title()}`;
}
