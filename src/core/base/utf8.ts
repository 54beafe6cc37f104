// UTF-8 both ways, because the pure core has no TextDecoder and no TextEncoder. Decodes in pieces, cut anywhere. Owns: the
// incomplete character.
// Invalid bytes become U+FFFD exactly as in browsers (WHATWG: one per maximal part of a character).

const REPLACEMENT = 0xfffd;
/** Arguments of one call; V8's limit is far above. */
const RUN_UNITS = 4096;

export class Utf8 {
  #point = 0;
  #missing = 0;
  #low = 0x80;
  #high = 0xbf;

  /** Whether a character has begun and is incomplete. */
  get open(): boolean {
    return this.#missing > 0;
  }

  /** Gives `take` each character that this byte completes or breaks. */
  byte(byte: number, take: (point: number) => void): void {
    if (this.#missing > 0) {
      if (byte >= this.#low && byte <= this.#high) return this.#more(byte, take);
      this.#missing = 0;
      take(REPLACEMENT);
    }
    if (byte < 0x80) take(byte);
    else if (byte >= 0xc2 && byte <= 0xdf) this.#begin(byte & 0x1f, 1, 0x80, 0xbf);
    else if (byte >= 0xe0 && byte <= 0xef)
      this.#begin(byte & 0x0f, 2, byte === 0xe0 ? 0xa0 : 0x80, byte === 0xed ? 0x9f : 0xbf);
    else if (byte >= 0xf0 && byte <= 0xf4)
      this.#begin(byte & 0x07, 3, byte === 0xf0 ? 0x90 : 0x80, byte === 0xf4 ? 0x8f : 0xbf);
    else take(REPLACEMENT);
  }

  text(bytes: Uint8Array): string {
    let out = "";
    for (let at = 0; at < bytes.length; ) {
      let end = at;
      const stop = Math.min(bytes.length, at + RUN_UNITS);
      if (!this.open) while (end < stop && (bytes[end] ?? 0) < 0x80) end += 1;
      if (end > at) {
        out += String.fromCharCode(...bytes.subarray(at, end));
        at = end;
        continue;
      }
      this.byte(bytes[at] ?? 0, (point) => {
        out += String.fromCodePoint(point);
      });
      at += 1;
    }
    return out;
  }

  /** The input has ended. Half a character becomes U+FFFD. */
  end(): string {
    const rest = this.open ? "\ufffd" : "";
    this.#missing = 0;
    return rest;
  }

  #begin(bits: number, missing: number, low: number, high: number): void {
    this.#point = bits;
    this.#missing = missing;
    this.#low = low;
    this.#high = high;
  }

  #more(byte: number, take: (point: number) => void): void {
    this.#point = (this.#point << 6) | (byte & 0x3f);
    this.#missing -= 1;
    this.#low = 0x80;
    this.#high = 0xbf;
    if (this.#missing === 0) take(this.#point);
  }
}

/** Half of a surrogate pair has no UTF-8 and becomes U+FFFD. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  // No unit needs more than three bytes: a pair has four.
  const out = new Uint8Array(text.length * 3);
  let at = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      out[at++] = unit;
      continue;
    }
    const found = text.codePointAt(i) ?? 0;
    if (found > 0xffff) i += 1;
    const point = found >= 0xd800 && found <= 0xdfff ? REPLACEMENT : found;
    if (point < 0x800) out[at++] = 0xc0 | (point >> 6);
    else {
      if (point > 0xffff) out[at++] = 0xf0 | (point >> 18);
      out[at++] = point > 0xffff ? 0x80 | ((point >> 12) & 63) : 0xe0 | (point >> 12);
      out[at++] = 0x80 | ((point >> 6) & 63);
    }
    out[at++] = 0x80 | (point & 63);
  }
  return out.slice(0, at);
}

/** Half of a character: what stands for a byte that is no text. Text never holds one. */
const BYTE = 0xdc00;

/** Text that stands for exactly these bytes and no others. */
export function exactText(bytes: Uint8Array): string {
  const utf8 = new Utf8();
  const text = utf8.text(bytes) + utf8.end();
  if (!text.includes("\ufffd")) return text;
  return Array.from(bytes, (byte) => String.fromCharCode(byte < 0x80 ? byte : BYTE + byte)).join("");
}
