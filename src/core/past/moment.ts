// How a moment of a session is written, and which cursor that is. Pure.
import { advice } from "../base/advice.ts";
import { type Fault, fault } from "../base/fault.ts";
import type { Block } from "../block/block.ts";
import type { Timeline } from "../journal/timeline.ts";
import type { PastTarget } from "./past.ts";

type At =
  | { readonly cursor: number }
  | { readonly time_ms: number }
  /** Before the session's end, or before now while it runs. */
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
  const hint =
    "Write a cursor (12345), -5s before the end, t+3.5s after the start, @MILLISECONDS, an ISO time or block:ID.";
  return fault("input.invalid", `"${text}" is not a moment`, hint);
}

/** Everything except a cursor and a block needs the timeline. A block means the moment of its end. */
export function targetOf(
  at: At,
  timeline: Timeline,
  session: { readonly total: number; readonly end: number; readonly blocks: readonly Block[] },
): PastTarget | Fault {
  if ("cursor" in at) return { cursor: Math.min(at.cursor, session.total) };
  if ("block" in at) return blockTarget(at.block, session);
  const until =
    "time_ms" in at ? at.time_ms : "ago_ms" in at ? session.end - at.ago_ms : timeline.startedAt + at.offset_ms;
  return { cursor: timeline.cursorAt(until, session.total), until };
}

function blockTarget(
  ref: string,
  { total, blocks }: { readonly total: number; readonly blocks: readonly Block[] },
): PastTarget | Fault {
  const number = /^\d{1,9}$/.test(ref) ? Number(ref) - 1 : ref === "last" ? -1 : undefined;
  const block = number === undefined ? blocks.find(({ block_id }) => block_id === ref) : blocks.at(number);
  if (!block || ref === "0") return fault("block.not_found", `there is no block "${ref}"`, advice("blocks"));
  return { cursor: block.cursor_end ?? total };
}

function duration(text: string): number | undefined {
  const found = /^(\d{1,9}(?:\.\d{1,6})?)(ms|s|m|h)$/.exec(text);
  return found ? Math.round(Number(found[1]) * (UNITS[found[2] ?? ""] ?? 0)) : undefined;
}
