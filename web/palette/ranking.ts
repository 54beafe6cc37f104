// Ranks entries by a few typed letters. Pure. The beginning of a title beats beginnings of its words, which beat letters that
// only follow each other. Among equals, recently used entries come first.

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

interface Fit {
  readonly score: number;
  readonly at: readonly number[];
}

/** With this many good matches we leave weak ones out. */
const GOOD_ENOUGH = 3;

const PREFIX = 4_000;
const WORDS = 3_000;
const INSIDE = 2_000;
const LETTERS = 1_000;
/** Found by its other words, so it comes after entries whose title matches. */
const UNSAID = -900;

export function fitOf(query: string, text: string): Fit | undefined {
  const [wanted, given] = [lower(query.trim()), lower(text)];
  if (wanted === "") return { score: 0, at: [] };
  // A shorter title is a closer match, but a better kind of match always wins.
  const short = -Math.min(given.length, 500);
  if (given.startsWith(wanted)) return { score: PREFIX + short, at: span(0, wanted.length) };
  const words = byWords(wanted, given);
  if (words) return { score: WORDS + short - (words[0] ?? 0) / 1_000, at: words };
  const inside = given.indexOf(wanted);
  if (inside >= 0) return { score: INSIDE + short, at: span(inside, wanted.length) };
  const letters = byLetters(wanted.replaceAll(" ", ""), given);
  return letters && { score: LETTERS + short - gaps(letters), at: letters };
}

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
  return other && other.score >= INSIDE - 500 ? other.score / 10 + UNSAID : undefined;
}

/** Each typed word begins a word of the text, or the letters are the words' first ones: "nt" is npm test. */
function byWords(wanted: string, given: string): number[] | undefined {
  const begins = [...given.matchAll(/[\p{L}\p{N}]+/gu)].map(({ index }) => index);
  const at: number[] = [];
  for (const word of wanted.split(/\s+/)) {
    const begin = begins.find((index) => given.startsWith(word, index) && !at.includes(index));
    if (begin === undefined) return byInitials(wanted, given, begins);
    at.push(...span(begin, word.length));
  }
  return at;
}

function byInitials(wanted: string, given: string, begins: readonly number[]): number[] | undefined {
  const at: number[] = [];
  for (const index of begins) if (given[index] === wanted[at.length]) at.push(index);
  return at.length === wanted.length ? at : undefined;
}

function byLetters(wanted: string, given: string): number[] | undefined {
  const at: number[] = [];
  for (let from = 0; at.length < wanted.length; ) {
    const index = given.indexOf(wanted[at.length] ?? "", from);
    if (index < 0) return undefined;
    at.push(index);
    from = index + 1;
  }
  return at;
}

function gaps(at: readonly number[]): number {
  return Math.min(400, (at.at(-1) ?? 0) - (at[0] ?? 0) - at.length + 1);
}

function span(from: number, length: number): number[] {
  return Array.from({ length }, (_, i) => from + i);
}

/** Letters whose lower case is longer stay as they are, because positions must fit the title. */
function lower(text: string): string {
  const all = text.toLowerCase();
  if (all.length === text.length) return all;
  return Array.from({ length: text.length }, (_, i) => {
    const small = text.charAt(i).toLowerCase();
    return small.length === 1 ? small : text.charAt(i);
  }).join("");
}
