// Small helpers that many parsers share: counts in words, durations, places in stacks. Pure.
// Every expression here is anchored or cannot start inside its own match, so a line costs its length.
import type { Place } from "./parser.ts";

/** The last line that matches: closing counts are repeated by live displays, and the last one counts. */
export function lastMatch(lines: readonly string[], pattern: RegExp): RegExpExecArray | undefined {
  for (let i = lines.length - 1; i >= 0; i -= 1) {
    const match = pattern.exec(lines[i] ?? "");
    if (match !== null) return match;
  }
  return undefined;
}

export function allMatches(lines: readonly string[], pattern: RegExp): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  for (const line of lines) {
    const match = pattern.exec(line);
    if (match !== null) found.push(match);
  }
  return found;
}

/** "2 failed | 1 passed (3)" → failed 2, passed 1. Words are lower-cased and lose a plural s. */
export function countsIn(text: string): (...words: string[]) => number {
  const counts = new Map<string, number>();
  for (const [, n, word] of text.matchAll(/(?<![\d.])(\d{1,9}) ([A-Za-z]{1,20})/g)) {
    counts.set(singular(word ?? ""), Number(n));
  }
  return (...words) => words.reduce((sum, word) => sum + (counts.get(singular(word)) ?? 0), 0);
}

/** The counts of several runs in one output (packages, environments), added up. */
interface Tally {
  readonly runs: number;
  count(...words: string[]): number;
}

export function tally(lines: readonly string[], pattern: RegExp, read: typeof countsIn = countsIn): Tally {
  const each = allMatches(lines, pattern).map((match) => read(match[1] ?? ""));
  return { runs: each.length, count: (...words) => each.reduce((sum, counts) => sum + counts(...words), 0) };
}

export function durationOver(lines: readonly string[], pattern: RegExp): number | null {
  const each = allMatches(lines, pattern).flatMap((match) => durationMs(match[1] ?? "") ?? []);
  return each.length === 0 ? null : each.reduce((sum, one) => sum + one, 0);
}

/** The same for "Failures: 1, Errors: 2" and "failures=1, errors=2". */
export function fieldsIn(text: string): (...words: string[]) => number {
  const counts = new Map<string, number>();
  for (const [, word, n] of text.matchAll(/(?:^|,) {0,9}([A-Za-z][A-Za-z ]{0,30})[:=] {0,9}(\d{1,9})/g)) {
    counts.set(singular((word ?? "").trim()), Number(n));
  }
  return (...words) => words.reduce((sum, word) => sum + (counts.get(singular(word)) ?? 0), 0);
}

function singular(word: string): string {
  const low = word.toLowerCase();
  return low.endsWith("s") ? low.slice(0, -1) : low;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  us: 0.001,
  µs: 0.001,
  ms: 1,
  s: 1_000,
  sec: 1_000,
  second: 1_000,
  seconds: 1_000,
  m: 60_000,
  min: 60_000,
  mins: 60_000,
  minute: 60_000,
  minutes: 60_000,
  h: 3_600_000,
};

/** "300ms", "1.2 s", "1m 2s", "2.5 min", "01:05.250", or null when it is none of these. */
export function durationMs(text: string): number | null {
  const clock = /^\s*(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2}(?:\.\d{1,6})?)/.exec(text);
  if (clock !== null) {
    return Math.round((Number(clock[1] ?? 0) * 3_600 + Number(clock[2]) * 60 + Number(clock[3])) * 1_000);
  }
  let sum: number | null = null;
  for (const [, n, unit] of text.slice(0, 60).matchAll(/(?<![\d.])(\d{1,9}(?:\.\d{1,9})?) ?([a-zµ]{1,7})(?![a-z])/g)) {
    const ms = UNIT_MS[unit ?? ""];
    if (ms !== undefined) sum = (sum ?? 0) + Number(n) * ms;
  }
  return sum === null ? null : Math.round(sum);
}

/** `path:12` or `path:12:5`, without what surrounds it. */
export function placeOf(text: string): Place | undefined {
  const bare = text.trim().replace(/^file:\/\//, "");
  const match = /^([^\s:"'()][^:"'()]{0,400}):(\d{1,7})(?::\d{1,7})?$/.exec(bare);
  return match === null ? undefined : { file: match[1] ?? "", line: Number(match[2]) };
}

/** The first frame of a JavaScript stack that is neither the platform's nor a dependency's. */
export function stackPlace(lines: readonly string[]): Place | undefined {
  for (const line of lines) {
    const bare = line.trimStart();
    if (!bare.startsWith("at ")) continue;
    const open = bare.lastIndexOf("(");
    const at = placeOf(open < 0 ? bare.slice(3).replace(/^async /, "") : bare.slice(open + 1).replace(/\)$/, ""));
    if (at !== undefined && !/^node:|\/node_modules\/|^internal\//.test(at.file)) return at;
  }
  return undefined;
}

/** What a person reads first: everything above the stack. */
export function aboveStack(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => /^\s*at \S/.test(line));
  return end < 0 ? lines : lines.slice(0, end);
}
