// Hostile and meaningless bytes: the engine does not throw, does not stall, and still works afterwards.
import { afterAll, describe, expect, test } from "vitest";
import type { Engine } from "../../src/core/screen/engine.ts";
import { makeGhostty } from "../../src/host/engine/ghostty.ts";
import { depth } from "../fixtures/depth.ts";
import { seeded, seedsFor } from "../fixtures/seeded.ts";
import { workMs } from "../fixtures/work-time.ts";

const CHUNK = 64 * 1024;
/** A slice this long is a stall. How long they take is shown by `npm run bench hostile`: most under 100 ms. */
const FEED_MS_MAX = 2_000;
const RANDOM_MB = depth(2, 8);
/** Turns of each random sequence; every turn feeds 1,500 pieces and resizes the engine. */
const TURNS = depth(15, 60);
/**
 * Fixed in every tier: about one random seed in twenty traps libghostty-vt within 60 turns, 478427523 and 478427537 for
 * example. A session survives that (test/sim/engine-trap.test.ts). SEED=n tries another seed.
 */
const SEEDS = process.env.SEED === undefined ? [11, 22, 33, 44] : seedsFor(1);
const size = { cols: 120, rows: 40, scrollback: 1000 };

let worst = { ms: 0, where: "" };
afterAll(() => console.log(`slowest feed: ${worst.ms.toFixed(1)} ms, ${worst.where}`));

/** Feeds in slices of at most 64 KiB, each within the limit. */
function feed(engine: Engine, bytes: Uint8Array, where: string): void {
  for (let at = 0; at < bytes.length; at += CHUNK) {
    const ms = workMs(() => engine.feed(bytes.subarray(at, at + CHUNK)), FEED_MS_MAX / 2);
    if (ms > worst.ms) worst = { ms, where: `${where} at ${at}` };
    if (ms >= FEED_MS_MAX) expect.fail(`${where} at ${at} took ${ms} ms`);
  }
}

/** Whatever came before, a reset and a text must show as on a new engine. */
function expectWorks(engine: Engine): void {
  engine.takeReplies();
  engine.feed(Buffer.from("\x18\x1b\\\x1bcfresh 漢字\r\n\x1b[2;3Htext\x1b[6n"));
  const { rows } = engine.size();
  expect(engine.rows()).toEqual(["fresh 漢字", "  text", ...Array.from({ length: rows - 2 }, () => "")]);
  expect(engine.cursor()).toEqual({ row: 1, col: 6, visible: true });
  expect(Buffer.from(engine.takeReplies()).toString()).toBe("\x1b[2;7R");
  expect(engine.modes()).toMatchObject({ alt_screen: false, mouse: "none", bracketed_paste: false });
}

function randomBytes(count: number, random: () => number): Uint8Array {
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count; at += 1) bytes[at] = random() * 256;
  return bytes;
}

const finals = Array.from({ length: 0x7f - 0x40 }, (_, n) => String.fromCharCode(0x40 + n));

// Once per process, while the wasm is compiled; the tests after it measure the engine alone.
test("the first feed of a process", () => {
  const engine = makeGhostty(size);
  feed(engine, randomBytes(CHUNK, seeded(9)), "first feed");
  expectWorks(engine);
});

test(`${RANDOM_MB} MB of random bytes`, () => {
  const random = seeded(1);
  const engine = makeGhostty(size);
  const block = 1 << 20;
  for (let n = 0; n < RANDOM_MB; n += 1) feed(engine, randomBytes(block, random), `random block ${n}`);
  engine.snapshot();
  engine.repaint({ scrollback: 100, reset: "hard" });
  expectWorks(engine);
});

describe("escape sequences at random, with random sizes", () => {
  const starts = ["\x1b[", "\x1b[?", "\x1b[>", "\x1b", "\x1b]", "\x1bP", "\x1b_", "\x1b(", "\x1b#", "\x1b[!", "\x1b[ "];
  const texts = [
    "a",
    "漢",
    "e\u0301",
    "😀",
    "\r\n",
    "\t",
    "\b",
    "\x1b\\",
    "\x07",
    "\x18",
    "x".repeat(200),
    "\u200d",
    "\ufe0f",
  ];

  function some(random: () => number): string {
    const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
    if (random() < 0.4) return pick(texts) ?? "";
    const count = Math.floor(random() * 4);
    const params = Array.from({ length: count }, () => Math.floor(random() ** 4 * 3000)).join(
      random() < 0.9 ? ";" : ":",
    );
    return `${pick(starts)}${params}${pick(finals)}`;
  }

  test.each(SEEDS)("seed %i", (seed) => {
    const random = seeded(seed);
    const engine = makeGhostty(size);
    for (let turn = 0; turn < TURNS; turn += 1) {
      feed(engine, Buffer.from(Array.from({ length: 1500 }, () => some(random)).join("")), `seed ${seed} turn ${turn}`);
      const next = { cols: 2 + Math.floor(random() ** 2 * 300), rows: 1 + Math.floor(random() ** 2 * 100) };
      engine.resize(next);
      expect(engine.size()).toEqual(next);
      expect(engine.rows()).toHaveLength(next.rows);
      engine.takeReplies();
      if (turn % 10 === 0) makeGhostty({ ...size, ...next }, engine.snapshot()).dispose();
    }
    engine.resize({ cols: 80, rows: 24 });
    expectWorks(engine);
  });
});

describe("2 MB of a string that never ends", () => {
  const kinds = {
    OSC: "\x1b]0;",
    "OSC 52": "\x1b]52;c;",
    "OSC 8": "\x1b]8;;",
    DCS: "\x1bPq",
    XTGETTCAP: "\x1bP+q",
    APC: "\x1b_G",
    PM: "\x1b^",
    SOS: "\x1bX",
  };
  test.each(Object.entries(kinds))("%s", (name, start) => {
    const engine = makeGhostty(size);
    feed(engine, Buffer.from(`kept${start}${"QUJD".repeat(1 << 19)}`), name);
    expect(engine.rows()[0]).toBe("kept");
    expect(engine.snapshot().length).toBeLessThan(1 << 20);
    engine.feed(Buffer.from("\x1b\\!"));
    expect(engine.rows()[0]).toBe(name === "DCS" ? "kept[image 2097152×5]!" : "kept!");
    expectWorks(engine);
  });
});

describe("hostile parameters", () => {
  const prefixes = ["", "?", ">", "=", "<"];
  const intermediates = ["", " ", "!", '"', "$", "'", "*"];
  test.each(["1000000", "2147483647", "4294967295", "99999999999999999999"])("%s with every final byte", (value) => {
    const engine = makeGhostty(size);
    for (const final of finals)
      for (const prefix of prefixes)
        for (const middle of intermediates) {
          const sequence = `\x1b[${prefix}${value}${middle}${final}\x1b[${prefix}${value};${value}${middle}${final}`;
          feed(engine, Buffer.from(`x${sequence}`), JSON.stringify(sequence));
        }
    expect(engine.size()).toEqual({ cols: size.cols, rows: size.rows });
    expectWorks(engine);
  });

  // What costs most per byte: each of these moves or prints up to a whole screen.
  const costly = ["\x1b[9999L", "\x1b[9999M", "\x1b[9999S", "\x1b[9999T", "\x1b[9999@", "\x1b[9999X", "\x1b[2J"];
  const alsoCostly = ["\x1bM", "\x1b[?1049h\x1b[?1049l", "\x1b[22J", "\n", "\x1b[9999I"];
  // docs/engine-deviations.md, "Slow sequences".
  const slow = ["\x1b[9999b", "\x1b#8", "\x1bc"];
  test.each([...costly, ...alsoCostly, ...slow])("64 KiB of %j", (sequence) => {
    const engine = makeGhostty(size);
    feed(engine, repeated(sequence, CHUNK), JSON.stringify(sequence));
    expectWorks(engine);
  });
});

function repeated(sequence: string, bytes: number): Uint8Array {
  return Buffer.from(`x${sequence}`.repeat(Math.floor(bytes / (sequence.length + 1))));
}
