// The beginning and the end of a text of any length, and how much lies between them. Owns: no more than it is allowed
// to keep. Never cuts a character in two.

/** How the budget is shared: errors stand at the end more often than at the beginning. */
const HEAD_SHARE = 0.4;

export interface Kept {
  readonly head: string;
  /** Empty when nothing is omitted. */
  readonly tail: string;
  /** In UTF-8, between head and tail. */
  readonly omitted_bytes: number;
}

export class HeadTail {
  #headMax: number;
  #tailMax: number;
  #head = "";
  #headFull = false;
  #tail = "";
  #omitted = 0;

  constructor(charsMax: number) {
    this.#headMax = Math.floor(charsMax * HEAD_SHARE);
    this.#tailMax = charsMax - this.#headMax;
  }

  push(text: string): void {
    let rest = text;
    if (!this.#headFull) {
      const room = this.#headMax - this.#head.length;
      const cut = rest.length <= room ? rest.length : wholeChars(rest, room);
      this.#head += rest.slice(0, cut);
      this.#headFull = cut < rest.length;
      rest = rest.slice(cut);
    }
    if (rest === "") return;
    this.#tail += rest;
    // Not at every line: only when twice as much is kept as is needed.
    if (this.#tail.length > 2 * this.#tailMax) this.#trim();
  }

  /** Everything that was pushed, as far as it fits. */
  kept(): Kept {
    this.#trim();
    if (this.#omitted === 0) return { head: this.#head + this.#tail, tail: "", omitted_bytes: 0 };
    return { head: this.#head, tail: this.#tail, omitted_bytes: this.#omitted };
  }

  #trim(): void {
    const over = this.#tail.length - this.#tailMax;
    if (over <= 0) return;
    const cut = isLowHalf(this.#tail, over) ? over + 1 : over;
    this.#omitted += utf8Length(this.#tail.slice(0, cut));
    this.#tail = this.#tail.slice(cut);
  }
}

function wholeChars(text: string, length: number): number {
  return isLowHalf(text, length) ? length - 1 : length;
}

/** Whether a cut here would part the two halves of a character. */
function isLowHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff;
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
