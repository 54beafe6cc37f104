// Beginning and end of a text: nothing invented, nothing cut in two, and what is left out is counted.
import fc from "fast-check";
import { expect, test } from "vitest";
import { clipped, HeadTail, shortened } from "../../../src/core/base/head-tail.ts";

const bytes = (text: string) => Buffer.byteLength(text);

test("head, omitted count and tail add up to the whole text, in any pieces", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme", maxLength: 40 }), { maxLength: 40 }),
      fc.integer({ min: 10, max: 300 }),
      (pieces, max) => {
        const kept = new HeadTail(max);
        for (const piece of pieces) kept.push(piece);
        const { head, tail, omitted_bytes } = kept.kept();
        const whole = pieces.join("");
        expect(whole.startsWith(head)).toBe(true);
        expect(whole.endsWith(tail)).toBe(true);
        expect(bytes(head) + omitted_bytes + bytes(tail)).toBe(bytes(whole));
        expect(head.length + tail.length).toBeLessThanOrEqual(max);
        if (whole.length <= max) expect({ head, omitted_bytes }).toEqual({ head: whole, omitted_bytes: 0 });
        expect(/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(head) || /^[\udc00-\udfff]|[\ud800-\udbff]$/.test(tail)).toBe(
          false,
        );
      },
    ),
  );
});

test("a text that fits is kept whole when a surrogate pair lies at the end of the head", () => {
  const kept = new HeadTail(10);
  const text = `${"a".repeat(kept.headMax - 1)}😀${"b".repeat(5)}`;
  kept.push(text);
  expect(text).toHaveLength(10);
  expect(kept.kept()).toEqual({ head: text, tail: "", omitted_bytes: 0 });
});

const any = fc.oneof(fc.string({ unit: "grapheme", maxLength: 600 }), fc.string({ unit: "binary", maxLength: 600 }));
const limit = fc.integer({ min: 40, max: 400 });
const chars = (text: string) => [...text].length;
const isWhole = (text: string) => !/\p{Surrogate}/u.test(text);

test("a text that was shortened fits, says how many characters are missing, and has its beginning and its end", () => {
  fc.assert(
    fc.property(any, limit, (text, max) => {
      const short = shortened(text, max);
      expect(short === text).toBe(text.length <= max);
      if (text.length <= max) return;
      expect(short.length).toBeLessThanOrEqual(max);
      expect(isWhole(short)).toBe(isWhole(text));
      // A text may itself look like the mark: one of them tells the truth.
      const marks = [...short.matchAll(/\n\[(\d+) characters left out\]\n/g)];
      const saysCount = marks.some(({ 0: mark, 1: count, index }) => {
        const [head, tail] = [short.slice(0, index), short.slice(index + mark.length)];
        return (
          text.startsWith(head) && text.endsWith(tail) && chars(text) - chars(head) - chars(tail) === Number(count)
        );
      });
      expect(saysCount, short).toBe(true);
    }),
  );
});

test("shortening in pieces is not longer and counts nothing twice", () => {
  fc.assert(
    fc.property(fc.array(any, { maxLength: 8 }), limit, (pieces, max) => {
      const kept = HeadTail.fitting(max);
      for (const piece of pieces) kept.push(piece);
      const text = kept.text();
      expect(text.length).toBeLessThanOrEqual(max);
      // Shortening it once more to the same length changes nothing.
      expect(shortened(text, max)).toBe(text);
      const { head, tail, omitted_bytes } = kept.kept();
      if (omitted_bytes > 0)
        expect(text).toContain(`[${chars(pieces.join("")) - chars(head) - chars(tail)} characters left out]`);
    }),
  );
});

test("a title that was clipped fits and ends between two characters", () => {
  fc.assert(
    fc.property(any, fc.integer({ min: 1, max: 400 }), (text, max) => {
      const short = clipped(text, max);
      expect(short.length).toBeLessThanOrEqual(max);
      expect(isWhole(short)).toBe(isWhole(text));
      expect(short === text || (short.endsWith("…") && text.startsWith(short.slice(0, -1)))).toBe(true);
    }),
  );
});
