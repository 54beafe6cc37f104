// Output that is read without a screen has the lines that a screen shows.
import fc from "fast-check";
import { expect, it } from "vitest";
import { BlockLines } from "../../../src/core/past/block-lines.ts";
import { type Line, linesOf } from "../../../src/core/past/lines.ts";
import { plainLines } from "../../../src/core/past/plain-lines.ts";
import { makeGhostty } from "../../../src/host/engine/ghostty.ts";
import { depth } from "../../fixtures/depth.ts";
import { FakeClock } from "../../fixtures/fakes/clock.ts";
import { MemoryStore } from "../../fixtures/fakes/memory-store.ts";

const part = fc.oneof(
  { weight: 20, arbitrary: fc.stringMatching(/^[ -~]{0,12}$/) },
  { weight: 10, arbitrary: fc.constant("\r\n") },
  { weight: 2, arbitrary: fc.constantFrom(" ", "   ", "\r\n\r\n", "\r", "\n", "\t", "ü", "\x1b[1mx", "\x7f", "\b") },
);

async function linesFrom(text: string, size: { cols: number; rows: number }, sgr: string): Promise<string[]> {
  const clock = new FakeClock();
  const files = new MemoryStore().files("s_00000000", "holder");
  files.appendOutput(Buffer.from(text));
  const blockLines = new BlockLines(files, clock);
  const parts = { files, clock, makeEngine: makeGhostty, records: [], size, scrollback: 1_000, blockLines };
  const lines: string[] = [];
  // A screen cuts a run where it wrapped the line.
  const take = (line: Line) => void lines.push(line.map((run) => `${run.text}`).join(""));
  await linesOf(parts, { start: 0, end: Buffer.byteLength(text), sgr }, take);
  return lines;
}

it("any small output has the same lines without a screen as on one, at any width", async () => {
  let plain = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 40 }), fc.integer({ min: 4, max: 40 }), async (parts, cols) => {
      const text = parts.join("");
      if (plainLines(Buffer.from(text))) plain += 1;
      // Colours before it need a screen.
      const onScreen = await linesFrom(text, { cols, rows: 6 }, "\x1b[0m");
      expect(await linesFrom(text, { cols, rows: 6 }, "")).toEqual(onScreen);
    }),
    { numRuns: depth(80, 300), endOnFailure: true },
  );
  expect(plain).toBeGreaterThan(20);
});

it("a command that prints plain lines needs no screen, and others do", () => {
  const lines = (text: string) => plainLines(Buffer.from(text));
  expect(lines("")).toEqual([]);
  expect(lines("one\r\n\r\nthree\r\n")).toEqual(["one", "", "three"]);
  expect(lines("no end of line")).toEqual(["no end of line"]);
  for (const other of ["a\rb", "a\nb", "\x1b[1mx", "ü", "a\tb", "a\r\n\r\n", "blank \r\n"])
    expect(lines(other)).toBeUndefined();
});
