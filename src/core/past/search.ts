// Finds text in the journals of sessions: every line a program ever printed, with the cursor where it was on the
// screen. A call reads a bounded number of matches and bytes in short turns; `next` continues where it ended.

import type { Match, SearchCase } from "../../protocol/ops/time.ts";
import type { Clock } from "../base/clock.ts";
import { type Fault, isFault } from "../base/fault.ts";
import { type Find, type Place as Found, textFinder } from "../base/finder.ts";
import { marked } from "../base/invisible.ts";
import { patternFinder } from "../base/pattern.ts";
import { Plain, type PlainLine, type PlainPlace } from "../journal/plain.ts";
import type { SessionFiles } from "../journal/store.ts";

/** Output read in one call, which takes about a second for text and some seconds for a pattern. */
const CALL_BYTES_MAX = 64 << 20;
const SLICE_BYTES = 64 << 10;
const TURN_MS_MAX = 4;
/** How much of a long line we show around the match. */
const SHOWN_CHARS_MAX = 400;

interface SearchSpec {
  readonly query: string;
  readonly regex: boolean;
  readonly case: SearchCase;
  readonly limit: number;
  readonly after?: SearchPlace | undefined;
}

export interface SearchPlace extends PlainPlace {
  readonly session_id: string;
  /** How many matches after this place were given already. */
  readonly given: number;
}

interface Searched {
  readonly id: string;
  readonly files: SessionFiles;
}

export async function search(
  sessions: readonly Searched[],
  clock: Clock,
  spec: SearchSpec,
): Promise<{ matches: Match[]; next: SearchPlace | null } | Fault> {
  const find = spec.regex ? patternFinder(spec.query, spec.case) : textFinder(spec.query, spec.case);
  if (isFault(find)) return find;
  const start = spec.after ? sessions.findIndex(({ id }) => id === spec.after?.session_id) : 0;
  const run = { find, limit: spec.limit, left: CALL_BYTES_MAX, clock, matches: [] as Match[] };
  for (const session of sessions.slice(Math.max(0, start))) {
    const from = session.id === spec.after?.session_id ? spec.after : { cursor: 0, line: 0, given: 0 };
    const place = await searchOne(session, from, run);
    if (place) return { matches: run.matches, next: { session_id: session.id, ...place } };
  }
  return { matches: run.matches, next: null };
}

type Place = Omit<SearchPlace, "session_id">;

interface Run {
  readonly find: Find;
  readonly limit: number;
  readonly clock: Clock;
  readonly matches: Match[];
  left: number;
}

/** Where to continue when the search did not reach the end. */
async function searchOne({ id, files }: Searched, from: Place, run: Run): Promise<Place | undefined> {
  const { clock } = run;
  const buffer = new Uint8Array(SLICE_BYTES);
  const total = files.outputSize();
  let full: Place | undefined;
  let seen = { place: from as PlainPlace, matches: 0 };
  const plain = new Plain(from, (line) => {
    const found = full ? undefined : run.find(line.text);
    if (!found) return;
    // An overwritten line is reported several times before there is a new place to start from.
    if (seen.place.cursor !== plain.place.cursor) seen = { place: plain.place, matches: 0 };
    seen.matches += 1;
    if (seen.place.cursor === from.cursor && seen.matches <= from.given) return;
    // One more than the limit, so that the next call starts with it.
    if (run.matches.length >= run.limit) full = { ...plain.place, given: seen.matches - 1 };
    else run.matches.push({ session_id: id, ...shown(line, found) });
  });
  let [at, began] = [from.cursor, clock.monotonic()];
  while (at < total && !full) {
    if (run.left <= 0) return goOn(plain.place, from, at, seen);
    const got = files.readOutput(at, buffer.subarray(0, Math.min(SLICE_BYTES, total - at)));
    if (got === 0) break;
    plain.push(buffer.subarray(0, got));
    at += got;
    run.left -= got;
    if (clock.monotonic() - began < TURN_MS_MAX) continue;
    await new Promise<void>((resolve) => clock.soon(resolve));
    began = clock.monotonic();
  }
  if (!full) plain.end();
  return full;
}

/** The bytes are used up. An endless line is left in the middle, because otherwise the search could not continue. */
function goOn(place: PlainPlace, from: PlainPlace, at: number, seen: { place: PlainPlace; matches: number }): Place {
  if (place.cursor === from.cursor) return { cursor: at, line: place.line, given: 0 };
  return { ...place, given: seen.place.cursor === place.cursor ? seen.matches : 0 };
}

function shown({ text, line, behind }: PlainLine, { at, length }: Found) {
  const start = text.length <= SHOWN_CHARS_MAX ? 0 : Math.max(0, at - (SHOWN_CHARS_MAX >> 2));
  const end = Math.min(at + length, start + SHOWN_CHARS_MAX);
  // Each part by itself: so the match stands where it is said to stand.
  const [before, match, after] = [
    marked(text.slice(start, at)),
    marked(text.slice(at, end)),
    marked(text.slice(end, start + SHOWN_CHARS_MAX)),
  ];
  return {
    // Parts of an overwritten line are newer than others.
    cursor: Math.max(...Array.from({ length: Math.max(1, length) }, (_, i) => behind(at + i))),
    line,
    text: before + match + after,
    column: before.length,
    length: match.length,
  };
}
