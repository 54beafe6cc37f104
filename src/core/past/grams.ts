// Which parts of words may be in a text: a set of bits that holds every six letters in a row, capitals or not, and says for
// others that they are missing, most of the time. Pure. Blanks and characters beyond ASCII end a word.

const LENGTH = 6;
const [SPACE, DEL] = [0x20, 0x7f];
/** A million bytes of a log have some ten thousand different parts. Where all is different, the bits just help less. */
export const GRAM_BYTES = 32 << 10;
/** Leaves eighteen bits of 32, as many as count the bits of 32 KB. */
const BIT_SHIFT = 14;
/** Five bits of each letter, so capitals and small letters are the same. */
const LETTER = 31;
/** Six letters. */
const WINDOW = 0x3fff_ffff;
const SPREAD = 0x9e37_79b1;
/** Letters that other characters than their own capitals are equal to when capitals do not count: K and the long s. */
const OTHER_FORMS = /[ks]/i;

export class Grams {
  readonly bits = new Uint8Array(GRAM_BYTES);
  #window = 0;
  #run = 0;

  /** Bytes that follow on those before. */
  bytes(bytes: Uint8Array): void {
    const { bits } = this;
    let [window, run] = [this.#window, this.#run];
    for (let i = 0; i < bytes.length; i += 1) {
      const code = bytes[i] ?? 0;
      run = code > SPACE && code < DEL ? run + 1 : 0;
      window = ((window << 5) | (code & LETTER)) & WINDOW;
      if (run < LENGTH) continue;
      const bit = Math.imul(window, SPREAD) >>> BIT_SHIFT;
      bits[bit >>> 3] = (bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
    }
    [this.#window, this.#run] = [window, run];
  }

  /** A line alone. */
  line(text: string): void {
    const codes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i += 1) codes[i] = Math.min(text.charCodeAt(i), DEL);
    this.#run = 0;
    this.bytes(codes);
  }

  has(bits: readonly number[]): boolean {
    return bits.every((bit) => ((this.bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0);
  }

  get sum(): number {
    const words = new Uint32Array(this.bits.buffer, this.bits.byteOffset, GRAM_BYTES >> 2);
    let sum = 0;
    for (let i = 0; i < words.length; i += 1) sum = (Math.imul(sum, 31) + (words[i] ?? 0)) | 0;
    return sum;
  }
}

/** The bits of all parts that a line must have if the text is in it. None: nothing is known. */
export function gramsIn(text: string, letters: "sensitive" | "insensitive"): number[] {
  const found = new Set<number>();
  for (const [word] of text.matchAll(/[!-~]+/g))
    for (let end = LENGTH; end <= word.length; end += 1) {
      const part = word.slice(end - LENGTH, end);
      if (letters === "sensitive" || !OTHER_FORMS.test(part)) found.add(bitOf(windowOf(part)));
    }
  return [...found];
}

function windowOf(part: string): number {
  let window = 0;
  for (let i = 0; i < part.length; i += 1) window = (window << 5) | (part.charCodeAt(i) & LETTER);
  return window & WINDOW;
}

function bitOf(window: number): number {
  return Math.imul(window, SPREAD) >>> BIT_SHIFT;
}
