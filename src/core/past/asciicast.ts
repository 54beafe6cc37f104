// A session as an asciicast v3 recording, in parts. Pure except for reading the journal: the same journal gives the same
// bytes. A half character waits for its other half; bytes that are not UTF-8 become U+FFFD.
import { Utf8 } from "../base/utf8.ts";
import type { ExitRecord } from "../journal/records.ts";
import type { SessionFiles } from "../journal/store.ts";
import type { Step, Timeline } from "../journal/timeline.ts";
import type { Size } from "../pty/pty.ts";
import { CONTEXT_BYTES, type Redactor } from "../redact/redactor.ts";

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

/** The facts of a recording that are texts. */
interface CastTexts {
  readonly command: string;
  readonly title: string;
}

export function castHeader({ from, first }: CastRange, timeline: Timeline, { command, title }: CastTexts): string {
  const header = {
    version: 3,
    term: { ...first.size, type: "xterm-256color" },
    timestamp: Math.floor(timeline.timeAt(from) / 1000),
    command,
    ...(title === "" ? {} : { title }),
  };
  return `${JSON.stringify(header)}\n`;
}

interface CastEvent {
  readonly ts: number;
  readonly code: "o" | "r" | "x";
  readonly data: string;
}

/** `eyes`: what an agent looks through. A secret may stand in several events. */
export function castEvents(files: SessionFiles, range: CastRange, timeline: Timeline, eyes?: Redactor): string {
  const { from, first, start } = range;
  const events = [...eventsIn(files, range, timeline)];
  const shown = eyes ? hiddenEvents(files, range, events, eyes) : events;
  const began = timeline.timeAt(start);
  const paint = start === from ? new Utf8().text(first.paint) : "";
  const painted = { ts: began, code: "o" as const, data: eyes ? eyes.output(paint) : paint };
  let before = began;
  let out = "";
  for (const { ts, code, data } of [painted, ...shown]) {
    if (data === "") continue;
    out += `${JSON.stringify([(ts - before) / 1000, code, data])}\n`;
    before = ts;
  }
  return out;
}

function* eventsIn(files: SessionFiles, range: CastRange, timeline: Timeline): Generator<CastEvent> {
  const { from, start, end } = range;
  const utf8 = new Utf8();
  let last = timeline.timeAt(start);
  for (const step of timeline.steps({ from: start, to: end, last: range.last ? "with" : "without" })) {
    const { ts } = step;
    last = ts;
    if (step.kind === "output")
      for (const bytes of pieces(files, step)) yield { ts, code: "o", data: utf8.text(bytes) };
    // The first paint already has the right size.
    else if (step.kind === "resize" && (step.cursor > from || from === 0))
      yield { ts, code: "r", data: `${step.cols}x${step.rows}` };
    else if (step.kind === "exit") {
      yield { ts, code: "o", data: utf8.end() };
      yield { ts, code: "x", data: statusOf(step) };
    }
  }
  if (range.last) yield { ts: last, code: "o", data: utf8.end() };
}

/** Output is judged as a whole, with what stands before and after this part. Each event keeps its time. */
function hiddenEvents(
  files: SessionFiles,
  { from, start, end }: CastRange,
  events: readonly CastEvent[],
  eyes: Redactor,
): CastEvent[] {
  const textOf = (a: number, b: number) => {
    const bytes = new Uint8Array(Math.max(0, b - a));
    return new Utf8().text(bytes.subarray(0, files.readOutput(a, bytes)));
  };
  const before = textOf(Math.max(from, start - CONTEXT_BYTES), start);
  const after = textOf(end, Math.min(files.outputSize(), end + CONTEXT_BYTES));
  const output = events.filter(({ code }) => code === "o");
  const hidden = eyes.outputPieces(
    before,
    output.map(({ data }) => data),
    after,
  );
  let next = 0;
  return events.map((event) => (event.code === "o" ? { ...event, data: hidden[next++] ?? "" } : event));
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
