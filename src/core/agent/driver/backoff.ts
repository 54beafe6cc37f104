// How long to wait before we ask a model again after trouble. Pure. It needs no randomness, because one daemon is no herd.
import type { Trouble } from "../agent.ts";

/** The longest row of tries takes about two minutes: longer than most overloads, shorter than a person's patience. */
export const TRIES_MAX = 8;
/** A reply that makes no sense may happen once by bad luck. */
const INVALID_TRIES_MAX = 2;
const FIRST_MS = 1_000;
const WAIT_MAX_MS = 30_000;
/** A provider may ask for more patience than we would have by ourselves, but not for a night. */
const ASKED_MAX_MS = 300_000;

/** `tries`: how often we asked already. Null means not again. */
export function retryAfter({ code, retry }: Trouble, tries: number): number | null {
  if (retry === null || tries >= (code === "invalid" ? INVALID_TRIES_MAX : TRIES_MAX)) return null;
  const own = Math.min(FIRST_MS * 2 ** (tries - 1), WAIT_MAX_MS);
  return Math.round(Math.max(own, Math.min(retry.after_ms ?? 0, ASKED_MAX_MS)));
}
