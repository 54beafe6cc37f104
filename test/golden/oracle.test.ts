// Every recording on a second, independent engine: @xterm/headless must show the same at many moments.
// What differs is a row of the table below and a section of docs/engine-deviations.md. A row that no longer differs
// fails too: the table says what is, not what was. The oracle's cursor is normalised when it waits to wrap (its column
// is then one past the edge, see xterm-engine.ts).
import { describe, expect, test } from "vitest";
import type { Engine } from "../../src/core/screen/engine.ts";
import { makeGhostty } from "../../src/host/engine/ghostty.ts";
import { type Moment, play, quietMoments, type Recording, recordings, START } from "../fixtures/terminal/recordings.ts";
import { makeXterm, settleXterm } from "../fixtures/terminal/xterm-engine.ts";

const POINTS = 60;
const POINTS_MIN = 20;
const SCROLLBACK = 500;

interface Deviation {
  readonly recording: string;
  /** Bytes of the recording: after `from`, up to and with `to`. */
  readonly from: number;
  readonly to: number;
  readonly differs: "rows" | "cursor";
  /** Its section in docs/engine-deviations.md. */
  readonly why: "resized-alternate-screens" | "broken-utf-8";
}

const deviations: readonly Deviation[] = [
  { recording: "agent-tui", from: 37680, to: 37681, differs: "rows", why: "resized-alternate-screens" },
  { recording: "agent-tui", from: 37680, to: 37681, differs: "cursor", why: "resized-alternate-screens" },
  { recording: "cmatrix", from: 12226, to: 12227, differs: "rows", why: "resized-alternate-screens" },
  { recording: "cmatrix", from: 12226, to: 12227, differs: "cursor", why: "resized-alternate-screens" },
  { recording: "cmatrix", from: 13370, to: 17124, differs: "cursor", why: "broken-utf-8" },
  { recording: "cmatrix", from: 18095, to: 18799, differs: "rows", why: "broken-utf-8" },
  { recording: "htop-resize", from: 1507, to: 1508, differs: "rows", why: "resized-alternate-screens" },
  { recording: "htop-resize", from: 2782, to: 2783, differs: "cursor", why: "resized-alternate-screens" },
  { recording: "less-narrow-resize", from: 971, to: 972, differs: "rows", why: "resized-alternate-screens" },
  { recording: "tmux-split", from: 5972, to: 7269, differs: "rows", why: "resized-alternate-screens" },
  { recording: "tmux-split", from: 5972, to: 5973, differs: "cursor", why: "resized-alternate-screens" },
  { recording: "vim-split-syntax-resize", from: 8472, to: 8473, differs: "rows", why: "resized-alternate-screens" },
  { recording: "vim-split-syntax-resize", from: 8472, to: 8473, differs: "cursor", why: "resized-alternate-screens" },
];

function seen(engine: Engine) {
  const { row, col, visible } = engine.cursor();
  const { alt_screen, mouse, bracketed_paste, application_cursor } = engine.modes();
  const modes = { alt_screen, mouse, bracketed_paste, application_cursor, title: engine.title(), visible };
  return { rows: engine.rows(), cursor: { row, col }, modes };
}

/** Where both must be parsed to the same byte: the moments to look at, and every resize on the way. */
function stops(recording: Recording): Moment[] {
  const resizes = recording.resizes.flatMap(({ cursor }, n) => [
    { cursor, resizes: n },
    { cursor, resizes: n + 1 },
  ]);
  return [...quietMoments(recording, POINTS), ...resizes].sort((a, b) => a.cursor - b.cursor || a.resizes - b.resizes);
}

async function compared(recording: Recording) {
  const { cols, rows } = recording;
  const [ours, theirs] = [makeGhostty, makeXterm].map((make) => make({ cols, rows, scrollback: SCROLLBACK }));
  if (!ours || !theirs) throw new Error("unreachable: two engines were made");
  const comparisons = [];
  let at = START;
  for (const stop of stops(recording)) {
    for (const engine of [ours, theirs]) play(engine, recording, at, stop);
    at = stop;
    await settleXterm(theirs);
    comparisons.push({ at: stop.cursor, ours: seen(ours), theirs: seen(theirs) });
  }
  for (const engine of [ours, theirs]) engine.dispose();
  return comparisons;
}

describe.each(recordings())("$name", (recording) => {
  test("xterm shows the same", async () => {
    const comparisons = await compared(recording);
    expect(comparisons.length).toBeGreaterThanOrEqual(POINTS_MIN);
    const known = deviations.filter((deviation) => deviation.recording === recording.name);
    const met = new Set<Deviation>();
    for (const { at, ours, theirs } of comparisons) {
      for (const part of ["rows", "cursor", "modes"] as const) {
        const entry = known.find(({ from, to, differs }) => differs === part && at > from && at <= to);
        if (!entry) expect({ at, [part]: ours[part] }).toEqual({ at, [part]: theirs[part] });
        else if (JSON.stringify(ours[part]) !== JSON.stringify(theirs[part])) met.add(entry);
      }
    }
    expect(known.filter((deviation) => !met.has(deviation))).toEqual([]);
  });
});
