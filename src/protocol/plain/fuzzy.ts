// How well a text fits a few typed letters. Pure. The beginning of the text beats beginnings of its words, which beat the letters
// in one piece, which beat letters that only follow each other.

interface Fit {
  readonly score: number;
  /** Where in the text the letters are. */
  readonly at: readonly number[];
}

const PREFIX = 4_000;
const WORDS = 3_000;
const INSIDE = 2_000;
/** No score above it is of letters that only follow each other. */
export const LETTERS = 1_000;
/** Of a longer text only the beginning counts for its score. */
const LENGTH_MAX = 500;

export function fitOf(query: string, text: string): Fit | undefined {
  const [wanted, given] = [lower(query.trim()), lower(text)];
  if (wanted === "") return { score: 0, at: [] };
  // Every kind of match has the letters of each word in their order. Most texts fail here, quickly.
  if (!wanted.split(/\s+/).every((word) => byLetters(word, given))) return undefined;
  // A shorter text is a closer match, but a better kind of match always wins.
  const short = -Math.min(given.length, LENGTH_MAX);
  if (given.startsWith(wanted)) return { score: PREFIX + short, at: span(0, wanted.length) };
  const words = byWords(wanted, given);
  if (words) return { score: WORDS + short - (words[0] ?? 0) / 1_000, at: words };
  const inside = given.indexOf(wanted);
  if (inside >= 0) return { score: INSIDE + short, at: span(inside, wanted.length) };
  const letters = byLetters(wanted.replaceAll(" ", ""), given);
  return letters && { score: LETTERS + short - gaps(letters), at: letters };
}

export const LETTERS_KIND = 1;

/** The kind of a match alone: 4 is the best, 1 are letters, 0 when nothing was typed. */
export function kindOf(fit: Fit | undefined): number | undefined {
  return fit && Math.max(0, Math.ceil(fit.score / LETTERS));
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

/** Letters whose lower case is longer stay as they are, because positions must fit the text. */
function lower(text: string): string {
  const all = text.toLowerCase();
  if (all.length === text.length) return all;
  return Array.from({ length: text.length }, (_, i) => {
    const small = text.charAt(i).toLowerCase();
    return small.length === 1 ? small : text.charAt(i);
  }).join("");
}
