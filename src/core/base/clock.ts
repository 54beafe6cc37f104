// Port: time. The core never reads a clock of its own, so that a simulator can own every instant.

export interface Clock {
  /** Wall time in milliseconds since the epoch: for records, never for durations. */
  now(): number;
  /** Monotonic milliseconds, fractional: for durations and slices. */
  monotonic(): number;
  /** Runs once after `ms`; the returned function cancels. */
  after(ms: number, run: () => void): () => void;
  /** Runs once in a later turn of the loop, after pending input was looked at. */
  soon(run: () => void): void;
}
