// Halves the gaps between kept engine states, once nobody is busy: while output pours in, a state is worth its price only
// now and then. Owns: the gaps that are still whole. One at a time, in the pauses of the session.
import type { Clock } from "../base/clock.ts";
import type { Engine } from "../screen/engine.ts";
import { engineAt, type PastParts } from "./past.ts";

/** A session that printed nothing for this long is in a pause. */
const PAUSE_MS = 200;
/** Older gaps than these many stay whole: they cost a reader some milliseconds, nothing else. */
const GAPS_MAX = 2_000;

export class Midpoints {
  #parts: PastParts;
  #clock: Clock;
  #gaps: { readonly from: number; readonly to: number }[] = [];
  #cancel: (() => void) | undefined;
  #working = false;
  #stopped = false;

  constructor(parts: PastParts) {
    this.#parts = parts;
    this.#clock = parts.clock;
  }

  /** A state was kept at `to`, the one before it lies at `from`. */
  gap(from: number, to: number): void {
    this.#gaps.push({ from, to });
    if (this.#gaps.length > GAPS_MAX) this.#gaps.shift();
  }

  /** The session did something: the pause begins anew. */
  busy(): void {
    this.#cancel?.();
    this.#cancel = this.#gaps.length > 0 ? this.#clock.after(PAUSE_MS, () => void this.#work()) : undefined;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
    this.#gaps = [];
  }

  async #work(): Promise<void> {
    const gap = this.#working ? undefined : this.#gaps.shift();
    if (!gap || this.#stopped) return;
    this.#working = true;
    await this.#halve(Math.floor((gap.from + gap.to) / 2));
    this.#working = false;
    if (!this.#stopped) this.#clock.soon(() => void this.#work());
  }

  async #halve(cursor: number): Promise<void> {
    let engine: Engine | undefined;
    try {
      // Nothing that happened at the cursor itself: a state is kept before that.
      engine = await engineAt(this.#parts, { cursor, until: Number.NEGATIVE_INFINITY });
      if (!this.#stopped) this.#parts.files.writeKeyframe(cursor, engine.snapshot());
    } catch {
      // Output that an engine cannot bear, or a journal that was deleted: this gap stays whole.
    }
    engine?.dispose();
  }
}
