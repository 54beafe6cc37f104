// Moments and cursors: what happened between two cursors comes once and in order, wherever it is cut.
import fc from "fast-check";
import { expect, it } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import type { JournalRecord, MarkRecord } from "../../../src/core/journal/records.ts";
import { type Step, Timeline } from "../../../src/core/journal/timeline.ts";
import { parseAt, targetOf } from "../../../src/core/past/moment.ts";

const START = 1_000;

const records = fc
  .array(fc.record({ bytes: fc.nat(20), ms: fc.integer({ min: -30, max: 100 }), resize: fc.boolean() }), {
    maxLength: 20,
  })
  .map((list) => {
    let [cursor, ts] = [0, START];
    return list.map(({ bytes, ms, resize }): JournalRecord | MarkRecord => {
      cursor += bytes;
      ts += ms;
      return resize ? { cursor, kind: "resize", cols: 80, rows: 24, ts } : { cursor, kind: "mark", ts };
    });
  });

function timelineOf(list: readonly (JournalRecord | MarkRecord)[]): { timeline: Timeline; total: number } {
  const timeline = new Timeline(START);
  for (const record of list) timeline.add(record);
  return { timeline, total: (list.at(-1)?.cursor ?? 0) + 5 };
}

/** One entry per byte and per resize. */
function unfold(steps: Iterable<Step>): string[] {
  return [...steps].flatMap((step) =>
    step.kind === "output"
      ? Array.from({ length: step.to - step.from }, (_, i) => `${step.from + i} at ${step.ts}`)
      : [`${step.kind} at ${step.ts}`],
  );
}

it("every byte and resize comes once for any cut, and time never goes back", () => {
  fc.assert(
    fc.property(records, fc.nat(), (list, place) => {
      const { timeline, total } = timelineOf(list);
      const middle = place % (total + 1);
      const whole = unfold(timeline.steps({ from: 0, to: total, last: "with" }));
      const first = unfold(timeline.steps({ from: 0, to: middle, last: "without" }));
      const second = unfold(timeline.steps({ from: middle, to: total, last: "with" }));
      expect([...first, ...second]).toEqual(whole);
      const times = whole.map((entry) => Number(entry.split(" at ")[1]));
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }),
  );
});

it("a time leads to the bytes that had come by then", () => {
  fc.assert(
    fc.property(records, fc.integer({ min: -50, max: 2_000 }), (list, ms) => {
      const { timeline, total } = timelineOf(list);
      const cursor = timeline.cursorAt(START + ms, total);
      if (cursor > 0) expect(timeline.timeAt(cursor)).toBeLessThanOrEqual(Math.max(START, START + ms));
      for (const record of timeline.records)
        if (record.ts <= START + ms) expect(cursor).toBeGreaterThanOrEqual(record.cursor);
    }),
  );
});

it.each([
  ["12345", { cursor: 12_345 }],
  ["@1700000000000", { time_ms: 1_700_000_000_000 }],
  ["2026-01-02T03:04:05Z", { time_ms: Date.UTC(2026, 0, 2, 3, 4, 5) }],
  ["-5s", { ago_ms: 5_000 }],
  ["-2m", { ago_ms: 120_000 }],
  ["t+3.5s", { offset_ms: 3_500 }],
  ["block:b1", { block: "b1" }],
])("reads %s", (text, at) => {
  expect(parseAt(text)).toEqual(at);
});

it.each(["", "soon", "-5", "5s", "t+", "1e9", "99999999999999999999"])("does not read %j", (text) => {
  expect(isFault(parseAt(text))).toBe(true);
});

it("a missing block is named, and moments stay within the journal", () => {
  const timeline = new Timeline(START);
  expect(targetOf({ block: "b1" }, timeline, { total: 9, end: 0, blocks: [] })).toMatchObject({ fault: true });
  expect(targetOf({ cursor: 50 }, timeline, { total: 9, end: 0, blocks: [] })).toEqual({ cursor: 9 });
  expect(targetOf({ time_ms: 5 }, timeline, { total: 9, end: 0, blocks: [] })).toEqual({ cursor: 0, until: 5 });
});
