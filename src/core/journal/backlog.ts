// How much of a program's output may wait to be played before the program has to wait, too: as much as is played in a moment, so
// that the answer to a key does not stand behind megabytes. Owns: how fast it was played lately.
import type { Clock } from "../base/clock.ts";

/** What waits is played within this time: an eye does not notice it. */
const LAG_MS = 12;
/** Below this the program would stop and go all the time; above it, whoever waits for its end would wait too long. */
const [BYTES_MIN, BYTES_MAX] = [64 << 10, 1 << 20];
/** It goes on when only this part is left, so that there is always something to play. */
const LOW = 1 / 4;
/** Shorter times say little about the speed. */
const MEASURE_MS = 20;

export class Backlog {
  #clock: Clock;
  #max = BYTES_MAX;
  #since: { readonly at: number; readonly fed: number } | undefined;
  #isFull = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the program has to wait, now that everything before `fed` was played. */
  isFull(fed: number, behind: number): boolean {
    this.#measure(fed, behind);
    this.#isFull = behind > (this.#isFull ? this.#max * LOW : this.#max);
    return this.#isFull;
  }

  /** Only while there is something left to play: otherwise it is the program that is slow. */
  #measure(fed: number, behind: number): void {
    const at = this.#clock.monotonic();
    if (behind === 0) this.#since = undefined;
    else if (!this.#since) this.#since = { at, fed };
    else if (at - this.#since.at >= MEASURE_MS) {
      const speed = (fed - this.#since.fed) / (at - this.#since.at);
      this.#max = Math.min(Math.max(speed * LAG_MS, BYTES_MIN), BYTES_MAX);
      this.#since = { at, fed };
    }
  }
}
