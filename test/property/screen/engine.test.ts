// Laws of the engine: cuts change nothing, a snapshot or a repaint plus the tail is the whole, nothing hostile hurts.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Size } from "../../../src/core/pty/pty.ts";
import type { Engine } from "../../../src/core/screen/engine.ts";
import { makeGhostty } from "../../../src/host/engine/ghostty.ts";
import { depth } from "../../fixtures/depth.ts";
import { play, recordings, START } from "../../fixtures/terminal/recordings.ts";
import { anyBytes, buildLog, cutAt, editor, fractions, programBytes } from "../../fixtures/terminal/terminal-input.ts";
import { makeXterm, settleXterm } from "../../fixtures/terminal/xterm-engine.ts";
import { workMs } from "../../fixtures/work-time.ts";

const size = { cols: 24, rows: 6, scrollback: 200 };
const runs = { numRuns: depth(50, 150) };

const place = fc.double({ min: 0, max: 1, noNaN: true });
/** The size of the screen before the tail is printed, if it changes at all. */
const resized = fc.option(fc.record({ cols: fc.integer({ min: 2, max: 40 }), rows: fc.integer({ min: 1, max: 12 }) }));

function open(from?: Uint8Array): Engine {
  return makeGhostty(size, from);
}

function fed(...chunks: Uint8Array[]): Engine {
  const engine = open();
  for (const chunk of chunks) engine.feed(chunk);
  return engine;
}

function look(engine: Engine) {
  return { rows: engine.rows(), cursor: engine.cursor(), modes: engine.modes(), title: engine.title() };
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

/** scrolled() may be behind while the alternate screen is shown, by what scrolled in the feed that entered it. */
function past(engine: Engine) {
  const scrolled = engine.modes().alt_screen ? null : engine.scrolled();
  return { history: engine.history({ from: 0, count: 1000 }), scrolled };
}

describe("cuts", () => {
  test("cutting the input changes neither screen, history, replies nor dirty rows", () => {
    fc.assert(
      fc.property(anyBytes, fractions, (input, at) => {
        const whole = fed(input);
        const pieces = open();
        const seen = Array.from({ length: size.rows }, () => "");
        for (const piece of cutAt(input, at)) {
          pieces.feed(piece);
          for (const { row, text } of pieces.takeDirty()) seen[row] = text;
        }
        expect(look(pieces)).toEqual(look(whole));
        expect(past(pieces)).toEqual(past(whole));
        expect(Buffer.from(pieces.takeReplies())).toEqual(Buffer.from(whole.takeReplies()));
        expect(seen).toEqual(whole.rows());
        expect(whole.size()).toEqual({ cols: size.cols, rows: size.rows });
      }),
      runs,
    );
  });
});

describe("snapshot", () => {
  test("a snapshot at any byte plus the tail gives the same screen", () => {
    fc.assert(
      fc.property(anyBytes, place, resized, (input, at, next) => {
        const [head = Buffer.alloc(0), tail = Buffer.alloc(0)] = cutAt(input, [at]);
        const whole = fed(head);
        const before = fed(head);
        before.takeReplies();
        const after = open(before.snapshot());
        expect(look(after)).toEqual(look(before));
        for (const engine of [whole, before, after]) {
          if (next) engine.resize(next);
          engine.feed(tail);
        }
        expect(look(after)).toEqual(look(whole));
        expect(past(after)).toEqual(past(whole));
        expect(Buffer.from(after.takeReplies())).toEqual(Buffer.from(before.takeReplies()));
        // Styles, links, saved cursors, tabs: all that a repaint can tell. (Snapshots differ in internal style numbers.)
        expect(text(after.repaint({ scrollback: 200, reset: "hard" }))).toBe(
          text(before.repaint({ scrollback: 200, reset: "hard" })),
        );
      }),
      runs,
    );
  });
});

describe("repaint", () => {
  test("a repaint at any byte plus the tail gives the same screen", () => {
    fc.assert(
      fc.property(programBytes, place, resized, (input, at, next) => {
        const [head = Buffer.alloc(0), tail = Buffer.alloc(0)] = cutAt(input, [at]);
        const whole = fed(head);
        const painted = fed(
          Buffer.from("junk\x1b[?1049hjunk\x1b[2;3r\x1b[?6h\x1b]2;x"),
          whole.repaint({ scrollback: 200, reset: "hard" }),
        );
        expect(unsynced(painted)).toEqual(unsynced(whole));
        expect(past(painted).history).toEqual(past(whole).history);
        for (const engine of [whole, painted]) {
          if (next) engine.resize(next);
          engine.feed(tail);
        }
        expect(unsynced(painted)).toEqual(unsynced(whole));
      }),
      runs,
    );
  });
});

describe("recorded programs", () => {
  const scrollback = 500;
  const all = recordings();
  const make = ({ cols, rows }: Size, from?: Uint8Array) => makeGhostty({ cols, rows, scrollback }, from);
  /** A full history loses its oldest page at once, and each engine at another row: the rows that both still have are compared. */
  function expectSame(engine: Engine, whole: Engine): void {
    if (whole.scrolled() <= scrollback) expect(engine.historyCount()).toBe(whole.historyCount());
    const count = Math.min(engine.historyCount(), whole.historyCount());
    const [own, expected] = [engine, whole].map((one) => ({
      ...unsynced(one),
      history: one.history({ from: one.historyCount() - count, count }),
    }));
    expect(own).toEqual(expected);
  }

  test("a snapshot or a repaint at any byte plus the rest, with its resizes, gives the same screen", () => {
    fc.assert(
      fc.property(fc.constantFrom(...all.map(({ name }) => name)), place, (name, at) => {
        const recording = all.find((candidate) => candidate.name === name);
        if (!recording) throw new Error(`no recording ${name}`);
        const cursor = Math.floor(at * recording.raw.length);
        const moment = { cursor, resizes: recording.resizes.filter((resize) => resize.cursor < cursor).length };
        const whole = make(recording);
        play(whole, recording, START, moment);
        const copy = make(whole.size(), whole.snapshot());
        const painted = make(whole.size());
        painted.feed(whole.repaint({ scrollback: scrollback * 4, reset: "hard" }));
        expect([copy.modes(), copy.historyCount()]).toEqual([whole.modes(), whole.historyCount()]);
        expectSame(copy, whole);
        expectSame(painted, whole);
        for (const engine of [whole, copy, painted]) play(engine, recording, moment, recording.end);
        expect(copy.modes()).toEqual(whole.modes());
        expectSame(copy, whole);
        expectSame(painted, whole);
        for (const engine of [whole, copy, painted]) engine.dispose();
      }),
      { numRuns: depth(40, 300) },
    );
  });
});

describe("programs", () => {
  const screen = { cols: 60, rows: 16, scrollback: 500 };
  const programs = { "a build log": buildLog(), "an editor": editor(screen) };
  for (const [name, input] of Object.entries(programs)) {
    const places = [0.02, 0.1, 0.33, 0.5, 0.77, 0.9, 0.999].map((at) => Math.floor(at * input.length));

    test(`${name}: a repaint at any place does not change what follows`, () => {
      for (const place of places) {
        const whole = makeGhostty(screen);
        whole.feed(input.subarray(0, place));
        const painted = makeGhostty(screen);
        painted.feed(whole.repaint({ scrollback: 500, reset: "hard" }));
        for (const engine of [whole, painted]) engine.feed(input.subarray(place));
        expect(look(painted)).toEqual(look(whole));
        expect(past(painted).history).toEqual(past(whole).history);
      }
    });

    test(`${name}: an xterm painted by us and fed the rest shows the same`, async () => {
      for (const place of places) {
        const ours = makeGhostty(screen);
        ours.feed(input.subarray(0, place));
        const theirs = makeXterm(screen);
        theirs.feed(Buffer.from("junk\x1b[?1049h\x1b[?1003h\x1b]2;half"));
        theirs.feed(ours.repaint({ scrollback: 500, reset: "hard" }));
        await settleXterm(theirs);
        expect({ at: place, ...look(theirs) }).toEqual({ at: place, ...look(ours) });
        expect(theirs.history({ from: 0, count: 500 })).toEqual(ours.history({ from: 0, count: 500 }));
        for (const engine of [ours, theirs]) engine.feed(input.subarray(place));
        await settleXterm(theirs);
        expect({ at: place, ...look(theirs) }).toEqual({ at: place, ...look(ours) });
      }
    });
  }
});

describe("hostile input", () => {
  test("garbage never throws, and everything can still be read", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4000, size: "max" }), fc.integer({ min: 1, max: 90 }), (garbage, cols) => {
        const engine = fed(garbage);
        engine.resize({ cols, rows: 1 + (cols % 30) });
        engine.feed(garbage);
        const copy = makeGhostty({ ...size, cols, rows: 1 + (cols % 30) }, engine.snapshot());
        copy.feed(engine.repaint({ scrollback: 50, reset: "hard" }));
        expect(copy.rows()).toHaveLength(1 + (cols % 30));
        expect(copy.rows().join("")).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
      }),
      { numRuns: depth(20, 60) },
    );
  });

  test("huge parameters return at once", () => {
    const engine = fed(Buffer.from("x"));
    for (const final of "@ABCDEFGHIJKLMPSTXZ`abdefghlmnrstu")
      for (const value of ["1000000", "2147483647", "99999999999999999999"]) {
        const bytes = Buffer.from(`\x1b[${value}${final}\x1b[${value};${value}${final}`);
        expect(
          workMs(() => engine.feed(bytes)),
          `CSI ${value} ${final}`,
        ).toBeLessThan(250);
      }
  });

  test("endless strings and piles of combining marks take bounded memory and time", () => {
    for (const [start, body] of [
      ["\x1b]0;", "a"],
      ["\x1bPq", "b"],
      ["\x1b_G", "c"],
      ["e", "\u0301"],
      ["\x1b[", "1;"],
    ]) {
      const engine = fed(Buffer.from(start ?? ""));
      const chunk = Buffer.from((body ?? "").repeat(20_000));
      for (let i = 0; i < 20; i += 1) engine.feed(chunk);
      expect(engine.snapshot().length).toBeLessThan(1 << 20);
      expect(engine.repaint({ scrollback: 0, reset: "hard" }).length).toBeLessThan(1 << 20);
      engine.feed(Buffer.from("\x1b\\\x1bcok"));
      expect(engine.rows()[0]).toBe("ok");
    }
  });
});

/** Synchronized output is never part of a repaint: a viewer left in it would show nothing. */
function unsynced(engine: Engine) {
  const { modes, ...rest } = look(engine);
  return { ...rest, modes: { ...modes, synchronized: false } };
}
