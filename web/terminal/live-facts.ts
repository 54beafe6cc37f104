// What the page knows of a live session's terminal. Pure.
import type { StreamPhase } from "../../src/client/connection.ts";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import type { End } from "../sessions/labels.ts";
import type { Size } from "../wire/write-queue.ts";

/** follow: the session takes the size of this page. watch: this page takes what it gets (phones). */
export type Sizing = "follow" | "watch";

/** whole: the whole screen. command: only the running command's rows. parked: not visible. */
export type Placing = "whole" | "command" | "parked";

export interface LiveFacts {
  readonly phase: StreamPhase;
  readonly cursor: number;
  readonly painted: boolean;
  readonly size: Size | undefined;
  readonly state: SessionInfo["state"] | undefined;
  readonly hold: string | undefined;
  readonly end: End | undefined;
  readonly sizing: Sizing;
  readonly placing: Placing;
  /** How much of the screen is visible when only a command's rows are shown. */
  readonly crop_px: number | undefined;
  readonly alt_screen: boolean;
  /** The last command has ended, and the terminal does not show its rows any more. */
  readonly rows_lost: boolean;
  /** True for a moment after keys that were not sent. */
  readonly nudged: boolean;
  /** Why the page did not send them. */
  readonly kept_back: string | undefined;
  /** What was typed without a connection, as one reads it. It is sent when there is one again. */
  readonly kept: string;
  /** Keys that may not have been typed on the other machine, until somebody has read that. */
  readonly lost: number;
}

export const FIRST_FACTS: Omit<LiveFacts, "sizing"> = {
  phase: "connecting",
  cursor: 0,
  painted: false,
  size: undefined,
  state: undefined,
  hold: undefined,
  end: undefined,
  placing: "parked",
  crop_px: undefined,
  alt_screen: false,
  rows_lost: false,
  nudged: false,
  kept_back: undefined,
  kept: "",
  lost: 0,
};

/** Control characters as their pictures, the usual ones as people write them. */
export function readable(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  return text
    .replace(/\r/g, "⏎")
    .replace(/\x7f/g, "⌫")
    .replace(/[\x00-\x1f]/g, (one) => String.fromCharCode(0x2400 + one.charCodeAt(0)));
}
