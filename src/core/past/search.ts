// Finds text in the journals of sessions: every line a program ever printed, with the cursor where it was on the
// screen, the newest first. A call reads a bounded number of matches and bytes in short turns; `next` continues where it
// ended.

import type { Match, SearchCase } from "../../protocol/ops/time.ts";
import { type Clock, Turns } from "../base/clock.ts";
import { type Fault, isFault } from "../base/fault.ts";
import { type Find, type Place as Found, textFinder } from "../base/finder.ts";
import { marked } from "../base/invisible.ts";
import { patternFinder } from "../base/pattern.ts";
import { Plain, type PlainLine } from "../journal/plain.ts";
import type { SessionFiles } from "../journal/store.ts";
import type { Redactor } from "../redact/redactor.ts";
import { gramsIn } from "./grams.ts";
import { HiddenLines } from "./hidden-lines.ts";
import type { Piece, SearchPieces } from "./search-pieces.ts";

/** Output read in one call, which takes about a second for text and some seconds for a pattern. */
const CALL_BYTES_MAX = 64 << 20;
/** Bytes in which the disk's own search finds no word of the query cost a small part of reading them as lines. */
const SKIPPED_SHARE = 64;
const SLICE_BYTES = 64 << 10;
/** How much of a long line we show around the match. */
const SHOWN_CHARS_MAX = 400;

interface SearchSpec {
  readonly query: string;
  readonly regex: boolean;
  readonly case: SearchCase;
  readonly limit: number;
  readonly after?: SearchPlace | undefined;
}

/** A piece of a journal in which some matches were given already, those nearest to its end. */
export interface SearchPlace {
  readonly session_id: string;
  readonly from: number;
  readonly to: number;
  readonly given: number;
}

interface Searched {
  readonly id: string;
  readonly files: SessionFiles;
  readonly pieces: SearchPieces;
  /** What an agent looks through: it finds what it may see. */
  readonly eyes?: Redactor | undefined;
}

/** The sessions in the order in which they are searched. */
export async function search(
  sessions: readonly Searched[],
  clock: Clock,
  spec: SearchSpec,
): Promise<{ matches: Match[]; next: SearchPlace | null } | Fault> {
  const find = spec.regex ? patternFinder(spec.query, spec.case) : textFinder(spec.query, spec.case);
  if (isFault(find)) return find;
  const word = spec.regex || spec.case === "insensitive" ? undefined : longestWord(spec.query);
  const grams = spec.regex ? [] : gramsIn(spec.query, spec.case);
  const start = spec.after ? sessions.findIndex(({ id }) => id === spec.after?.session_id) : 0;
  const { limit } = spec;
  const run = { find, word, grams, limit, left: CALL_BYTES_MAX, clock, matches: [] as Match[] };
  for (const session of sessions.slice(Math.max(0, start))) {
    const place = await searchOne(session, session.id === spec.after?.session_id ? spec.after : undefined, run);
    if (place) return { matches: run.matches, next: { session_id: session.id, ...place } };
  }
  return { matches: run.matches, next: null };
}

type Place = Omit<SearchPlace, "session_id">;

interface Run {
  readonly find: Find;
  /** Stands in every line that matches. */
  readonly word: string | undefined;
  /** Parts of words that stand in every line that matches. */
  readonly grams: readonly number[];
  readonly limit: number;
  readonly clock: Clock;
  readonly matches: Match[];
  left: number;
}

/** Where to continue when the search did not reach the session's beginning. */
async function searchOne(session: Searched, after: Place | undefined, run: Run): Promise<Place | undefined> {
  const all = await session.pieces.upToNow(run.clock);
  const pieces = after ? all.filter(({ from }) => from <= after.from) : all;
  const turns = new Turns(run.clock);
  for (const [number, piece] of [...pieces.entries()].reverse()) {
    const { from } = piece;
    const [to, given] = from === after?.from ? [after.to, after.given] : [piece.to, 0];
    const isFull = run.matches.length >= run.limit && number < pieces.length - 1;
    if (run.left <= 0 || isFull) return { from, to, given };
    // Where an agent's call ends must not tell it which bytes hold the word.
    if (isSkipped(session, number, { ...piece, to }, run)) run.left -= (to - from) / (session.eyes ? 1 : SKIPPED_SHARE);
    else {
      const more = await readPiece(session, { ...piece, to }, given, run);
      if (more !== undefined) return { from, to, given: more };
    }
    await turns.rest();
  }
  return undefined;
}

/** Whether no line of it can match. */
function isSkipped({ files, pieces }: Searched, number: number, { from, to, verbatim }: Piece, run: Run): boolean {
  if (!pieces.mayHave(number, run.grams)) return true;
  return verbatim && run.word !== undefined && !files.outputHas(run.word, from, to);
}

/** Adds what matches, the last first. When that is not all of it: how many were given by now. */
async function readPiece(
  { id, files, eyes }: Searched,
  piece: Piece,
  given: number,
  run: Run,
): Promise<number | undefined> {
  const { clock, find } = run;
  const buffer = new Uint8Array(SLICE_BYTES);
  const room = run.limit - run.matches.length;
  const last: Match[] = [];
  let count = 0;
  const look = (line: PlainLine) => {
    const found = find(line.text);
    if (!found) return;
    count += 1;
    last.push({ session_id: id, ...shown(line, found) });
    if (last.length > 2 * (given + room)) last.splice(0, last.length - given - room);
  };
  const hidden = eyes && new HiddenLines(eyes, (text) => find(text) !== undefined, look);
  const from = { cursor: piece.from, line: piece.line };
  const plain = new Plain(from, hidden ? (line) => hidden.push(line) : look);
  const turns = new Turns(clock);
  let at = piece.from;
  while (at < piece.to) {
    const got = files.readOutput(at, buffer.subarray(0, Math.min(SLICE_BYTES, piece.to - at)));
    if (got === 0) break;
    plain.push(buffer.subarray(0, got));
    at += got;
    run.left -= got;
    await turns.rest();
  }
  plain.end();
  hidden?.end();
  run.matches.push(...last.toReversed().slice(given, given + room));
  return count > given + room ? given + room : undefined;
}

/** Blanks may be tabs in the bytes, bytes that are no text may be anything, and half a character is no bytes. */
function longestWord(query: string): string | undefined {
  return query.split(/[\s\ufffd\p{Cs}]+/u).sort((a, b) => b.length - a.length)[0] || undefined;
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
