// Port: time. The core never reads a clock by itself, so that a simulator can control every instant.

export interface Clock {
  /** Wall time in milliseconds since the epoch: for records, never for durations. */
  now(): number;
  /** Monotonic milliseconds, fractional: for durations and slices. */
  monotonic(): number;
  /** Runs once after `ms`; the returned function cancels. */
  after(ms: number, run: () => void): () => void;
  /** Runs once in a later turn of the event loop, after pending input. */
  soon(run: () => void): void;
  /** Runs once when others have little to do: for work that nobody waits for. */
  idle(run: () => void): void;
}

/** Nobody notices a wait of this length. */
const TURN_MS_MAX = 4;

/** Long work in short turns: between two of them everybody else is served. */
export class Turns {
  #clock: Clock;
  #began: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#began = clock.monotonic();
  }

  /** After every short step of the work. Goes on at once until the turn is over. */
  async rest(): Promise<void> {
    if (this.#clock.monotonic() - this.#began < TURN_MS_MAX) return;
    await new Promise<void>((resolve) => this.#clock.soon(resolve));
    this.#began = this.#clock.monotonic();
  }
}
