// What both ends of a stream have in common: whose end it is, what it is given, and how it ends.
import type { Clock } from "../../base/clock.ts";
import type { Closing, Seal } from "../frame.ts";

export type Side = "host" | "device";

/** One seal for each direction, named as the subjects are: in is from the device to the host. */
export interface Seals {
  readonly in: Seal;
  readonly out: Seal;
}

export interface StreamParts {
  /** The frame belongs to whoever takes it. away: there is no broker, and nothing was sent. */
  send(frame: Uint8Array): "sent" | "away";
  readonly seals: Seals;
  readonly clock: Clock;
}

/** A viewer's own window. */
export const WINDOW_BYTES = 512 << 10;

/**
 * closed: in order, by either side. cut: by `terminate`. away: the bus took nothing. silent: nothing came for too long.
 * missing: a frame did not arrive. broken: a frame was changed, or is not of this protocol. unknown: the other side forgot it.
 * keys: the host knows of typed bytes that did not arrive. full: too much waits. large: one message was too long.
 */
export type Why =
  | "closed"
  | "cut"
  | "away"
  | "silent"
  | "missing"
  | "broken"
  | "unknown"
  | "keys"
  | "full"
  | "large"
  | "worn";

export interface StreamEnd extends Closing {
  readonly why: Why;
}

/** As a browser says it: lost without a word. */
const LOST = 1006;
const TOO_LARGE = 1009;
const TRY_LATER = 1013;

const WORDS: Readonly<Record<Exclude<Why, "closed">, Closing>> = {
  cut: { code: LOST, reason: "it was cut off" },
  away: { code: LOST, reason: "there is no connection to the broker" },
  silent: { code: LOST, reason: "the other machine is silent" },
  missing: { code: LOST, reason: "a frame was lost" },
  broken: { code: LOST, reason: "a frame was changed or is not understood" },
  unknown: { code: LOST, reason: "the other machine has forgotten this stream" },
  keys: { code: LOST, reason: "keys were lost" },
  full: { code: TRY_LATER, reason: "too much waits for this viewer" },
  large: { code: TOO_LARGE, reason: "one message is too long" },
  worn: { code: LOST, reason: "this stream is used up" },
};

export function endOf(why: Exclude<Why, "closed">): StreamEnd {
  return { why, ...WORDS[why] };
}
