// How a moment of a session is written, and which cursor that is. Pure.
import { type Fault, fault } from "../base/fault.ts";
import type { Timeline } from "../journal/timeline.ts";
import type { PastTarget } from "./past.ts";

export type At =
  | { readonly cursor: number }
  | { readonly time_ms: number }
  /** Before the end: of the session, or now while it runs. */
  | { readonly ago_ms: number }
  /** After the session's start. */
  | { readonly offset_ms: number }
  | { readonly block: string };

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

export function parseAt(text: string): At | Fault {
  if (/^\d{1,16}$/.test(text)) return { cursor: Number(text) };
  const epoch = /^@(\d{1,15})$/.exec(text)?.[1];
  if (epoch !== undefined) return { time_ms: Number(epoch) };
  const ago = /^-(.+)$/.exec(text)?.[1];
  if (ago !== undefined && duration(ago) !== undefined) return { ago_ms: duration(ago) ?? 0 };
  const offset = /^t\+(.+)$/i.exec(text)?.[1];
  if (offset !== undefined && duration(offset) !== undefined) return { offset_ms: duration(offset) ?? 0 };
  const block = /^block:(.+)$/.exec(text)?.[1];
  if (block !== undefined) return { block };
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return { time_ms: time };
  const hint = "Write a cursor (12345), -5s before the end, t+3.5s after the start, @MILLISECONDS or an ISO time.";
  return fault("input.invalid", `"${text}" is no moment`, hint);
}

/** Everything but a cursor needs the timeline. */
export function targetOf(at: At, timeline: Timeline, session: { total: number; end: number }): PastTarget | Fault {
  if ("cursor" in at) return { cursor: Math.min(at.cursor, session.total) };
  if ("block" in at) return fault("input.invalid", "blocks cannot be named here yet", "Write a cursor or a time.");
  const until =
    "time_ms" in at ? at.time_ms : "ago_ms" in at ? session.end - at.ago_ms : timeline.startedAt + at.offset_ms;
  return { cursor: timeline.cursorAt(until, session.total), until };
}

function duration(text: string): number | undefined {
  const found = /^(\d{1,9}(?:\.\d{1,6})?)(ms|s|m|h)$/.exec(text);
  return found ? Math.round(Number(found[1]) * (UNITS[found[2] ?? ""] ?? 0)) : undefined;
}
