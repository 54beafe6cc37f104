// Whether output may hold text that a wait wants, before it scrolls away. Searches for literal text in
// the bytes, across cuts. A pattern that is not literal always gives yes. It may say yes too often and never decides.
import { utf8 } from "../../base/utf8.ts";

const LF = 0x0a;

interface Wanted {
  readonly literals: readonly string[];
  readonly patterns: boolean;
}

export class ByteMatch {
  #needles: readonly Uint8Array[];
  #patterns: boolean;
  #tail = new Uint8Array(0);

  constructor({ literals, patterns }: Wanted) {
    this.#needles = literals.map((text) => utf8(text));
    this.#patterns = patterns;
  }

  sees(bytes: Uint8Array): boolean {
    const seam = join(this.#tail, bytes.subarray(0, this.#tail.length));
    const longest = Math.max(0, ...this.#needles.map((needle) => needle.length - 1));
    const found = this.#needles.some((needle) => includes(bytes, needle) || includes(seam, needle));
    this.#tail = bytes.slice(-longest || bytes.length);
    return found || (this.#patterns && bytes.includes(LF));
  }
}

function includes(bytes: Uint8Array, needle: Uint8Array): boolean {
  const first = needle[0];
  if (first === undefined) return false;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    let n = 1;
    while (n < needle.length && bytes[at + n] === needle[n]) n += 1;
    if (n === needle.length) return true;
  }
  return false;
}

function join(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
