// Writes at a pace, and soon when the shell is at its prompt. Owns: the timer of the next write.
import type { Clock } from "../base/clock.ts";

/** What belongs together is one write, and the answer to a small command is not kept waiting by files. */
const TOGETHER_MS = 20;

export class Throttle {
  #clock: Clock;
  #everyMs: number;
  /** False: there was nothing to write. */
  #write: () => boolean;
  #lastAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #isSoon = false;

  constructor(clock: Clock, everyMs: number, write: () => boolean) {
    [this.#clock, this.#everyMs, this.#write] = [clock, everyMs, write];
  }

  changed(): void {
    if (!this.#cancel) this.#after(Math.max(TOGETHER_MS, this.#lastAt + this.#everyMs - this.#clock.monotonic()));
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
    if (this.#write()) this.#lastAt = this.#clock.monotonic();
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
