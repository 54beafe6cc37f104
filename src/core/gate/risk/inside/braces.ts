// Braces in a word as the words that the shell makes of them: {rm,x} is the command rm with the argument x. Pure and bounded.
import type { Word } from "unbash";
import { type Arg, anything, bareWord, literal, wordOf } from "../words.ts";

/** Words of one word. Nobody writes more by hand. */
const WORDS_MAX = 100;

/** A character that the shell reads, or one in quotes. */
interface Char {
  readonly char: string;
  readonly quoted: boolean;
}

/** The words that one word becomes. Words with an expansion, too, are left as they are: what becomes of them shows at run time. */
export function wordsOf(word: Word): readonly Arg[] {
  if (!/\{[\s\S]*(?:,|\.\.)[\s\S]*\}/.test(word.text) || wordOf(word).literal) return [wordOf(word)];
  const chars = charsOf(word.text);
  if (!chars) return [/^[^{]*[$`~<>(]/.test(word.text) ? wordOf(word) : anything(word.text)];
  const words = expanded(chars);
  return words ? words.map(argOfChars) : [anything(word.text)];
}

/** Null: more than quotes and plain characters. */
function charsOf(text: string): readonly Char[] | null {
  const chars: Char[] = [];
  let rest = text;
  while (rest !== "") {
    const quoted = /^'([^']*)'|^"([^"\\$`]*)"|^\\([^\n])/.exec(rest);
    if (!quoted && /^[$`"'\\<>()~]/.test(rest)) return null;
    const inner = quoted ? (quoted[1] ?? quoted[2] ?? quoted[3] ?? "") : (rest[0] ?? "");
    for (const char of inner) chars.push({ char, quoted: quoted !== null });
    rest = rest.slice(quoted ? quoted[0].length : 1);
  }
  return chars;
}

/** Null: too many words. */
function expanded(chars: readonly Char[]): readonly (readonly Char[])[] | null {
  for (const [open, one] of chars.entries()) {
    if (one.quoted || one.char !== "{") continue;
    const found = alternatives(chars, open);
    if (!found) continue;
    const tails = expanded(chars.slice(found.end + 1));
    if (!tails) return null;
    const middles: (readonly Char[])[] = [];
    for (const part of found.parts) {
      const words = expanded(part);
      if (!words || middles.length + words.length > WORDS_MAX) return null;
      middles.push(...words);
    }
    if (middles.length * tails.length > WORDS_MAX) return null;
    const head = chars.slice(0, open);
    return middles.flatMap((middle) => tails.map((tail) => [...head, ...middle, ...tail]));
  }
  return [chars];
}

/** The parts between the brace at `open` and its end; null when it is only a character. */
function alternatives(chars: readonly Char[], open: number) {
  const parts: Char[][] = [[]];
  let depth = 0;
  for (let i = open + 1; i < chars.length; i += 1) {
    const one = chars[i];
    if (!one) break;
    if (!one.quoted && one.char === "}" && depth === 0) {
      if (parts.length > 1) return { parts, end: i };
      const range = rangeOf(parts[0] ?? []);
      return range && { parts: range, end: i };
    }
    if (!one.quoted && one.char === "{") depth += 1;
    if (!one.quoted && one.char === "}") depth -= 1;
    if (!one.quoted && one.char === "," && depth === 0) parts.push([]);
    else parts.at(-1)?.push(one);
  }
  return null;
}

/** {1..3}, {a..c}. A range with too many members has one more than is allowed, so that it counts as too many. */
function rangeOf(chars: readonly Char[]): Char[][] | null {
  const text = chars.map(({ char }) => char).join("");
  const [, from, to, by] = /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return null;
  const isLetter = /[A-Za-z]/.test(from);
  if (isLetter !== /[A-Za-z]/.test(to)) return null;
  const value = (member: string) => (isLetter ? member.charCodeAt(0) : Number(member));
  const step = Math.abs(Number(by ?? 1)) || 1;
  const count = Math.min(Math.floor(Math.abs(value(to) - value(from)) / step), WORDS_MAX) + 1;
  const sign = value(to) < value(from) ? -1 : 1;
  const width = /^-?0\d|^0/.test(from) || /^-?0\d/.test(to) ? Math.max(from.length, to.length) : 0;
  return Array.from({ length: count }, (_, i) => {
    const at = value(from) + sign * step * i;
    const member = isLetter ? String.fromCharCode(at) : String(at).padStart(width, "0");
    return [...member].map((char) => ({ char, quoted: false }));
  });
}

function argOfChars(chars: readonly Char[]): Arg {
  const text = chars.map(({ char }) => char).join("");
  const isPattern = chars.some(({ char, quoted }) => !quoted && /[*?[]/.test(char));
  return isPattern ? bareWord(text) : literal(text);
}
