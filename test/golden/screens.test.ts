// Recorded programs show today what the product showed when it recorded them, however their bytes arrive.
import { describe, expect, test } from "vitest";
import type { Engine } from "../../src/core/screen/engine.ts";
import { makeGhostty } from "../../src/host/engine/ghostty.ts";
import { depth } from "../fixtures/depth.ts";
import { seeded } from "../fixtures/seeded.ts";
import {
  type Moment,
  play,
  type RecordedScreen,
  type Recording,
  recordings,
  START,
} from "../fixtures/terminal/recordings.ts";

const SCROLLBACK = 500;
const RECORDINGS_MIN = 25;
const RESIZED_MIN = 4;

function open({ cols, rows }: { cols: number; rows: number }, from?: Uint8Array): Engine {
  return makeGhostty({ cols, rows, scrollback: SCROLLBACK }, from);
}

function played(recording: Recording, to: Moment, cuts: readonly number[] = []): Engine {
  const engine = open(recording);
  play(engine, recording, START, to, cuts);
  return engine;
}

function look(engine: Engine) {
  return { rows: engine.rows(), cursor: engine.cursor(), modes: engine.modes(), title: engine.title() };
}

function whole(engine: Engine) {
  return { ...look(engine), history: engine.history({ from: 0, count: SCROLLBACK }) };
}

/** Synchronized output is never part of a repaint: a viewer left in it would show nothing. */
function unsynced(engine: Engine) {
  return { ...whole(engine), modes: { ...engine.modes(), synchronized: false } };
}

/** A larger recording is fed byte by byte in the longer tiers only: each byte is one call into the engine. */
const BYTEWISE_BYTES_MAX = depth(20 << 10, Number.POSITIVE_INFINITY);
/** Screens of a recording that are copied: each copy plays the rest of the recording. */
const COPIES = depth(2, Number.POSITIVE_INFINITY);

/** `COPIES` of the screens, evenly spread. */
function copied(screens: readonly RecordedScreen[]): readonly RecordedScreen[] {
  const step = Math.max(1, screens.length / COPIES);
  return screens.filter((_, n) => Math.floor(n / step) !== Math.floor((n - 1) / step));
}

const all = recordings();

test("there are enough recordings, some with resizes", () => {
  expect(all.length).toBeGreaterThanOrEqual(RECORDINGS_MIN);
  expect(all.filter(({ resizes }) => resizes.length > 0).length).toBeGreaterThanOrEqual(RESIZED_MIN);
});

describe.each(all)("$name", (recording) => {
  const { raw, end, screens } = recording;
  let atEnd: Engine | undefined;
  /** The engine that has played the whole recording at once. */
  const atEndOnce = (): Engine => {
    atEnd ??= played(recording, end);
    return atEnd;
  };

  test("replaying shows the recorded screen at every sampled cursor", () => {
    const engine = open(recording);
    let at: Moment = START;
    for (const screen of screens) {
      play(engine, recording, at, screen);
      at = screen;
      const { row, col, visible, alt_screen, title, cols, rows } = screen;
      const expected = { at: screen.cursor, cols, rows, row, col, visible, alt_screen, title, text: screen.text };
      const now = {
        at: screen.cursor,
        ...engine.size(),
        ...engine.cursor(),
        alt_screen: engine.modes().alt_screen,
        title: engine.title(),
        text: engine.rows(),
      };
      expect(now).toEqual(expected);
    }
    expect(at).toMatchObject(end);
  });

  test("feeding byte by byte or in random pieces gives the same screen", () => {
    const expected = whole(atEndOnce());
    if (raw.length <= BYTEWISE_BYTES_MAX) expect(whole(played(recording, end, [...raw.keys()]))).toEqual(expected);
    const random = seeded(raw.length);
    for (const share of [0.3, 0.05, 0.004]) {
      const cuts = [...raw.keys()].filter(() => random() < share);
      expect(whole(played(recording, end, cuts))).toEqual(expected);
    }
  });

  test("a snapshot at any sampled cursor plus the tail gives the same screen", () => {
    const expected = whole(atEndOnce());
    for (const moment of copied(screens)) {
      const before = played(recording, moment);
      const after = open(before.size(), before.snapshot());
      expect(look(after)).toEqual(look(before));
      play(after, recording, moment, end);
      expect(whole(after)).toEqual(expected);
    }
  });

  test("a repaint at any sampled cursor plus the tail gives the same screen", () => {
    const expected = unsynced(atEndOnce());
    for (const moment of copied(screens)) {
      const before = played(recording, moment);
      const painted = open(before.size());
      painted.feed(before.repaint({ scrollback: SCROLLBACK * 4, reset: "hard" }));
      expect(unsynced(painted)).toEqual(unsynced(before));
      play(painted, recording, moment, end);
      expect(unsynced(painted)).toEqual(expected);
    }
  });
});
