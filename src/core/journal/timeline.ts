// When things happened in a session, from its records, read in bounded turns. It can be deleted and rebuilt at any time.
// Times only go up: setting a wall clock back does not reorder output.

import type { Clock } from "../base/clock.ts";
import { firstIndex } from "../base/first-index.ts";
import {
  type ExitRecord,
  isJournalRecord,
  isMark,
  type JournalRecord,
  type MarkRecord,
  type ResizeRecord,
} from "./records.ts";
import type { SessionFiles } from "./store.ts";

/** Lines parsed in one turn: about 3 ms. A day of steady output has a million. */
const LINES_PER_TURN = 5_000;
const TIMELINES_MAX = 3;

type TimedRecord = MarkRecord | ResizeRecord | ExitRecord;

/** A range of output that came at one time, or an event between two ranges. */
export type Step =
  | { readonly kind: "output"; readonly from: number; readonly to: number; readonly ts: number }
  | ResizeRecord
  | ExitRecord;

export class Timeline {
  readonly startedAt: number;
  /** In order of arrival, so cursors rise. */
  readonly records: TimedRecord[] = [];
  /** How much of the file was read. */
  #offset = 0;
  #reading: Promise<void> = Promise.resolve();

  constructor(startedAt: number) {
    this.startedAt = startedAt;
  }

  add(record: JournalRecord | MarkRecord): void {
    if (record.kind === "gap") return;
    const { latest } = this;
    this.records.push(record.ts >= latest ? record : { ...record, ts: latest });
  }

  /** Reads what was added to the file since last time, in bounded turns. */
  update(files: SessionFiles, clock: Clock): Promise<void> {
    this.#reading = this.#reading.then(() => this.#update(files, clock));
    return this.#reading;
  }

  async #update(files: SessionFiles, clock: Clock): Promise<void> {
    for (;;) {
      const { lines, next } = files.readLinesFrom("records", this.#offset, LINES_PER_TURN);
      for (const line of lines) if (isMark(line) || isJournalRecord(line)) this.add(line);
      if (next <= this.#offset) return;
      this.#offset = next;
      if (lines.length < LINES_PER_TURN) return;
      await new Promise<void>((resolve) => clock.soon(resolve));
    }
  }

  get exit(): ExitRecord | undefined {
    return this.records.findLast((record) => record.kind === "exit");
  }

  get resizes(): ResizeRecord[] {
    return this.records.filter((record) => record.kind === "resize");
  }

  /** A limited number of points, evenly spread, always with the first and the last. */
  marks(max: number): MarkRecord[] {
    const all = this.records.filter((record) => record.kind === "mark");
    if (all.length <= max) return all;
    const step = (all.length - 1) / (max - 1);
    return Array.from({ length: max }, (_, i) => all[Math.round(i * step)]).filter((mark) => mark !== undefined);
  }

  /** The last thing known to have happened. */
  get latest(): number {
    return this.records.at(-1)?.ts ?? this.startedAt;
  }

  /** How far the output had come at a time; `total` when nothing came later. */
  cursorAt(ts: number, total: number): number {
    if (ts < this.startedAt) return 0;
    return this.records[firstIndex(this.records, (record) => record.ts > ts)]?.cursor ?? total;
  }

  /** When the byte before a cursor arrived. */
  timeAt(cursor: number): number {
    const next = firstIndex(this.records, (record) => record.cursor >= cursor);
    return this.records[next - 1]?.ts ?? this.startedAt;
  }

  /** The start of the output that contains the byte before a cursor. */
  beganAt(cursor: number): number {
    return this.records[firstIndex(this.records, (record) => record.cursor >= cursor) - 1]?.cursor ?? 0;
  }

  /** What happened between two cursors. Records at `to` are included only on request. */
  *steps(range: { from: number; to: number; last: "with" | "without" }): Generator<Step> {
    let pos = range.from;
    let now = this.timeAt(range.from);
    const start = firstIndex(this.records, (record) => record.cursor >= range.from);
    for (let i = start; i < this.records.length; i += 1) {
      const record = this.records[i];
      if (!record || record.cursor > range.to || (record.cursor === range.to && range.last === "without")) break;
      if (record.cursor > pos) yield { kind: "output", from: pos, to: record.cursor, ts: now };
      pos = record.cursor;
      now = record.ts;
      if (record.kind !== "mark") yield record;
    }
    if (pos < range.to) yield { kind: "output", from: pos, to: range.to, ts: now };
  }
}

/** The most recently used timelines. A day of steady output has a million marks (60 MB), so only a few stay. */
export class Timelines {
  #known = new Map<string, Timeline>();

  async of(session_id: string, files: SessionFiles, clock: Clock, startedAt: number): Promise<Timeline> {
    const timeline = this.#known.get(session_id) ?? new Timeline(startedAt);
    this.#known.delete(session_id);
    this.#known.set(session_id, timeline);
    for (const id of [...this.#known.keys()].slice(0, -TIMELINES_MAX)) this.#known.delete(id);
    await timeline.update(files, clock);
    return timeline;
  }
}
