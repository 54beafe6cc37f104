// Answers to typing and waiting: what is told is enough to know the screen, and the rest of an answer is small, whatever was shown.
import fc from "fast-check";
import { expect, test } from "vitest";
import { newsIn } from "../../../src/core/screen/looks.ts";
import { placeIn, sliceOf } from "../../../src/mcp/answer/slices.ts";
import { stepText } from "../../../src/mcp/answer/step-text.ts";
import { newFence } from "../../../src/mcp/fence.ts";

const ROWS = 12;
const text = fc.oneof(
  fc.constantFrom("", "", "~", "alpha", "[end 000000]", "3| beta", "»"),
  fc.string({ maxLength: 30 }),
);
const rows = fc
  .array(text, { minLength: ROWS, maxLength: ROWS })
  .map((all) => all.map((one) => one.replace(/\s/g, "")));
const shown = fc.record({
  rows,
  alt_screen: fc.boolean(),
  cols: fc.constantFrom(80, 81),
  scrollback_total: fc.nat(3),
  cursor: fc.record({ row: fc.nat(ROWS - 1), col: fc.nat(300), visible: fc.boolean() }),
  selected: fc.constantFrom(undefined, [{ row: 2, from: 0, to: 3, text: "abc", by: "reverse" as const }]),
});

test("who knew the last screen and applies what is told has the screen", () => {
  fc.assert(
    fc.property(shown, fc.option(shown, { nil: undefined }), fc.boolean(), (now, before, isNear) => {
      // Mostly a few rows change, as programs do.
      const near = { ...now, rows: now.rows.map((one, i) => (i < 3 ? "old" : one)) };
      const known = isNear ? near : before;
      const { changes, whole } = newsIn(known, now);
      const scrolled = now.scrollback_total - (known?.scrollback_total ?? 0);
      const have = now.rows.map((_, row) => (whole ? "" : (known?.rows[row + scrolled] ?? "")));
      for (const { row, text } of changes) have[row] = text;
      expect(have).toEqual(now.rows);
    }),
  );
});

test("a line that was entered is not told back, but all that came of it is", () => {
  const screen = (...lines: string[]) => ({
    rows: [...lines, ...Array<string>(ROWS - lines.length).fill("")],
    alt_screen: false,
    cols: 80,
    scrollback_total: 0,
    cursor: { row: lines.length - 1 },
  });
  const told = (now: ReturnType<typeof screen>, entered?: string) =>
    newsIn(screen("hi", ">>>"), now, entered).changes.map(({ row }) => row);
  expect(told(screen("hi", ">>> 1+1", "2", ">>>"), "1+1")).toEqual([2, 3]);
  // Another line, a completed one, the same without a result, and what somebody else typed.
  expect(told(screen("hi", ">>> 1+2", "3", ">>>"), "1+1")).toEqual([1, 2, 3]);
  expect(told(screen("hi", ">>> 1+1x", "3", ">>>"), "1+1")).toEqual([1, 2, 3]);
  expect(told(screen("hi", ">>> 1+1"), "1+1")).toEqual([1]);
  expect(told(screen("hi", ">>> 1+1", "2", ">>>"))).toEqual([1, 2, 3]);
});

const step = fc.record({
  outcome: fc.constantFrom("matched", "stop", "deadline", "exited", "echo_off", "held", "cancelled"),
  matched: fc.option(fc.oneof(fc.constantFrom("prompt", "settled", "block_end"), fc.string({ maxLength: 500 }))),
  exit_code: fc.constantFrom(undefined, null, 0, 130),
  whole: fc.constantFrom(undefined, true),
  echo: fc.constantFrom("on", "off", "raw"),
  screen: shown,
});

test("all that is not rows has 60 bytes, and no row ends the fence", () => {
  fc.assert(
    fc.property(step, ({ screen, echo, ...answer }) => {
      const changes = screen.rows.map((one, row) => ({ row, text: one })).filter((one) => one.text !== "");
      const output = { ...answer, matched_at_entry: false, cursor: 1, changes, screen: { ...screen, echo } };
      const lines = stepText(output as unknown as Parameters<typeof stepText>[0], newFence()).split("\n");
      const isRow = (line: string) => /^\d+(?:-\d+)?[|»]/.test(line);
      const frame = lines.filter((line) => !isRow(line));
      expect(Buffer.byteLength(frame.join("\n"))).toBeLessThanOrEqual(60);
      // One line of ours before the rows, and the fence around them.
      expect(frame).toHaveLength(changes.length === 0 ? 1 : 3);
      if (changes.length > 0) {
        const [, code] = /^\[untrusted (?:alt screen |screen )?([0-9a-f]{6})\]$/.exec(lines[1] ?? "") ?? [];
        expect(lines.at(-1)).toBe(`[end ${code}]`);
      }
    }),
  );
});

test("slices of a part, one after the other, are the part", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 9_000 }), { maxLength: 9 }),
      fc.constantFrom({}, { after: "12:3" }),
      (all, asked) => {
        const part = { content: all.join("\n"), next: null };
        const told: string[] = [];
        for (let input: Record<string, unknown> = asked; ; ) {
          const place = placeIn(input);
          expect(place.input).toEqual(asked);
          const { content, next } = sliceOf<{ content: string; next: string | null }>(part, place.input, place.from);
          expect(content.length).toBeLessThanOrEqual(16_001);
          told.push(content);
          if (next === null) break;
          input = { after: next };
        }
        expect(told.join("")).toBe(part.content);
      },
    ),
    { numRuns: 30 },
  );
});
