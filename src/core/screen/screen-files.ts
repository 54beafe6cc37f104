// What is written of a screen, for programs that only read files: its changes (screen.jsonl) and the newest whole one
// (screen.snapshot.json). Owns: the rows last written, so that a row that changed and changed back costs nothing.
import type { ScreenDelta } from "../../protocol/ops/deltas.ts";
import type { Clock } from "../base/clock.ts";
import type { LinesPart, SessionFiles } from "../journal/store.ts";
import type { HiddenScreen, Picture } from "./hidden-screen.ts";
import { Throttle } from "./throttle.ts";

/** Five lines a second follow a person's eye; a spinner of 100 Hz costs no more. */
const DELTA_MS = 200;
/** Files that are written twice a second are new enough for a reader and cheap enough for the disk. */
const FILES_MS = 500;

interface ScreenFilesParts {
  readonly session_id: string;
  readonly files: SessionFiles;
  readonly clock: Clock;
  /** As agents may see it. Undefined: there is nothing to write. */
  screen(): HiddenScreen | undefined;
}

export class ScreenFiles {
  #parts: ScreenFilesParts;
  #written: readonly string[] = [];
  #facts = "";
  /** Changes that are not on the disk yet. */
  #due: ScreenDelta[] = [];
  #deltas: Throttle;
  #files: Throttle;

  constructor(parts: ScreenFilesParts) {
    this.#parts = parts;
    this.#deltas = new Throttle(parts.clock, DELTA_MS, () => this.#compare());
    this.#files = new Throttle(parts.clock, FILES_MS, () => this.#write());
  }

  /** After a rebuild, readers already have the rows up to here. */
  continueFrom(screen: Picture): void {
    this.#written = screen.rows;
    this.#facts = factsOf(screen);
  }

  changed(): void {
    this.#deltas.changed();
    this.#files.changed();
  }

  prompted(): void {
    this.#deltas.prompted();
    this.#files.prompted();
  }

  /** The program ended. */
  finish(): void {
    this.#deltas.force();
    this.#files.force();
  }

  stop(): void {
    this.#deltas.stop();
    this.#files.stop();
  }

  async read(offset: number, limit: number): Promise<LinesPart> {
    this.#deltas.stop();
    this.#append();
    await this.#parts.files.settled();
    return this.#parts.files.readLinesFrom("screen", offset, limit);
  }

  #compare(): boolean {
    const { clock, screen } = this.#parts;
    const now = screen()?.picture();
    if (!now) return false;
    const rows = now.rows.flatMap((text, row) => (text === (this.#written[row] ?? "") ? [] : [{ row, text }]));
    const facts = factsOf(now);
    if (rows.length === 0 && facts === this.#facts) return false;
    this.continueFrom(now);
    const { seq, cursor, title, alt_screen } = now;
    this.#due.push({ type: "screen_delta", seq, rows, cursor, title, alt_screen, ts: clock.now() });
    return true;
  }

  #append(): void {
    if (this.#due.length > 0) this.#parts.files.appendLater("screen", ...this.#due);
    this.#due = [];
  }

  #write(): boolean {
    const { session_id, files, clock, screen } = this.#parts;
    this.#deltas.stop();
    this.#append();
    const now = screen()?.shown();
    if (now) files.writeSnapshot({ session_id, ...now, ts: clock.now() });
    return now !== undefined;
  }
}

function factsOf({ cursor, title, alt_screen, cols, rows_count }: Picture): string {
  return JSON.stringify([cursor.row, cursor.col, cursor.visible, title, alt_screen, cols, rows_count]);
}
