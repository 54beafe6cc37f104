// Finds text in lines: literal or by a safe pattern, with or without regard to case. Pure. The same code searches
// everything that sessions printed and one output on the page.
import type { SearchCase } from "../../protocol/ops/time.ts";
import { type Fault, isFault } from "./fault.ts";
import { REGEX_ROW_CHARS_MAX, safeRegex } from "./safe-regex.ts";

export interface Wanted {
  readonly query: string;
  readonly regex: boolean;
  readonly case: SearchCase;
}

export interface Place {
  readonly at: number;
  readonly length: number;
}

/** The first place from an index on. */
export type Find = (text: string, from?: number) => Place | undefined;

export function finder({ query, regex, ...wanted }: Wanted): Find | Fault {
  if (!regex && wanted.case === "sensitive")
    return (text, from) => {
      const at = text.indexOf(query, from);
      return at < 0 ? undefined : { at, length: query.length };
    };
  const flags = wanted.case === "insensitive" ? "giu" : "gu";
  if (!regex) return matcher(new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), flags));
  const pattern = safeRegex(query, flags);
  return isFault(pattern) ? pattern : windowed(matcher(pattern));
}

/** Every match that is not empty, in order. */
export function placesIn(text: string, find: Find): Place[] {
  const places: Place[] = [];
  for (let place = find(text); place; place = find(text, behind(text, place))) if (place.length > 0) places.push(place);
  return places;
}

function behind(text: string, { at, length }: Place): number {
  // After an empty match we move by a whole character, because inside one a pattern would go back to its start.
  return at + (length || ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1));
}

function matcher(regex: RegExp): Find {
  return (text, from = 0) => {
    regex.lastIndex = from;
    const found = regex.exec(text);
    return found ? { at: found.index, length: found[0].length } : undefined;
  };
}

/** Patterns get pieces of the length they were judged by. The pieces overlap, so matches on a border are found. */
function windowed(find: Find): Find {
  const half = REGEX_ROW_CHARS_MAX / 2;
  return (text, from = 0) => {
    for (let start = from - (from % half); ; start += half) {
      const found = find(text.slice(start, start + REGEX_ROW_CHARS_MAX), Math.max(0, from - start));
      if (found) return { at: start + found.at, length: found.length };
      if (start + REGEX_ROW_CHARS_MAX >= text.length) return undefined;
    }
  };
}
