// Styled lines of output as a person reads them, and where a text is in them. Pure.

import { runText } from "../../src/core/base/clean.ts";
import { type Find, placesIn } from "../../src/core/base/finder.ts";
import { linksIn, type TextLink } from "./links.ts";

/** Text in one style, as the daemon gives it. */
interface Run {
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
  /** Where it leads: one link over several pieces is one object. */
  readonly to?: TextLink | undefined;
}

export function hitsIn(text: string, find: Find): Hit[] {
  return placesIn(text, find).map(({ at, length }) => ({ from: at, to: at + length }));
}

/** The runs of a line, readable, cut where hits and links begin and end. What a program linked itself has no other link. */
export function piecesOf(line: Line, hits: readonly Hit[] = []): Piece[] {
  const pieces: Piece[] = [];
  const links = linksIn(line.map(runText).join(""));
  let at = 0;
  for (const run of line) {
    const text = runText(run);
    const cuts = [0, text.length];
    for (const { from, to } of [...hits, ...links]) cuts.push(from - at, to - at);
    const inside = [...new Set(cuts)].filter((cut) => cut >= 0 && cut <= text.length).sort((a, b) => a - b);
    for (const [i, from] of inside.entries()) {
      const part = text.slice(from, inside[i + 1]);
      if (inside[i + 1] === undefined || part === "") continue;
      const isIn = (place: Hit) => at + from >= place.from && at + from < place.to;
      pieces.push({ ...run, text: part, hit: hits.some(isIn), to: run.link ? undefined : links.find(isIn) });
    }
    at += text.length;
  }
  return pieces;
}
