// Which cards are drawn: laws of the window over lists of any length.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DRAWN_MAX, inSight, sum, windowOf } from "../../../web/transcript/windowing.ts";

const heights = fc.array(fc.integer({ min: 30, max: 1_500 }), { maxLength: 5_000 });
const sight = fc.record({ top: fc.integer({ min: 0, max: 400_000 }), height: fc.integer({ min: 100, max: 1_200 }) });

describe("the window of cards", () => {
  test("few cards are drawn, and omitted ones keep their height", () => {
    fc.assert(
      fc.property(heights, sight, (all, where) => {
        const { start, end, above, below } = windowOf(all, where);
        expect(end - start).toBeLessThanOrEqual(DRAWN_MAX);
        expect(above + sum(all, start, end) + below).toBe(sum(all, 0, all.length));
      }),
      { numRuns: 200 },
    );
  });

  test("every visible card is drawn", () => {
    fc.assert(
      fc.property(heights, sight, (all, where) => {
        const { start, end } = windowOf(all, where);
        let at = 0;
        for (const [i, own] of all.entries()) {
          if (at + own > where.top && at < where.top + where.height) expect(i >= start && i < end).toBe(true);
          at += own;
        }
      }),
      { numRuns: 200 },
    );
  });

  test("the last card is drawn when the view is beyond the end", () => {
    expect(inSight([10, 10, 10], { top: 500, height: 100 })).toEqual({ first: 2, last: 2 });
    expect(windowOf([], { top: 0, height: 100 })).toEqual({ start: 0, end: 0, above: 0, below: 0 });
  });
});
