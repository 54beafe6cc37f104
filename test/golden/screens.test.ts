// Recorded programs show today what the product showed when it recorded them, however their bytes arrive.
import { describe, expect, test } from "vitest";
import type { Engine } from "../../src/core/screen/engine.ts";
import { makeGhostty } from "../../src/host/engine/ghostty.ts";
import { depth } from "../fixtures/depth.ts";
import { seeded } from "../fixtures/seeded.ts";
import { type Moment, play, type Recording, recordings, START } from "../fixtures/terminal/recordings.ts";

const SCROLLBACK = 500;
const RECORDINGS_MIN = 25;
const RESIZED_MIN = 4;

function open({ cols, rows }: Recording): Engine {
  return makeGhostty({ cols, rows, scrollback: SCROLLBACK });
}

function played(recording: Recording, to: Moment, cuts: readonly number[] = []): Engine {
  const engine = open(recording);
  play(engine, recording, START, to, cuts);
  return engine;
}

function whole(engine: Engine) {
  const screen = { rows: engine.rows(), cursor: engine.cursor(), modes: engine.modes(), title: engine.title() };
  return { ...screen, history: engine.history({ from: 0, count: SCROLLBACK }) };
}

/** A larger recording is fed byte by byte in the longer tiers only: each byte is one call into the engine. */
const BYTEWISE_BYTES_MAX = depth(20 << 10, Number.POSITIVE_INFINITY);

const all = recordings();

test("there are enough recordings, some with resizes", () => {
  expect(all.length).toBeGreaterThanOrEqual(RECORDINGS_MIN);
  expect(all.filter(({ resizes }) => resizes.length > 0).length).toBeGreaterThanOrEqual(RESIZED_MIN);
});

describe.each(all)("$name", (recording) => {
  const { raw, end, screens } = recording;

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
    const expected = whole(played(recording, end));
    if (raw.length <= BYTEWISE_BYTES_MAX) expect(whole(played(recording, end, [...raw.keys()]))).toEqual(expected);
    const random = seeded(raw.length);
    for (const share of [0.3, 0.05, 0.004]) {
      const cuts = [...raw.keys()].filter(() => random() < share);
      expect(whole(played(recording, end, cuts))).toEqual(expected);
    }
  });
});
