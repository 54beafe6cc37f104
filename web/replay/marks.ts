// What is drawn on the scrubber: who worked when, what failed, what was asked. Pure; in percent of its width.
import { isStopped } from "../../src/core/base/stopped.ts";
import type { Block } from "../../src/protocol/ops/blocks.ts";
import type { Approval } from "../../src/protocol/ops/gate.ts";
import type { Axis } from "./axis.ts";

/** Nobody sees two marks closer than this. A thousand commands become some hundred pieces. */
const APART_PERCENT = 0.3;
/** Even a very short command stays visible. */
const WIDTH_PERCENT_MIN = 0.5;

interface Segment {
  readonly who: "you" | "agent";
  readonly left: number;
  readonly width: number;
}

interface Tick {
  readonly kind: "failed" | "asked";
  readonly left: number;
}

export function segmentsOf(blocks: readonly Block[], axis: Axis): Segment[] {
  const made: { who: Segment["who"]; left: number; width: number }[] = [];
  for (const { actor, ts_begin, ts_end } of blocks) {
    const who = actor.startsWith("agent") ? "agent" : "you";
    const left = percent(ts_begin, axis);
    const right = Math.min(100, Math.max(percent(ts_end ?? axis.end, axis), left + WIDTH_PERCENT_MIN));
    const last = made.at(-1);
    if (last?.who === who && left - (last.left + last.width) < APART_PERCENT)
      last.width = Math.max(last.width, right - last.left);
    else made.push({ who, left: Math.min(left, 100 - WIDTH_PERCENT_MIN), width: right - left });
  }
  return made;
}

export function ticksOf(blocks: readonly Block[], approvals: readonly Approval[], axis: Axis): Tick[] {
  const failed = blocks
    .filter(({ state, exit_code }) => state === "lost" || (state === "failed" && !isStopped(exit_code)))
    .map(({ ts_end, ts_begin }): Tick => ({ kind: "failed", left: percent(ts_end ?? ts_begin, axis) }));
  const asked = approvals
    .filter(({ created_at }) => created_at >= axis.start)
    .map(({ created_at }): Tick => ({ kind: "asked", left: percent(created_at, axis) }));
  return [...thinned(failed), ...thinned(asked)];
}

/** The command that ran at a moment, or the last one before it. */
export function blockAt(blocks: readonly Block[], ts: number): Block | undefined {
  return blocks.findLast(({ ts_begin }) => ts_begin <= ts);
}

export function percent(ts: number, axis: Axis): number {
  return axis.length_ms === 0 ? 100 : (axis.played(ts) / axis.length_ms) * 100;
}

function thinned(ticks: readonly Tick[]): Tick[] {
  const kept: Tick[] = [];
  for (const tick of ticks) if (tick.left - (kept.at(-1)?.left ?? -1) >= APART_PERCENT) kept.push(tick);
  return kept;
}
