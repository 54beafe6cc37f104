// Screen changes as lines of screen.jsonl: at most ten a second, and none when nothing changed.
// Owns: the rows last written, so that a row that changed and changed back costs nothing.
import type { ScreenDelta } from "../../protocol/ops/deltas.ts";
import type { Clock } from "../base/clock.ts";
import type { LinesPart, SessionFiles } from "../journal/store.ts";
import type { ScreenState } from "./facts.ts";

/** Ten lines a second follow a person's eye; a spinner of 100 Hz costs no more. */
const DELTA_MS = 100;
/** What belongs together is one line, and the answer to a small command is not kept waiting by files. */
export const TOGETHER_MS = 20;

interface DeltasParts {
  readonly files: SessionFiles;
  readonly clock: Clock;
  /** The screen as agents may see it. */
  screen(): ScreenState;
}

export class Deltas {
  #parts: DeltasParts;
  #written: readonly string[] = [];
  #facts = "";
  #lastAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #isSoon = false;

  constructor(parts: DeltasParts) {
    this.#parts = parts;
  }

  /** After a rebuild, readers already have the rows up to here. */
  continueFrom(screen: ScreenState): void {
    this.#written = screen.rows;
    this.#facts = factsOf(screen);
  }

  changed(): void {
    if (this.#cancel) return;
    const { clock } = this.#parts;
    const wait = Math.max(TOGETHER_MS, this.#lastAt + DELTA_MS - clock.monotonic());
    this.#cancel = clock.after(wait, () => this.flush());
  }

  /** The shell is at its prompt: what it shows is whole. */
  prompted(): void {
    if (this.#isSoon) return;
    this.#isSoon = true;
    this.#cancel?.();
    this.#cancel = this.#parts.clock.after(TOGETHER_MS, () => this.flush());
  }

  /** Writes now, regardless of the pace: at the end, before a reader reads. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isSoon = false;
    const { files, clock, screen } = this.#parts;
    const now = screen();
    const rows = now.rows.flatMap((text, row) => (text === (this.#written[row] ?? "") ? [] : [{ row, text }]));
    const facts = factsOf(now);
    if (rows.length === 0 && facts === this.#facts) return;
    this.#written = now.rows;
    this.#facts = facts;
    this.#lastAt = clock.monotonic();
    const { seq, cursor, title, alt_screen } = now;
    const delta: ScreenDelta = { type: "screen_delta", seq, rows, cursor, title, alt_screen, ts: clock.now() };
    files.appendLater("screen", delta);
  }

  async read(offset: number, limit: number): Promise<LinesPart> {
    if (this.#cancel) this.flush();
    await this.#parts.files.settled();
    return this.#parts.files.readLinesFrom("screen", offset, limit);
  }

  /** Writes what is due. */
  stop(): void {
    if (this.#cancel) this.flush();
  }
}

function factsOf({ cursor, title, alt_screen, cols, rows_count }: ScreenState): string {
  return JSON.stringify([cursor.row, cursor.col, cursor.visible, title, alt_screen, cols, rows_count]);
}
