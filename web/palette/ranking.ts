// Ranks entries by a few typed letters. Pure. Among equals, recently used entries come first.
import { fitOf, LETTERS } from "../../src/protocol/plain/fuzzy.ts";

/** Several screens full. A person who wants more types another letter. */
export const SHOWN_MAX = 60;
/** With nothing typed, this many recent entries come first. */
const RECENT_SHOWN = 5;

export interface Entry {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  /** More words to find it by. */
  readonly words?: string;
}

export interface Ranked<E extends Entry> {
  readonly entry: E;
  /** Where in the title the letters are. */
  readonly at: readonly number[];
}

/** With this many good matches we leave weak ones out. */
const GOOD_ENOUGH = 3;

/** Found by its other words, so it comes after entries whose title matches. */
const UNSAID = -900;
/** Other words must be there in one piece. */
const UNSAID_MIN = 1_500;

export function rank<E extends Entry>(entries: readonly E[], query: string, recent: readonly string[]): Ranked<E>[] {
  const used = (id: string) => (recent.includes(id) ? recent.length - recent.indexOf(id) : 0);
  const found = entries.flatMap((entry, order) => {
    const said = fitOf(query, entry.title);
    const score = said?.score ?? unsaid(query, entry);
    return score === undefined ? [] : [{ entry, at: said?.at ?? [], score, order, used: used(entry.id) }];
  });
  found.sort((a, b) => b.score - a.score || b.used - a.used || a.order - b.order);
  // Letters that only follow each other count only when nothing better matches.
  const good = found.filter(({ score }) => score > LETTERS);
  return (good.length >= GOOD_ENOUGH ? good : found).slice(0, SHOWN_MAX).map(({ entry, at }) => ({ entry, at }));
}

/** With nothing typed: recent entries, then everything in its own order. */
export function rest<E extends Entry>(entries: readonly E[], recent: readonly string[]): Ranked<E>[] {
  const lately = recent.slice(0, RECENT_SHOWN).flatMap((id) => entries.filter((entry) => entry.id === id));
  const others = entries.filter((entry) => !lately.includes(entry));
  return [...lately, ...others].slice(0, SHOWN_MAX).map((entry) => ({ entry, at: [] }));
}

function unsaid(query: string, { words, group }: Entry): number | undefined {
  const other = fitOf(query, `${words ?? ""} ${group}`.trim());
  return other && other.score >= UNSAID_MIN ? other.score / 10 + UNSAID : undefined;
}
