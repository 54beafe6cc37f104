// Styled lines of output as a person reads them, and where a text stands in them. Pure.
import { runText } from "../../src/core/base/clean.ts";

/** Text in one style, as the daemon gives it. */
export interface Run {
  readonly text: string;
  readonly sgr: string;
  readonly link?: string | undefined;
}
export type Line = readonly Run[];

/** Columns of UTF-16 units; `to` is not included. */
export interface Hit {
  readonly from: number;
  readonly to: number;
}

export interface Piece extends Run {
  readonly hit: boolean;
}

/** How high a line is with letters of this size, as the live terminal has it: a card that freezes keeps its height. */
export function rowPx(font_px: number): number {
  return Math.round(font_px * 1.385);
}

/** Only what can do nothing but be visited. */
export function safeLink(link: string | undefined): string | undefined {
  return link !== undefined && /^(?:https?:\/\/|mailto:)/i.test(link) ? link : undefined;
}

/** Every place of a text, without regard to case. */
export function hitsIn(text: string, wanted: string): Hit[] {
  if (wanted === "") return [];
  const [where, what] = [text.toLowerCase(), wanted.toLowerCase()];
  const hits: Hit[] = [];
  // Some letters change their length with their case: then places would be wrong, and are given only if they fit.
  if (where.length !== text.length) return text.includes(wanted) ? [spot(text, wanted)] : [];
  for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, at + what.length))
    hits.push({ from: at, to: at + what.length });
  return hits;
}

function spot(text: string, wanted: string): Hit {
  const from = text.indexOf(wanted);
  return { from, to: from + wanted.length };
}

/** The runs of a line, readable, cut where hits begin and end. */
export function piecesOf(line: Line, hits: readonly Hit[] = []): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const run of line) {
    const text = runText(run);
    const cuts = [0, text.length];
    for (const { from, to } of hits) cuts.push(from - at, to - at);
    const inside = [...new Set(cuts)].filter((cut) => cut >= 0 && cut <= text.length).sort((a, b) => a - b);
    for (const [i, from] of inside.entries()) {
      const part = text.slice(from, inside[i + 1]);
      if (inside[i + 1] === undefined || part === "") continue;
      const isHit = hits.some((hit) => at + from >= hit.from && at + from < hit.to);
      pieces.push({ ...run, text: part, hit: isHit });
    }
    at += text.length;
  }
  return pieces;
}
