// A session as an asciicast v3 recording, in parts. Pure except for reading the journal: the same journal gives the same
// bytes. A half character waits for its other half; bytes that are not UTF-8 become U+FFFD.
import { Utf8 } from "../base/utf8.ts";
import type { ExitRecord } from "../journal/records.ts";
import type { Meta, SessionFiles } from "../journal/store.ts";
import type { Step, Timeline } from "../journal/timeline.ts";
import type { Size } from "../pty/pty.ts";

/** The size of one event, small enough to show at once. */
const EVENT_BYTES_MAX = 32 << 10;
/** A character has at most this many bytes before its last one. */
const CHAR_REST_MAX = 3;
const SIGNALS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGTERM: 15,
};

export interface CastRange {
  /** Where the recording begins; `first` paints what was on the screen there. */
  readonly from: number;
  readonly first: { readonly size: Size; readonly paint: Uint8Array };
  /** This part of it. */
  readonly start: number;
  readonly end: number;
  readonly last: boolean;
}

export function castHeader(meta: Meta, { from, first }: CastRange, timeline: Timeline, title: string): string {
  const header = {
    version: 3,
    term: { ...first.size, type: "xterm-256color" },
    timestamp: Math.floor(timeline.timeAt(from) / 1000),
    command: meta.command.join(" "),
    ...(title === "" ? {} : { title }),
  };
  return `${JSON.stringify(header)}\n`;
}

export function castEvents(files: SessionFiles, range: CastRange, timeline: Timeline): string {
  const { from, first, start, end } = range;
  const utf8 = new Utf8();
  const out: string[] = [];
  let before = timeline.timeAt(start);
  const event = (ts: number, code: string, data: string) => {
    if (data === "") return;
    out.push(`${JSON.stringify([(ts - before) / 1000, code, data])}\n`);
    before = ts;
  };
  if (start === from) event(before, "o", utf8.text(first.paint));
  for (const step of timeline.steps({ from: start, to: end, last: range.last ? "with" : "without" })) {
    if (step.kind === "output") for (const bytes of pieces(files, step)) event(step.ts, "o", utf8.text(bytes));
    // The first paint already has the right size.
    else if (step.kind === "resize" && (step.cursor > from || from === 0))
      event(step.ts, "r", `${step.cols}x${step.rows}`);
    else if (step.kind === "exit") {
      event(step.ts, "o", utf8.end());
      event(step.ts, "x", statusOf(step));
    }
  }
  if (range.last) event(before, "o", utf8.end());
  return out.join("");
}

/** The last place at or before `end` that does not cut a character. */
export function wholeCharsBefore(files: SessionFiles, end: number): number {
  const from = Math.max(0, end - CHAR_REST_MAX);
  const tail = new Uint8Array(end - from);
  files.readOutput(from, tail);
  for (let back = 1; back <= tail.length; back += 1) {
    const byte = tail[tail.length - back] ?? 0;
    if (byte < 0x80) return end;
    if (byte >= 0xc0) {
      const utf8 = new Utf8();
      utf8.text(tail.subarray(tail.length - back));
      return utf8.open ? end - back : end;
    }
  }
  return end;
}

function* pieces(files: SessionFiles, { from, to }: Extract<Step, { kind: "output" }>): Generator<Uint8Array> {
  const buffer = new Uint8Array(Math.min(EVENT_BYTES_MAX, to - from));
  for (let at = from; at < to; ) {
    const got = files.readOutput(at, buffer.subarray(0, Math.min(buffer.length, to - at)));
    if (got === 0) return;
    yield buffer.subarray(0, got);
    at += got;
  }
}

/** As shells report it: 128 plus the signal's number. */
function statusOf({ code, signal }: ExitRecord): string {
  return String(code ?? 128 + (SIGNALS[signal ?? ""] ?? 0));
}
