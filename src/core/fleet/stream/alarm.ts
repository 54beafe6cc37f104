// One timer for everything that falls due at one end of a stream. Owns: when it rings next. It may ring early: whoever is called says
// when it is needed again.
import type { Clock } from "../../base/clock.ts";

export class Alarm {
  #clock: Clock;
  #ring: (now: number) => number | undefined;
  #at = Number.POSITIVE_INFINITY;
  #cancel: (() => void) | undefined;

  /** `ring` does what is due and says what is next, by the monotonic clock. Undefined: nothing. */
  constructor(clock: Clock, ring: (now: number) => number | undefined) {
    [this.#clock, this.#ring] = [clock, ring];
  }

  /** It rings not later than this. */
  by(at: number): void {
    if (at >= this.#at) return;
    this.stop();
    this.#at = at;
    this.#cancel = this.#clock.after(Math.max(0, at - this.#clock.monotonic()), () => {
      this.stop();
      const next = this.#ring(this.#clock.monotonic());
      if (next !== undefined) this.by(next);
    });
  }

  stop(): void {
    this.#cancel?.();
    [this.#cancel, this.#at] = [undefined, Number.POSITIVE_INFINITY];
  }
}
