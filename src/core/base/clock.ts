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
}
