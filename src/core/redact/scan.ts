// One pass over a text that shows every rule the places where it may have something to say: word starts, separators, dashes. Pure.
// Linear in the text: each look is bounded, and what was read as a value is not read again as another.
import { addressAt, dsnAt, hashAt, oracleAt } from "./context/addresses.ts";
import { assignedAt } from "./context/assigned.ts";
import { commandAt, flagAt } from "./context/commands.ts";
import { bearerAt } from "./context/headers.ts";
import { endsPromising } from "./context/names.ts";
import { columnAt, keywordAt } from "./context/pairs.ts";
import { PHRASE_WORDS, pgpassAt, phraseAt } from "./context/phrases.ts";
import { PROGRAMS } from "./context/programs.ts";
import type { Findings } from "./finding.ts";
import { keysIn } from "./pem.ts";
import { startsLong, TOKEN_BEGINNINGS, tokenAround, tokenAt } from "./tokens.ts";

/** What a character asks for. */
const REST = 0;
const WORD = 1;
const SIGN = 2;
const DASH = 45;
const PERCENT = 37;
const TAB = 9;
const BLANK = 32;
const BAR = 124;
/** The line that tables are drawn with, and its first byte in UTF-8. */
const LINE = 0x2502;
const LINE_BYTE = 0xe2;
const URL_CODE = /%[0-9A-Fa-f]{2}/y;
const COLOUR = /\[[\d;]{0,12}m/y;
const CLASS = new Uint8Array(128);
for (let code = 0; code < 128; code++) if (/\w/.test(String.fromCharCode(code))) CLASS[code] = WORD;
for (const char of "=:>-${.~@\\%[|") CLASS[char.charCodeAt(0)] = SIGN;

/** A column of names is not wider than this. */
const COLUMN_MAX = 40;

/** Words after which something is looked for, in lower case. */
const WORDS = new Map<string, "program" | "phrase" | "bearer">([
  ...[...PROGRAMS.keys()].map((name) => [name, "program"] as const),
  ...PHRASE_WORDS.map((name) => [name, "phrase"] as const),
  ["bearer", "bearer"],
]);
const KNOWN_WORD = /[A-Za-z0-9_-]{2,16}(?=[ \t])/y;

/** Which three characters begin a token or a known word, by a hash of them: most words are done with here. */
const BEGINNINGS = new Uint8Array(1 << 15);
const TOKEN_BEGINS = 1;
const WORD_BEGINS = 2;
const mark = (begin: string, as: number) => {
  for (const three of threesOf(begin)) BEGINNINGS[hashOf(three, 0)] = (BEGINNINGS[hashOf(three, 0)] ?? 0) | as;
};
for (const begin of TOKEN_BEGINNINGS) mark(begin, TOKEN_BEGINS);
for (const word of WORDS.keys())
  for (const form of [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)]) mark(form, WORD_BEGINS);

function threesOf(begin: string): string[] {
  if (begin.length > 2) return [begin];
  return Array.from({ length: 128 }, (_, code) => begin + String.fromCharCode(code)).flatMap((one) => threesOf(one));
}

function hashOf(text: string, at: number): number {
  return (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & 0x7fff;
}

export function scan(text: string, found: Findings): void {
  new Scan(text, found).run();
  keysIn(text, found);
}

class Scan {
  #text: string;
  #found: Findings;
  /** Separators before this belong to a value that was read. */
  #assigned = 0;
  /** Programs' names before this are arguments of a command that was read. */
  #command = 0;
  /** Marks before this belong to a token that was found. */
  #marked = 0;

  constructor(text: string, found: Findings) {
    this.#text = text;
    this.#found = found;
  }

  run(): void {
    const text = this.#text;
    // Three letters are read at once; nothing begins in the last two.
    const last = text.length - 2;
    let inWord = false;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const kind = code < 128 ? CLASS[code] : REST;
      if (kind === WORD) {
        if (!inWord && at < last) at = Math.max(at, this.#word(at, code) - 1);
        inWord = true;
      } else if (kind === SIGN) {
        const behind = this.#sign(at, code);
        // A dash does not begin a new word: "x-ghp_…" is one.
        inWord = inWord && code === DASH;
        if (behind === at) continue;
        at = Math.max(behind, this.#word(behind, text.charCodeAt(behind))) - 1;
        inWord = true;
      } else {
        if (
          code === TAB ||
          code === LINE ||
          code === LINE_BYTE ||
          (code === BLANK && inWord && text.charCodeAt(at + 1) === BLANK)
        )
          this.#column(at);
        inWord = false;
      }
    }
  }

  /** A word begins. Returns the end of what was taken. */
  #word(at: number, code: number): number {
    const begins = BEGINNINGS[hashOf(this.#text, at)] ?? 0;
    if (begins === 0 && !startsLong(code)) return at;
    if ((begins & WORD_BEGINS) !== 0) this.#known(at);
    return tokenAt(this.#text, at, this.#found);
  }

  #known(at: number): void {
    KNOWN_WORD.lastIndex = at;
    const word = KNOWN_WORD.exec(this.#text)?.[0];
    const what = word === undefined ? undefined : WORDS.get(word.toLowerCase());
    if (word === undefined || what === undefined) return;
    if (what === "phrase") phraseAt(this.#text, at, word.toLowerCase(), this.#found);
    else if (what === "bearer") bearerAt(this.#text, at, this.#found);
    else if (at >= this.#command) this.#command = commandAt(this.#text, at, word, this.#found);
  }

  /** A sign stands here. Returns where a word begins behind it, if that is not where it seems: in "\nghp_…" or "%3Dghp_…". */
  #sign(at: number, code: number): number {
    const [text, found] = [this.#text, this.#found];
    const next = text.charCodeAt(at + 1);
    switch (code) {
      case 58: // :
        if (next === 47 && text.charCodeAt(at + 2) === 47) addressAt(text, at, found);
        else if (next === 111) oracleAt(text, at, found);
        if (next > 96 && opensKeyword(text.charCodeAt(at - 1))) keywordAt(text, at, found);
        if (next === 65) this.#mark(at);
        else if (next === 53 || next === 54 || next === 42) pgpassAt(text, at, found);
        return this.#separator(at);
      case 61: // =
      case 62: // >
        return this.#separator(at);
      case DASH:
        if (next === 117) this.#mark(at);
        if (isBlankOrEdge(text.charCodeAt(at - 1))) flagAt(text, at, found);
        return at;
      case 36: // $
      case 123: // {
        if (next !== code && next > 48) hashAt(text, at, found);
        return at;
      case 46: // .
        if (next === 97) this.#mark(at);
        return at;
      case 126: // ~
        if (text.charCodeAt(at - 1) === 81) this.#mark(at - 1);
        return at;
      case BAR:
        this.#column(at);
        return at;
      case 64: // @
        dsnAt(text, at, found);
        return at;
      default:
        return this.#escape(at, code, next);
    }
  }

  #mark(at: number): void {
    if (at >= this.#marked) this.#marked = tokenAround(this.#text, at, this.#found);
  }

  /** A column may end here, with a name in it. */
  #column(at: number): void {
    let to = at;
    while (to > 0 && at - to < COLUMN_MAX && this.#text.charCodeAt(to - 1) === BLANK) to -= 1;
    if (endsPromising(this.#text, to)) columnAt(this.#text, to, this.#found);
  }

  #separator(at: number): number {
    if (at >= this.#assigned) this.#assigned = assignedAt(this.#text, at, this.#found);
    return at;
  }

  /** Characters that were written out: \n, %3D, [31m. What follows them begins a word. */
  #escape(at: number, code: number, next: number): number {
    if (code === 92) return next === 110 || next === 114 || next === 116 ? at + 2 : at;
    const form = code === PERCENT ? URL_CODE : COLOUR;
    form.lastIndex = at;
    return form.test(this.#text) ? form.lastIndex : at;
  }
}

/** A blank, ( or {. */
function opensKeyword(code: number): boolean {
  return Number.isNaN(code) || code <= 32 || code === 40 || code === 123;
}

function isBlankOrEdge(code: number): boolean {
  return Number.isNaN(code) || code <= 32 || code === 34 || code === 39 || code === 61;
}
