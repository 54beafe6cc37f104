// Keys to another machine, with everything that can happen to their connection: each is typed at most once and in order, and one that
// is not typed was refused when it was pressed, or told as one that may be lost.
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KeptInput, keysIn, lostKeysWords } from "../../../src/core/base/kept-input.ts";
import { TypedInput } from "../../../src/core/journal/typed-input.ts";
import { sha256Hex } from "../../../web/approvals/sha256.ts";
import { depth } from "../../fixtures/depth.ts";

const VIEWER = 7;

/** The other machine: it takes frames by their numbers, also those of a connection that is over here already. */
class Machine {
  readonly typed = new TypedInput();
  readonly read: number[] = [];
  frames: { readonly n: number; readonly key: number }[] = [];

  take(count: number): number | undefined {
    let last: number | undefined;
    for (const { n, key } of this.frames.splice(0, count)) {
      if (this.typed.isNew({ viewer: VIEWER, n })) this.read.push(key);
      last = n;
    }
    return last;
  }
}

const STEP = fc.oneof(
  { weight: 6, arbitrary: fc.constant("type" as const) },
  { weight: 2, arbitrary: fc.constant("take" as const) },
  { weight: 2, arbitrary: fc.constant("confirm" as const) },
  { weight: 1, arbitrary: fc.constant("lose" as const) },
  { weight: 1, arbitrary: fc.constant("open" as const) },
  { weight: 1, arbitrary: fc.constant("late" as const) },
);

describe("keys to another machine", () => {
  test("are typed once and in order; what is missing was refused or told", () => {
    fc.assert(
      fc.property(fc.array(STEP, { maxLength: 80 }), (steps) => {
        const machine = new Machine();
        const late: { readonly n: number; readonly key: number }[] = [];
        let [key, next, isOpen, told, refused] = [0, 1, false, 0, 0];
        let confirmable: number | undefined;
        const input = new KeptInput((bytes) => {
          machine.frames.push({ n: next, key: (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0) });
          next += 1;
        }, "once");
        for (const step of [...steps, "lose" as const]) {
          if (step === "type") {
            key += 1;
            const done = input.type(new Uint8Array([key >> 8, key & 255]));
            expect(done).toBe(isOpen ? "sent" : "refused");
            if (done === "refused") refused += 1;
          }
          if (step === "take") confirmable = machine.take(2) ?? confirmable;
          if (step === "confirm" && confirmable !== undefined && isOpen) input.confirm(confirmable);
          if (step === "lose") {
            isOpen = false;
            told += input.lost().length / 2;
            expect(input.isConfirmed).toBe(true);
            // Some of it is still on its way, and arrives when it likes.
            late.push(...machine.frames.splice(0));
            confirmable = undefined;
          }
          if (step === "open" && !isOpen) {
            isOpen = true;
            next = input.from;
            const before = machine.frames.length;
            input.opened();
            expect(machine.frames.length).toBe(before);
          }
          if (step === "late") machine.frames.push(...late.splice(0));
        }
        machine.take(Infinity);
        const sorted = [...machine.read].sort((a, b) => a - b);
        expect(machine.read).toEqual(sorted);
        expect(new Set(machine.read).size).toBe(machine.read.length);
        expect(key - machine.read.length).toBeLessThanOrEqual(told + refused);
      }),
      { numRuns: depth(800, 3_000) },
    );
  });

  test("are counted as a person pressed them", () => {
    const count = (text: string) => keysIn(new TextEncoder().encode(text));
    expect(count("")).toBe(0);
    expect(count("ls -l\r")).toBe(6);
    expect(count("zürich 🦊")).toBe(8);
    expect(count("\x1b[A\x1b[1;5C\x1bOP\x1b")).toBe(4);
    expect(count("\x1bf\x7f\x03")).toBe(3);
    // Where the mouse was and whether the window had the focus are no keys.
    expect(count("\x1b[I\x1b[<0;10;20M\x1b[<0;10;20m\x1b[O")).toBe(0);
    expect(lostKeysWords(12, "box")).toBe("12 keys may not have been typed on box.");
    expect(lostKeysWords(1, "box")).toBe("1 key may not have been typed on box.");
  });
});

test("the page's SHA-256 is that of everybody", () => {
  const text = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.string({ maxLength: 300 }));
  fc.assert(
    fc.property(text, (one) => {
      expect(sha256Hex(one)).toBe(createHash("sha256").update(one).digest("hex"));
    }),
    { numRuns: 200 },
  );
  for (const length of [0, 55, 56, 63, 64, 65, 119, 120, 100_000])
    expect(sha256Hex("x".repeat(length))).toBe(createHash("sha256").update("x".repeat(length)).digest("hex"));
});
