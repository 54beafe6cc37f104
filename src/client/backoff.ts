// How long to wait before the next attempt to connect. Pure: randomness comes in.

const FIRST_MS = 250;
/** Long enough to be quiet, short enough that nobody presses reload. */
const LONGEST_MS = 5_000;
/** Random share, so that many pages do not come back in the same instant. */
const JITTER = 0.3;

export function backoffMs(attempt: number, random: number): number {
  const plain = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10));
  return Math.round(plain * (1 - JITTER + 2 * JITTER * random));
}
