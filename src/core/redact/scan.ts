// One pass over a text that shows every rule the places where it may have something to say: word starts, separators, dashes. Pure.
// Linear in the text: each look is bounded, and what was read as a value is not read again as another.
import { addressAt, dsnAt, hashAt } from "./addresses.ts";
import { assignedAt } from "./assigned.ts";
import { commandAt, flagAt } from "./commands.ts";
import type { Findings } from "./finding.ts";
import { bearerAt } from "./headers.ts";
import { keysIn } from "./pem.ts";
import { PHRASE_WORDS, pgpassAt, phraseAt } from "./phrases.ts";
import { PROGRAMS } from "./programs.ts";
import { mayBegin, tokenAround, tokenAt } from "./tokens.ts";

/** What a character asks for. */
const [REST, WORD, SIGN] = [0, 1, 2];
const DASH = 45;
const CLASS = new Uint8Array(128);
for (let code = 0; code < 128; code++) if (/\w/.test(String.fromCharCode(code))) CLASS[code] = WORD;
for (const char of "=:>-${.~@\\%[") CLASS[char.charCodeAt(0)] = SIGN;

/** Words after which something is looked for, in lower case. */
const WORDS = new Map<string, "program" | "phrase" | "bearer">([
  ...[...PROGRAMS.keys()].map((name) => [name, "program"] as const),
  ...PHRASE_WORDS.map((name) => [name, "phrase"] as const),
  ["bearer", "bearer"],
]);
const WORD_BEGINS = new Uint8Array(128 * 128);
for (const word of WORDS.keys()) {
  const [first = "", second = ""] = word;
  for (const a of [first, first.toUpperCase()])
    for (const b of [second, second.toUpperCase()]) WORD_BEGINS[a.charCodeAt(0) * 128 + b.charCodeAt(0)] = 1;
}
const KNOWN_WORD = /[A-Za-z0-9_-]{2,16}(?=[ \t])/y;

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

  constructor(text: string, found: Findings) {
    this.#text = text;
    this.#found = found;
  }

  run(): void {
    const text = this.#text;
    let inWord = false;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const kind = code < 128 ? (CLASS[code] ?? REST) : REST;
      if (kind === WORD) {
        if (!inWord) at = Math.max(at, this.#word(at, code) - 1);
        inWord = true;
        continue;
      }
      if (kind === REST) {
        inWord = false;
        continue;
      }
      const behind = this.#sign(at, code);
      // A dash does not begin a new word: "x-ghp_…" is one.
      inWord = inWord && code === DASH;
      if (behind === at) continue;
      at = Math.max(behind, this.#word(behind, text.charCodeAt(behind))) - 1;
      inWord = true;
    }
  }

  /** A word begins. Returns the end of what was taken. */
  #word(at: number, code: number): number {
    const text = this.#text;
    const next = text.charCodeAt(at + 1);
    if (!(next < 128)) return at;
    if (WORD_BEGINS[code * 128 + next] === 1) this.#known(at);
    return mayBegin(code, next) ? tokenAt(text, at, this.#found) : at;
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
        else if (next === 65) tokenAround(text, at, found);
        else if (next === 53 || next === 54 || next === 42) pgpassAt(text, at, found);
        return this.#separator(at);
      case 61: // =
      case 62: // >
        return this.#separator(at);
      case DASH:
        if (next === 117) tokenAround(text, at, found);
        if (isBlankOrEdge(text.charCodeAt(at - 1))) flagAt(text, at, found);
        return at;
      case 36: // $
      case 123: // {
        if (next !== code && next > 48) hashAt(text, at, found);
        return at;
      case 46: // .
        if (next === 97) tokenAround(text, at, found);
        return at;
      case 126: // ~
        if (text.charCodeAt(at - 1) === 81) tokenAround(text, at - 1, found);
        return at;
      case 64: // @
        dsnAt(text, at, found);
        return at;
      default:
        return this.#escape(at, code, next);
    }
  }

  #separator(at: number): number {
    if (at >= this.#assigned) this.#assigned = assignedAt(this.#text, at, this.#found);
    return at;
  }

  /** Characters that were written out: \n, %3D, [31m. What follows them begins a word. */
  #escape(at: number, code: number, next: number): number {
    if (code === 92) return next === 110 || next === 114 || next === 116 ? at + 2 : at;
    const form = code === 37 ? /%[0-9A-Fa-f]{2}/y : /\[[\d;]{0,12}m/y;
    form.lastIndex = at;
    return form.test(this.#text) ? form.lastIndex : at;
  }
}

function isBlankOrEdge(code: number): boolean {
  return Number.isNaN(code) || code <= 32 || code === 34 || code === 39 || code === 61;
}
