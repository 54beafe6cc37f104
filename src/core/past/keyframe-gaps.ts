// Halves the gaps between keyframes when the session is quiet, after the journal is ready to be searched. While output pours
// in, a keyframe is worth its cost only now and then. Owns: the gaps that are still whole. It works on one gap at a time.
import type { Clock } from "../base/clock.ts";
import type { Engine } from "../screen/engine.ts";
import { engineAt, type PastParts } from "./past.ts";
import type { SearchPieces } from "./search-pieces.ts";

/** A session that printed nothing for this long is quiet. As long a pause between two gaps lets calls through. */
const PAUSE_MS = 200;
/** We keep this many gaps. Older ones stay whole and only cost a reader some milliseconds. */
const GAPS_MAX = 2_000;

interface GapParts extends PastParts {
  readonly pieces: SearchPieces;
}

export class KeyframeGaps {
  #parts: GapParts;
  #clock: Clock;
  #gaps: { readonly from: number; readonly to: number }[] = [];
  #cancel: (() => void) | undefined;
  #working = false;
  #stopped = false;

  constructor(parts: GapParts) {
    this.#clock = parts.clock;
    this.#parts = { ...parts, clock: patient(parts.clock) };
  }

  /** A state was kept at `to`; the one before it is at `from`. */
  add(from: number, to: number): void {
    this.#gaps.push({ from, to });
    if (this.#gaps.length > GAPS_MAX) this.#gaps.shift();
  }

  /** The session did something, so the quiet time starts again. */
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
    await this.#parts.pieces.workAhead(this.#parts.clock, () => this.#stopped);
    await this.#halve(Math.floor((gap.from + gap.to) / 2));
    this.#working = false;
    this.busy();
  }

  async #halve(cursor: number): Promise<void> {
    let engine: Engine | undefined;
    try {
      // A state is kept before anything that happened at its cursor.
      engine = await engineAt(this.#parts, { cursor, until: Number.NEGATIVE_INFINITY });
      if (!this.#stopped) this.#parts.files.writeKeyframe(cursor, engine.snapshot());
    } catch {
      // The output makes the engine fail, or the journal was deleted. This gap stays whole.
    }
    engine?.dispose();
  }
}

/** For work in short turns that nobody waits for. */
function patient(clock: Clock): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (ms, run) => clock.after(ms, run),
    soon: (run) => clock.idle(run),
    idle: (run) => clock.idle(run),
  };
}
