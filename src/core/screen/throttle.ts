// Writes at a pace, and soon when the shell is at its prompt. Owns: the timer of the next write.
import type { Clock } from "../base/clock.ts";

/** What belongs together is one write, and the answer to a small command is not kept waiting by files. */
const TOGETHER_MS = 20;
/** So many writes without a rest mean that it changes all the time: a spinner, a game, an agent at work. */
const STEADY_WRITES = 10;
/** Then it is written when it rests … */
const RESTED_MS = 500;
/** … or after this long. Whoever wants every change of it watches the session. */
const STEADY_MS = 5_000;

export class Throttle {
  #clock: Clock;
  #everyMs: number;
  /** False: there was nothing to write. */
  #write: () => boolean;
  #lastAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #isSoon = false;
  #writes = 0;

  constructor(clock: Clock, everyMs: number, write: () => boolean) {
    [this.#clock, this.#everyMs, this.#write] = [clock, everyMs, write];
  }

  changed(): void {
    const sinceMs = this.#clock.monotonic() - this.#lastAt;
    if (!this.#cancel && sinceMs > 2 * RESTED_MS) this.#writes = 0;
    const isSteady = this.#writes >= STEADY_WRITES && !this.#isSoon;
    const ms = isSteady ? Math.min(RESTED_MS, STEADY_MS - sinceMs) : this.#everyMs - sinceMs;
    if (!this.#cancel || isSteady) this.#after(Math.max(TOGETHER_MS, ms));
  }

  /** What is shown is whole. */
  prompted(): void {
    if (this.#isSoon) return;
    this.#isSoon = true;
    this.#after(TOGETHER_MS);
  }

  /** Writes now, regardless of the pace. */
  force(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isSoon = false;
    if (!this.#write()) return;
    this.#lastAt = this.#clock.monotonic();
    this.#writes += 1;
  }

  /** Writes what is due. */
  stop(): void {
    if (this.#cancel) this.force();
  }

  #after(ms: number): void {
    this.#cancel?.();
    this.#cancel = this.#clock.after(ms, () => this.force());
  }
}
