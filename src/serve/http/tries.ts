// Counts wrong tokens and codes by address. Nobody guesses 256 bits, so what is right is let in however much else was wrong:
// otherwise any process here could lock the person out. What is wrong too often is answered briefly.

/** A person who copies an old link a few times stays below. */
const FAILURES_A_MINUTE_MAX = 10;
const MINUTE_MS = 60_000;
/** Addresses that are remembered. The oldest goes first. */
const ADDRESSES_MAX = 1_000;

export class Tries {
  #failures = new Map<string, { begun: number; count: number }>();

  /** Notes a failure. True: there were too many within a minute. */
  failed(address: string, now: number): boolean {
    const known = this.#failures.get(address);
    const minute = known && now - known.begun < MINUTE_MS ? known : { begun: now, count: 0 };
    minute.count += 1;
    this.#failures.delete(address);
    this.#failures.set(address, minute);
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > ADDRESSES_MAX && oldest !== undefined) this.#failures.delete(oldest);
    return minute.count > FAILURES_A_MINUTE_MAX;
  }
}
