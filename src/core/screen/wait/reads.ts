// Whether the program in front waits for input, by what the kernel says and what is before the cursor. Pure.
import type { Probe } from "../../journal/holding.ts";

/** Output may continue after a read has begun (a prompt in two writes). We wait this long for it. */
export const QUIET_BLOCKED_MS = 150;
export const QUIET_POLLED_MS = 300;
export const QUIET_UNKNOWN_MS = 600;

/** The end of a line that looks like a question, for programs that we may not inspect. */
export const ASKS = /(?:[?:>$#%]|\[[yY]\/[nN]\]|\([yY](?:es)?\/[nN]o?(?:\/\[fingerprint\])?\)|password[^:]*:)\s*$/;

/** The part of the screen that matters here. */
export interface Glance {
  readonly alt_screen: boolean;
  /** The cursor's row up to the cursor. */
  readonly before: string;
}

/** It reads the terminal again, and its output has settled. `quietMs`: since the last output and the last input. */
export function readsAgain(probe: Probe, busy: boolean, quietMs: number, glance: Glance | undefined): boolean {
  // It has printed more than we have read.
  if (probe.cursor === null) return false;
  switch (probe.activity.reading ?? "unknown") {
    case "blocked":
      return quietMs >= QUIET_BLOCKED_MS;
    case "polled":
      return quietMs >= QUIET_POLLED_MS && !busy;
    case "unknown":
      return quietMs >= QUIET_UNKNOWN_MS && (glance?.alt_screen === true || ASKS.test(glance?.before ?? ""));
    case "no":
      return false;
  }
}
