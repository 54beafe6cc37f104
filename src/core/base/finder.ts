// Finds text in lines, with or without regard to case. Pure. The same code searches everything that sessions printed and one
// output on the page. Patterns are found by pattern.ts, which the page loads only when it needs it.
import type { SearchCase } from "../../protocol/ops/time.ts";

export interface Place {
  readonly at: number;
  readonly length: number;
}

/** The first place from an index on. */
export type Find = (text: string, from?: number) => Place | undefined;

/** Literal text. */
export function textFinder(query: string, letters: SearchCase): Find {
  if (letters === "sensitive")
    return (text, from) => {
      const at = text.indexOf(query, from);
      return at < 0 ? undefined : { at, length: query.length };
    };
  const regex = new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
  return (text, from = 0) => {
    regex.lastIndex = from;
    const found = regex.exec(text);
    return found ? { at: found.index, length: found[0].length } : undefined;
  };
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
