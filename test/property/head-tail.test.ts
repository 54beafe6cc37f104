// Beginning and end of a text: nothing invented, nothing cut in two, and what is left out is counted.
import fc from "fast-check";
import { expect, test } from "vitest";
import { HeadTail } from "../../src/core/base/head-tail.ts";

const bytes = (text: string) => Buffer.byteLength(text);

test("head + what is omitted + tail is the whole, in any pieces", () => {
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
