// How long a command took. The shell says when it began and ended, by a clock that may be set meanwhile. Where we were there at both
// moments, our own steady clock knows better.
import type { Clock } from "../base/clock.ts";

/** What the shell says is this new: we were there. */
const LIVE_MS = 2_000;
/** We hear of each moment up to LIVE_MS late, so a smaller difference says nothing about the shell's clock. */
const DOUBT_MS = 10_000;

export class Stopwatch {
  #clock: Clock;
  #began: { readonly ts: number; readonly steady: number | undefined } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(ts: number): void {
    this.#began = { ts, steady: this.#steady(ts) };
  }

  /** Null: nobody says when it ended. */
  end(ts: number | null): number | null {
    if (ts === null || !this.#began) return null;
    const told = Math.max(0, ts - this.#began.ts);
    const now = this.#steady(ts);
    if (now === undefined || this.#began.steady === undefined) return told;
    const measured = now - this.#began.steady;
    const isWrong = Math.abs(told - measured) > DOUBT_MS;
    return isWrong ? Math.round(measured) : told;
  }

  /** Undefined in output of an earlier time. */
  #steady(ts: number): number | undefined {
    return Math.abs(this.#clock.now() - ts) < LIVE_MS ? this.#clock.monotonic() : undefined;
  }
}
