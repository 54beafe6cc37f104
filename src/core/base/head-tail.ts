// Keeps the beginning and the end of a text of any length and counts what is between them. All texts are
// shortened here. Owns: the kept text, within its limit. Never cuts a character in two.
import type { Kept } from "../../protocol/ops/run.ts";

/** The head's share of the budget. Errors are more often at the end than at the beginning. */
const HEAD_SHARE = 0.4;
/** Room for the note about omitted text, with enough digits for any length. */
const MARK_CHARS_MAX = 40;

export class HeadTail {
  readonly headMax: number;
  readonly tailMax: number;
  #head = "";
  #headFull = false;
  #tail = "";
  #omitted = 0;
  #omittedChars = 0;

  constructor(charsMax: number) {
    this.headMax = Math.floor(charsMax * HEAD_SHARE);
    this.tailMax = charsMax - this.headMax;
  }

  /** `text` is never longer than this. */
  static fitting(charsMax: number): HeadTail {
    return new HeadTail(Math.max(0, charsMax - MARK_CHARS_MAX));
  }

  push(text: string): void {
    let rest = text;
    if (!this.#headFull) {
      const room = this.headMax - this.#head.length;
      const cut = rest.length <= room ? rest.length : wholeChars(rest, room);
      this.#head += rest.slice(0, cut);
      this.#headFull = cut < rest.length;
      rest = rest.slice(cut);
    }
    if (rest === "") return;
    this.#tail += rest;
    // We trim only when we keep twice as much as needed, not at every line.
    if (this.#tail.length > 2 * this.tailMax) this.#trim();
  }

  /** So many bytes come next that nobody will want: the head is full, and more than the tail comes after them. */
  omit(bytes: number): void {
    this.#headFull = true;
    this.#omitted += utf8Length(this.#tail) + bytes;
    this.#omittedChars += charsIn(this.#tail) + bytes;
    this.#tail = "";
  }

  /** The text so far, as head and tail. */
  kept(): Kept {
    this.#trim();
    if (this.#omitted === 0) return { head: this.#head + this.#tail, tail: "", omitted_bytes: 0 };
    return { head: this.#head, tail: this.#tail, omitted_bytes: this.#omitted };
  }

  /** The text for reading, with a note in place of what is left out. */
  text(): string {
    const { head, tail, omitted_bytes } = this.kept();
    return omitted_bytes === 0 ? head : `${head}\n[${this.#omittedChars} characters left out]\n${tail}`;
  }

  #trim(): void {
    // A head that ends before a surrogate pair leaves one unit, without which a text that fits would lose a character.
    const spare = this.#headFull && this.#head.length === this.headMax - 1 ? 1 : 0;
    const over = this.#tail.length - this.tailMax - spare;
    if (over <= 0) return;
    const cut = isInside(this.#tail, over) ? over + 1 : over;
    const dropped = this.#tail.slice(0, cut);
    this.#omitted += utf8Length(dropped);
    this.#omittedChars += charsIn(dropped);
    this.#tail = this.#tail.slice(cut);
  }
}

/** Shortens to a number of characters, including the note about what is left out. */
export function shortened(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const kept = HeadTail.fitting(charsMax);
  kept.push(text);
  return kept.text();
}

/** The same for titles and one-line notes, where the beginning is enough. */
export function clipped(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, wholeChars(text, charsMax - 1))}…`;
}

/** Where to cut so that at most `length` stays before it, without half a character. */
export function wholeChars(text: string, length: number): number {
  return isInside(text, length) ? length - 1 : length;
}

/** Whether a cut here would split a surrogate pair. */
function isInside(text: string, at: number): boolean {
  return isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at));
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function charsIn(text: string): number {
  let chars = text.length;
  for (let i = 1; i < text.length; i += 1) if (isInside(text, i)) chars -= 1;
  return chars;
}

export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    // Each half of a pair counts two.
    else bytes += unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
  }
  return bytes;
}
