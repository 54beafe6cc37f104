// The interface of a parser for a test runner's output, and the limits that parsers share. Pure. Owns: the bounds on
// lines, sections and messages, so that no parser needs its own. Refuses: to judge whether a run succeeded (summarize.ts).
import type { Failure } from "../../../../protocol/ops/run.ts";

export interface Parsed {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
  readonly duration_ms: number | null;
  /** Its own closing count was seen. Without it nothing may be called a success. */
  readonly complete: boolean;
  /** The runner said that something broke outside the tests. */
  readonly broke: boolean;
}

export interface Parser {
  readonly runner: string;
  /** A text without any of these is not this runner's output. We check this before we read lines. */
  readonly marks: readonly string[];
  parse(lines: readonly string[]): Parsed | undefined;
}

/** We keep the newest lines, because closing counts come last. A 10 MB output of usual lines is shorter than this. */
const LINES_MAX = 300_000;
/** A longer line is data, not a report. The limit also bounds what one expression must scan. */
const LINE_CHARS_MAX = 2_000;
/** More than a reader can use. */
export const FAILURES_MAX = 200;
export const MESSAGE_CHARS_MAX = 2_000;
/** Sections of one failure: an assertion with its diff and its stack. */
const SECTION_LINES_MAX = 400;
/** Twice the failures: some runners print each failure again at the end. */
const SECTIONS_MAX = FAILURES_MAX * 2;

export function linesOf(text: string): readonly string[] {
  let from = text.length;
  for (let n = 0; n < LINES_MAX && from >= 0; n += 1) from = from === 0 ? -1 : text.lastIndexOf("\n", from - 1);
  const kept = from < 0 ? text : text.slice(from + 1);
  return kept.split("\n").map((line) => line.slice(0, LINE_CHARS_MAX).trimEnd());
}

/** Failures without repeats, at most as many as a reader can use. */
export class Failures {
  readonly list: Failure[] = [];
  readonly #known = new Set<string>();

  add(name: string, at: Place | undefined, message: readonly string[]): void {
    const key = `${at?.file ?? ""}\0${name}`;
    if (this.list.length >= FAILURES_MAX || this.#known.has(key)) return;
    this.#known.add(key);
    this.list.push({ name, file: at?.file ?? null, line: at?.line ?? null, message: messageOf(message) });
  }
}

export interface Place {
  readonly file: string;
  readonly line: number | null;
}

export interface Section<T> {
  readonly head: T;
  readonly body: string[];
}

/** Each section begins with a line that matches `head`, and ends before the next one or before a line that matches `ends`. */
export function sections<T>(
  lines: readonly string[],
  head: (line: string) => T | undefined,
  ends: (line: string) => boolean = () => false,
): Section<T>[] {
  const found: Section<T>[] = [];
  let open: Section<T> | undefined;
  for (const line of lines) {
    const begins = head(line);
    if (begins !== undefined) {
      if (found.length >= SECTIONS_MAX) return found;
      open = { head: begins, body: [] };
      found.push(open);
    } else if (open !== undefined && ends(line)) open = undefined;
    else if (open !== undefined && open.body.length < SECTION_LINES_MAX) open.body.push(line);
  }
  return found;
}

/** Removes blank ends and the common indent, and cuts to the limit. */
export function messageOf(lines: readonly string[]): string {
  const filled = lines.filter((line) => line.trim() !== "");
  const indents = filled.slice(0, SECTION_LINES_MAX).map((line) => line.length - line.trimStart().length);
  const indent = indents.reduce((least, one) => Math.min(least, one), LINE_CHARS_MAX);
  const text = filled
    .map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length)))
    .join("\n")
    .trim();
  return text.length <= MESSAGE_CHARS_MAX ? text : `${text.slice(0, MESSAGE_CHARS_MAX - 1)}…`;
}
