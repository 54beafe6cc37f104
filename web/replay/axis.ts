// The time of a recording: when which bytes were there, and how long it takes to play. Pure. Pauses can be cut short, so that
// an hour of work in three days is an hour on the axis.
import { firstIndex } from "../../src/core/base/first-index.ts";
import type { Output } from "../../src/protocol/ops.ts";

/** The longest pause when pauses are cut short, still long enough to notice. */
const PAUSE_MS = 2_000;

export type Pauses = "short" | "full";

/** The number of bytes after the output at `ts`. */
interface Frame {
  readonly ts: number;
  readonly cursor: number;
}

export interface Axis {
  readonly frames: readonly Frame[];
  readonly start: number;
  readonly end: number;
  /** How long it takes to play at normal speed. */
  readonly length_ms: number;
  /** How far into the playing a moment is. */
  played(ts: number): number;
  /** The moment shown after this much playing time. */
  moment(played_ms: number): number;
  /** How many bytes there were at a moment. */
  cursorAt(ts: number): number;
  /** When a byte came. */
  timeOf(cursor: number): number;
}

export function axisOf(timeline: Output<"timeline">, pauses: Pauses): Axis {
  const { started_at: start, latest_at, total_bytes } = timeline;
  const frames = framesOf(timeline);
  const end = Math.max(latest_at, start + 1);
  const times = [start, ...frames.map(({ ts }) => ts), end].sort((a, b) => a - b);
  const most = pauses === "short" ? PAUSE_MS : Number.POSITIVE_INFINITY;
  const sums = [0];
  for (const [i, ts] of times.entries())
    if (i > 0) sums.push((sums[i - 1] ?? 0) + Math.min(most, ts - (times[i - 1] ?? ts)));
  /** Interpolates between two known points. */
  const between = (from: readonly number[], to: readonly number[], value: number) => {
    const next = firstIndex(from, (point) => point > value);
    const [a = 0, b = from.at(-1) ?? 0] = [from[next - 1], from[next]];
    const [x = to[0] ?? 0, y = to.at(-1) ?? 0] = [to[next - 1], to[next]];
    return b === a ? y : x + ((y - x) * (value - a)) / (b - a);
  };
  const length_ms = sums.at(-1) ?? 0;
  return {
    frames,
    start,
    end,
    length_ms,
    played: (ts) => (ts >= end ? length_ms : ts <= start ? 0 : between(times, sums, ts)),
    moment: (played) => (played >= length_ms ? end : played <= 0 ? start : between(sums, times, played)),
    cursorAt: (ts) => frames[firstIndex(frames, (frame) => frame.ts > ts) - 1]?.cursor ?? 0,
    timeOf: (cursor) => frames[firstIndex(frames, (frame) => frame.cursor >= cursor)]?.ts ?? end,
  };

  /** Output after a mark or a resize came at its time, up to the next one. */
  function framesOf({ marks, resizes }: Output<"timeline">): Frame[] {
    const records = [...marks, ...resizes].sort((a, b) => a.cursor - b.cursor || a.ts - b.ts);
    return records.map(({ ts }, i) => ({ ts, cursor: records[i + 1]?.cursor ?? total_bytes }));
  }
}
