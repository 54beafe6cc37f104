// Every line a session ever showed, in colour. Plays the journal and takes lines as they leave the screen, with wrapped ones
// joined. Owns: an engine while it plays. Lines that a resize brings back to the screen are still given only once.

import type { Run } from "../../protocol/ops/blocks.ts";
import { Turns } from "../base/clock.ts";
import { utf8 } from "../base/utf8.ts";
import { sizeBefore } from "../journal/records.ts";
import type { Engine, StyledRow } from "../screen/engine.ts";
import { engineAt, type PastParts } from "./past.ts";
import { plainLines } from "./plain-lines.ts";

export type Line = readonly Run[];

/** We take lines when this many wait: half of the engine's smallest history. */
const TAKE_ROWS = 500;
/** One slice scrolls at most about this many rows, by line breaks or by wrapping. */
const SLICE_ROWS = 250;
const SLICE_BYTES_MAX = 16 << 10;
/** Output of this size is read at once, before we know whether it is plain. */
const PLAIN_BYTES_MAX = 64 << 10;
const [LF, ESC] = [0x0a, 0x1b];
/** Enough of a sequence to tell what it is. */
const NEXT_BYTES = 5;

interface ScrollRange {
  readonly start: number;
  readonly end: number;
  /** Lines that were given before and came back to the screen. */
  readonly skip: number;
}

/** Gives `take` each line that left the screen between two cursors, and at the end also the lines on the screen. */
export async function scrollLines(
  parts: PastParts,
  range: ScrollRange & { readonly last: boolean },
  take: (line: Line) => void,
): Promise<{ skip: number }> {
  const engine = await engineAt(parts, { cursor: range.start });
  try {
    const scroll = new Scroll(engine, range.skip, take);
    await playTo(parts, range, engine, scroll);
    scroll.takeNew();
    if (range.last) scroll.takeScreen();
    return { skip: scroll.skip };
  } finally {
    engine.dispose();
  }
}

/** The same for one range of output on an empty screen: a command's lines. `sgr`: the colours that it begins with. */
export async function linesOf(
  parts: PastParts,
  range: { readonly start: number; readonly end: number; readonly sgr?: string },
  take: (line: Line) => void,
): Promise<void> {
  const plain = range.sgr ? undefined : plainPart(parts, range);
  if (plain) return plain.forEach((text) => void take(text === "" ? [] : [{ text, sgr: "" }]));
  const { makeEngine, records, size, scrollback } = parts;
  const engine = makeEngine({ ...sizeBefore(range.start + 1, records, size), scrollback });
  try {
    if (range.sgr) engine.feed(utf8(range.sgr));
    const scroll = new Scroll(engine, 0, take);
    await playTo(parts, { ...range, skip: 0 }, engine, scroll);
    scroll.takeNew();
    scroll.takeScreen();
  } finally {
    engine.dispose();
  }
}

/** Small output that no screen has to be made for, which costs as much as the whole rest of a small command. */
function plainPart({ files }: PastParts, { start, end }: { start: number; end: number }): string[] | undefined {
  if (end - start > PLAIN_BYTES_MAX) return undefined;
  const bytes = new Uint8Array(end - start);
  return plainLines(bytes.subarray(0, files.readOutput(start, bytes)));
}

class Scroll {
  skip: number;
  #engine: Engine;
  #take: (line: Line) => void;
  #taken: number;
  /** The start of a line whose rest is still on the screen. */
  #open: Run[];

  constructor(engine: Engine, skip: number, take: (line: Line) => void) {
    this.#engine = engine;
    this.#take = take;
    this.skip = skip;
    this.#taken = engine.scrolled();
    this.#open = openRuns(this.#above(engine.historyCount()));
  }

  get waiting(): number {
    return this.#engine.scrolled() - this.#taken;
  }

  takeNew(): void {
    if (this.waiting <= 0 || this.#engine.modes().alt_screen) return;
    this.#give(this.#above(Math.min(this.waiting, this.#engine.historyCount())));
    this.#taken = this.#engine.scrolled();
  }

  /** We count lines before and after, because they are the same lines with new breaks. */
  resize(size: { cols: number; rows: number }): void {
    this.takeNew();
    const before = wholeLines(this.#above(this.#engine.historyCount()));
    this.#engine.resize({ cols: size.cols, rows: size.rows });
    const rows = this.#above(this.#engine.historyCount());
    const more = wholeLines(rows) - before;
    this.#open = [];
    if (more < 0) this.skip -= more;
    if (more > 0) this.#give(lastLines(rows, more));
    this.#open = openRuns(rows);
    this.#taken = this.#engine.scrolled();
  }

  takeScreen(): void {
    const rows = this.#engine.styled({ history: 0 });
    while (rows.at(-1)?.runs.length === 0) rows.pop();
    this.#give(rows);
    if (this.#open.length > 0) this.#give([{ runs: [], wraps: false }]);
  }

  #above(rows: number): StyledRow[] {
    if (rows <= 0) return [];
    const all = this.#engine.styled({ history: rows });
    return all.slice(0, Math.max(0, all.length - this.#engine.size().rows));
  }

  #give(rows: readonly StyledRow[]): void {
    for (const row of rows) {
      this.#open.push(...fullRuns(row));
      if (row.wraps) continue;
      if (this.skip > 0) this.skip -= 1;
      else this.#take(this.#open);
      this.#open = [];
    }
  }
}

async function playTo(parts: PastParts, range: ScrollRange, engine: Engine, scroll: Scroll): Promise<void> {
  const { files, clock, records } = parts;
  const buffer = new Uint8Array(SLICE_BYTES_MAX);
  const turns = new Turns(clock);
  let at = range.start;
  // Records at the start were applied when the engine was made.
  const resizes = records.filter(({ kind, cursor }) => kind === "resize" && cursor > at && cursor <= range.end);
  for (const record of [...resizes, undefined]) {
    const end = record?.cursor ?? range.end;
    while (at < end) {
      const most = Math.min(SLICE_BYTES_MAX, Math.max(256, engine.size().cols * SLICE_ROWS), end - at);
      const got = files.readOutput(at, buffer.subarray(0, most));
      if (got === 0) return;
      const slice = gentle(buffer.subarray(0, got));
      if (scroll.waiting >= TAKE_ROWS || wipesAt(slice) === 0) scroll.takeNew();
      engine.feed(slice, at);
      engine.takeReplies();
      at += slice.length;
      await turns.rest();
    }
    if (record?.kind === "resize") scroll.resize(record);
  }
}

/** The part of a slice that scrolls a limited number of rows and ends before the history is wiped or hidden, and before the next image. */
function gentle(slice: Uint8Array): Uint8Array {
  const ends = [wipesAt(slice), imageAt(slice)].filter((at) => at > 0);
  const whole = slice.subarray(0, Math.min(slice.length, ...ends));
  let breaks = 0;
  for (let i = 0; i < whole.length; i += 1) {
    if (whole[i] !== LF) continue;
    breaks += 1;
    if (breaks === SLICE_ROWS) return whole.subarray(0, i + 1);
  }
  return whole;
}

/** The place of ESC c, CSI 3 J or the other screen, or -1. Lines above the screen must be taken before it. */
function wipesAt(slice: Uint8Array): number {
  return placeOf(slice, 0, (text) => text.startsWith("c") || /^\[(?:3J|\?104|\?47)/.test(text));
}

/** Where an image may begin after the start, or -1: one alone scrolls up to 200 rows. */
function imageAt(slice: Uint8Array): number {
  return placeOf(slice, 1, (text) => /^(?:P|_G|\]1337)/.test(text));
}

/** The first ESC whose next bytes are meant. */
function placeOf(slice: Uint8Array, from: number, isMeant: (next: string) => boolean): number {
  for (let at = slice.indexOf(ESC, from); at >= 0; at = slice.indexOf(ESC, at + 1))
    if (isMeant(String.fromCharCode(...slice.subarray(at + 1, at + 1 + NEXT_BYTES)))) return at;
  return -1;
}

function wholeLines(rows: readonly StyledRow[]): number {
  return rows.reduce((count, row) => count + (row.wraps ? 0 : 1), 0);
}

/** The rows of the last whole lines. */
function lastLines(rows: readonly StyledRow[], count: number): StyledRow[] {
  let end = rows.length;
  while (end > 0 && rows[end - 1]?.wraps) end -= 1;
  let [start, left] = [end, count];
  while (start > 0 && (left > 0 || rows[start - 1]?.wraps)) {
    if (!rows[start - 1]?.wraps) {
      if (left === 0) break;
      left -= 1;
    }
    start -= 1;
  }
  return rows.slice(start, end);
}

/** The visible part of the line in which the history ends. */
function openRuns(rows: readonly StyledRow[]): Run[] {
  let start = rows.length;
  while (start > 0 && rows[start - 1]?.wraps) start -= 1;
  return rows.slice(start).flatMap(fullRuns);
}

/** With the blanks that are in the middle of a line which goes on in the next row. */
function fullRuns({ runs, blanks = 0 }: StyledRow): readonly Run[] {
  return blanks > 0 ? [...runs, { text: " ".repeat(blanks), sgr: "" }] : runs;
}
