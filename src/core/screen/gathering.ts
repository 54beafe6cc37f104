// When new output is read. What a program prints all the time while nobody cares may gather for a moment: thirty agents at work
// then cost little. Owns: how far the journal has grown, and when that is read. Whoever asks for the screen reads all of it first.
import type { Clock } from "../base/clock.ts";

/** Output gathers no longer than this, so the list of what needs a person is no more behind. */
const GATHER_MS_MAX = 150;
/** Sessions are read at multiples of this, many of them at one waking. */
const TOGETHER_MS = 25;
/** A program prints all the time when it has done so this long … */
const STEADY_MS = 1_000;
/** … without such a pause. What comes after one is read at once: an echo, an answer, a prompt. */
const PAUSE_MS = 500;
/** More than this is a flood, which is read as it comes. */
const GATHERED_BYTES_MAX = 16 << 10;

interface GatheringParts {
  readonly clock: Clock;
  /** Up to here it was read. */
  fed(): number;
  /** Whether somebody watches, or waits for anything. */
  attended(): boolean;
  read(cursor: number): void;
}

export class Gathering {
  #parts: GatheringParts;
  #grown = 0;
  #grewAt = Number.NEGATIVE_INFINITY;
  #steadyFrom = 0;
  #cancel: (() => void) | undefined;

  constructor(parts: GatheringParts) {
    this.#parts = parts;
  }

  grew(cursor: number): void {
    const { clock, attended, fed, read } = this.#parts;
    const now = clock.monotonic();
    if (now - this.#grewAt > PAUSE_MS) this.#steadyFrom = now;
    this.#grewAt = now;
    this.#grown = cursor;
    const gathers = now - this.#steadyFrom >= STEADY_MS && cursor - fed() < GATHERED_BYTES_MAX && !attended();
    if (!gathers) {
      this.stop();
      return read(cursor);
    }
    const due = Math.floor((now + GATHER_MS_MAX) / TOGETHER_MS) * TOGETHER_MS;
    this.#cancel ??= clock.after(due - now, () => this.catchUp());
  }

  /** Somebody typed. The answer is read at once. */
  typed(): void {
    this.#steadyFrom = this.#parts.clock.monotonic();
    this.catchUp();
  }

  catchUp(): void {
    if (!this.#cancel) return;
    this.stop();
    this.#parts.read(this.#grown);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
