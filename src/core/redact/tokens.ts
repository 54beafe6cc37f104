// Finds the tokens of vendors.ts by how they begin, or by a mark in their middle. Pure.
import { type Findings, report } from "./finding.ts";
import { MARK_RULES, VENDOR_RULES } from "./vendors.ts";

interface Rule {
  readonly kind: string;
  readonly begin: string;
  readonly follows: RegExp;
}

/** More characters than any rule wants before a mark. */
const BEFORE_MARK_MAX = 64;
/** Letters of all tokens: as long as only they follow, a token may still be completed. */
const TOKEN_TAIL = /[\w.+/=~:%-]*/y;

/** By the codes of its first two characters. */
const BY_BEGIN = new Map<number, Rule[]>();
/** Which pairs of characters begin a token; asked at every word, so it must be cheap. */
const BEGINS = new Uint8Array(128 * 128);

for (const [kind, begins, follows] of VENDOR_RULES) {
  for (const begin of begins) {
    const rule = { kind, begin, follows: new RegExp(follows, "y") };
    for (const second of begin.length > 1 ? [begin.charCodeAt(1)] : Array.from({ length: 128 }, (_, code) => code)) {
      const pair = begin.charCodeAt(0) * 128 + second;
      BEGINS[pair] = 1;
      BY_BEGIN.set(
        pair,
        [...(BY_BEGIN.get(pair) ?? []), rule].sort((a, b) => b.begin.length - a.begin.length),
      );
    }
  }
}

const MARKS = MARK_RULES.map(([kind, mark, before, follows]) => ({
  kind,
  mark,
  before: new RegExp(`(?<![A-Za-z0-9])${before}$`),
  follows: new RegExp(follows, "y"),
}));

export function mayBegin(first: number, second: number): boolean {
  return first < 128 && second < 128 && BEGINS[first * 128 + second] === 1;
}

/** Looks for a token that begins at a word's start. Returns its end, or where it looked. */
export function tokenAt(text: string, at: number, found: Findings): number {
  const rules = BY_BEGIN.get(text.charCodeAt(at) * 128 + text.charCodeAt(at + 1)) ?? [];
  let begun = false;
  for (const { kind, begin, follows } of rules) {
    if (!text.startsWith(begin, at)) continue;
    if (begin.length > 2) begun = true;
    follows.lastIndex = at + begin.length;
    if (!follows.test(text)) continue;
    const to = follows.lastIndex;
    if (isDummy(text.slice(at + begin.length, to))) continue;
    report(text, found, { kind, from: at, to });
    return to;
  }
  if (begun && reachesEnd(text, at)) found.open(at);
  return at;
}

/** Looks for a token whose middle begins here. */
export function tokenAround(text: string, at: number, found: Findings): void {
  for (const { kind, mark, before, follows } of MARKS) {
    if (!text.startsWith(mark, at)) continue;
    const head = before.exec(text.slice(Math.max(0, at - BEFORE_MARK_MAX), at));
    if (!head) continue;
    const from = at - head[0].length;
    follows.lastIndex = at + mark.length;
    if (follows.test(text)) report(text, found, { kind, from, to: follows.lastIndex });
    else if (reachesEnd(text, at)) found.open(from);
  }
}

function reachesEnd(text: string, at: number): boolean {
  // A token that is longer than this has been found, or is none.
  if (text.length - at > 4096) return false;
  TOKEN_TAIL.lastIndex = at;
  return TOKEN_TAIL.test(text) && TOKEN_TAIL.lastIndex === text.length;
}

/** What stands in a manual instead of a token: xxxx…, words, the example key of AWS. */
function isDummy(body: string): boolean {
  if (/^[a-z_-]+$/.test(body) || /^[A-Z]*[_-][A-Z_-]*$/.test(body) || body.endsWith("EXAMPLE")) return true;
  return new Set(body.slice(0, 64)).size < 5;
}
