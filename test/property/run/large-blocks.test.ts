// Parts of large outputs are the same lines that playing all of the output gives, wherever they are.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Block } from "../../../src/core/block/block.ts";
import { LineIndex } from "../../../src/core/journal/line-index.ts";
import type { ResizeRecord } from "../../../src/core/journal/records.ts";
import { BlockLines } from "../../../src/core/past/block-lines.ts";
import { keptText, styledLines } from "../../../src/core/past/block-output.ts";
import { linesOf } from "../../../src/core/past/lines.ts";
import type { MakeEngine } from "../../../src/core/screen/engine.ts";
import { makeGhostty } from "../../../src/host/engine/ghostty.ts";
import { depth } from "../../fixtures/depth.ts";
import { FakeClock } from "../../fixtures/fakes/clock.ts";
import { MemoryStore } from "../../fixtures/fakes/memory-store.ts";

const SIZE = { cols: 80, rows: 24 };
/** Some places of an index. */
const LARGE_BYTES = 70 << 10;

function partsOf(output: Uint8Array, records: readonly ResizeRecord[] = []) {
  // It stands still, so nobody is let in between.
  const clock = new FakeClock();
  const files = new MemoryStore().files("s_00000000", "holder");
  files.appendOutput(output);
  const played = { bytes: 0 };
  const makeEngine: MakeEngine = (options) => {
    const engine = makeGhostty(options);
    const feed = engine.feed.bind(engine);
    engine.feed = (bytes, at) => {
      played.bytes += bytes.length;
      feed(bytes, at);
    };
    return engine;
  };
  const common = { files, clock, makeEngine, records, size: SIZE, scrollback: 1_000, played };
  return { ...common, blockLines: new BlockLines(files, clock, LARGE_BYTES) };
}

const blockOf = (output: Uint8Array) => ({ cursor_begin: 0, cursor_end: output.length }) as Block;

const piece = fc.oneof(
  fc.stringMatching(/^[a-z ]{0,170}$/),
  fc.constantFrom("", "\x1b[31mred", "\x1b[1;44mbold", "\x1b[m", "\x1b[0;32mgreen\x1b[0m", "\x1b(B\x1b[m", "tab\there"),
  fc.constantFrom(
    "名前 ü 🎉",
    "50%\r100%",
    "gone\r\x1b[Kthere",
    "ab\bc",
    "\x1b[?25l",
    "\x1b]0;title\x07",
    "\x1b[5Cright",
  ),
  fc.constantFrom("\x1b]8;;http://x\x07link", "\x1b]8;;\x07", "\x1b[38;2;1;2;3mtrue", "\x1b[48;5;9mback"),
);
const lines = fc.array(
  fc.array(piece, { maxLength: 3 }).map((parts) => parts.join("")),
  { minLength: 20, maxLength: 60 },
);

/** The same lines again and again, numbered, until they are large. */
function largeOf(some: readonly string[]): Uint8Array {
  const text: string[] = [];
  for (let [n, bytes] = [0, 0]; bytes < LARGE_BYTES; n += 1) {
    const line = `${n % 7 === 0 ? "" : `${n} `}${some[n % some.length]}\r\n`;
    text.push(line);
    bytes += line.length;
  }
  return Buffer.from(text.join(""));
}

it("any lines of a large output are those that the whole output has", async () => {
  await fc.assert(
    fc.asyncProperty(
      lines,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
      async (some, places) => {
        const output = largeOf(some);
        const parts = partsOf(output);
        const whole: unknown[] = [];
        await linesOf(parts, { start: 0, end: output.length }, (line) => void whole.push([...line]));
        for (const place of [0, ...places, 1]) {
          const from = Math.max(0, Math.floor(place * whole.length) - 5);
          const part = await styledLines(parts, blockOf(output), { from, to: from + 9 });
          expect(part.total).toBe(whole.length);
          expect(part.lines).toEqual(whole.slice(from, from + 10));
        }
      },
    ),
    { numRuns: depth(2, 4), endOnFailure: true },
  );
}, 120_000);

/** Where in the output somebody gave the screen another size. */
const resize = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cols: fc.integer({ min: 60, max: 200 }),
  rows: fc.integer({ min: 4, max: 60 }),
});

it("so they are when the screen got other sizes while it was printed", async () => {
  await fc.assert(
    fc.asyncProperty(lines, fc.array(resize, { minLength: 1, maxLength: 3 }), async (some, sizes) => {
      const output = largeOf(some);
      const records = sizes
        .map(({ at, ...size }) => ({ kind: "resize" as const, cursor: Math.floor(at * output.length), ts: 0, ...size }))
        .sort((a, b) => a.cursor - b.cursor);
      const parts = partsOf(output, records);
      const whole: unknown[] = [];
      await linesOf(parts, { start: 0, end: output.length }, (line) => void whole.push([...line]));
      const near = records.map(({ cursor }) => Math.floor((cursor / output.length) * whole.length));
      for (const place of [0, ...near, whole.length]) {
        const from = Math.max(0, place - 5);
        const part = await styledLines(parts, blockOf(output), { from, to: from + 9 });
        expect(part.total).toBe(whole.length);
        expect(part.lines).toEqual(whole.slice(from, from + 10));
      }
    }),
    { numRuns: depth(2, 6), endOnFailure: true },
  );
}, 120_000);

it("of a large output that a new size has met, a part is played and not all of it", async () => {
  const words = Array.from({ length: 40_000 }, (_, i) => `line ${i} ${"x".repeat(1 + (i % 50))}`);
  const output = Buffer.from(words.map((line) => `${line}\r\n`).join(""));
  const cursor = output.length >> 1;
  const parts = partsOf(output, [{ kind: "resize", cursor, ts: 0, cols: 120, rows: 40 }]);
  const part = await styledLines(parts, blockOf(output), { from: 39_990, to: 39_999 });
  expect(part.total).toBe(words.length);
  expect(part.lines.map(([run]) => run?.text)).toEqual(words.slice(-10));
  expect(parts.played.bytes).toBeLessThan(output.length / 10);
});

it("head, tail and what is between are all of a large plain output", async () => {
  const words = Array.from({ length: 40_000 }, (_, i) => `line ${i} ${"x".repeat(1 + (i % 50))}`);
  const output = Buffer.from(words.map((line) => `${line}\r\n`).join(""));
  const whole = words.join("\n");
  for (const chars of [100, 6_000, 50_000]) {
    const { head, tail, omitted_bytes } = await keptText(partsOf(output), [blockOf(output)], {
      charsMax: chars,
      eyes: undefined,
    });
    expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
    expect(head.length + omitted_bytes + tail.length).toBe(whole.length);
    expect(head.length + tail.length).toBe(chars);
  }
});

it("an output that reaches beyond its lines has no index, wherever it is cut", () => {
  const far = [
    "\x1b[A",
    "\x1b[2J",
    "\x1b[5;1H",
    "\x1bM",
    "\x1b[?1049h",
    "\x1b7",
    "\x0b",
    "bare\n",
    "\x1b(0",
    "\x1b[3r",
  ];
  fc.assert(
    fc.property(fc.constantFrom(...far), fc.nat(40), (sequence, cut) => {
      const bytes = Buffer.from(`one\r\ntwo\r\n${sequence}three\r\n`);
      const index = new LineIndex(0);
      index.push(bytes.subarray(0, cut));
      index.push(bytes.subarray(cut));
      expect(index.isLocal).toBe(false);
    }),
  );
});
