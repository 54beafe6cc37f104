// Finds the tokens of vendors.ts by how they begin, or by a mark in their middle. Pure.
import { type Findings, report } from "./finding.ts";
import { MARK_RULES, VENDOR_RULES } from "./vendors.ts";

interface Rule {
  readonly kind: string;
  readonly begin: string;
  readonly follows: RegExp;
  /** The letters that come first, and how many of them; undefined when only the whole form can tell. */
  readonly first: { readonly letters: RegExp; readonly least: number } | undefined;
}

/** By the first letter, those with the longest beginning first. */
const BY_LETTER = new Map<number, Rule[]>();
for (const [kind, begins, follows] of VENDOR_RULES) {
  for (const begin of begins) {
    const letter = begin.charCodeAt(0);
    const rules = [
      ...(BY_LETTER.get(letter) ?? []),
      { kind, begin, follows: new RegExp(follows, "y"), first: firstOf(follows) },
    ];
    BY_LETTER.set(
      letter,
      rules.sort((a, b) => b.begin.length - a.begin.length),
    );
  }
}

/** Beginnings of more than one letter. */
export const TOKEN_BEGINNINGS: readonly string[] = [...BY_LETTER.values()]
  .flat()
  .map(({ begin }) => begin)
  .filter((begin) => begin.length > 1);

const ONE_LETTER = new Uint8Array(128);
for (const { begin } of [...BY_LETTER.values()].flat()) if (begin.length === 1) ONE_LETTER[begin.charCodeAt(0)] = 1;

const MARKS = MARK_RULES.map(([kind, mark, before, most, follows]) => ({
  kind,
  mark,
  most,
  before: new RegExp(`(?<![A-Za-z0-9])${before}$`),
  follows: new RegExp(follows, "y"),
}));

/** Whether this letter alone begins a token, which is then known by its length. */
export function startsLong(code: number): boolean {
  return ONE_LETTER[code] === 1;
}

/** Looks for a token that begins at a word's start. Returns its end, or where it looked. */
export function tokenAt(text: string, at: number, found: Findings): number {
  const rules = BY_LETTER.get(text.charCodeAt(at)) ?? [];
  let begun = false;
  for (const { kind, begin, follows, first } of rules) {
    if (!text.startsWith(begin, at)) continue;
    if (begin.length > 2 && at >= found.tail) begun ||= mayGoOn(text, at + begin.length, first);
    follows.lastIndex = at + begin.length;
    if (!follows.test(text)) continue;
    const to = follows.lastIndex;
    if (isDummy(text.slice(at + begin.length, to))) continue;
    report(text, found, { kind, from: at, to });
    return to;
  }
  if (begun) found.open(at);
  return at;
}

/** The first part of a form, such as [a-f]{40}. */
function firstOf(follows: string): Rule["first"] {
  const [, letters, least, most] = /^(\[[^\]]+\])\{(\d+)(?:,(\d+))?\}/.exec(follows) ?? [];
  if (letters === undefined) return undefined;
  return { letters: new RegExp(`${letters}{0,${most ?? least}}`, "y"), least: Number(least) };
}

/** Whether what stands here, up to the end of the text, may become the form when more text comes. */
function mayGoOn(text: string, at: number, first: Rule["first"]): boolean {
  if (!first) return true;
  first.letters.lastIndex = at;
  first.letters.test(text);
  return first.letters.lastIndex >= text.length || first.letters.lastIndex - at >= first.least;
}

/** Looks for a token whose middle begins here. Returns its end, or where it looked. */
export function tokenAround(text: string, at: number, found: Findings): number {
  for (const { kind, mark, most, before, follows } of MARKS) {
    if (!text.startsWith(mark, at)) continue;
    const head = before.exec(text.slice(Math.max(0, at - most - 1), at));
    if (!head) continue;
    const from = at - head[0].length;
    follows.lastIndex = at + mark.length;
    if (follows.test(text)) {
      report(text, found, { kind, from, to: follows.lastIndex });
      return follows.lastIndex;
    }
    if (at >= found.tail) found.open(from);
  }
  return at;
}

/** What stands in a manual instead of a token: xxxx…, words, the example key of AWS. */
function isDummy(body: string): boolean {
  if (/^[a-z_-]+$/.test(body) || /^[A-Z]*[_-][A-Z_-]*$/.test(body) || body.endsWith("EXAMPLE")) return true;
  return new Set(body.slice(0, 64)).size < 5;
}
