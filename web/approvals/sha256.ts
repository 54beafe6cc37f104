// SHA-256 in plain code: pages that came over http from another address have no crypto.subtle. For short texts. Pure.

const BLOCK_BYTES = 64;
const WORD = 2 ** 32;

const { roots, starts } = constants();

/** Of the text in UTF-8, as hexadecimal digits. */
export function sha256Hex(text: string): string {
  const message = padded(utf8(text));
  const state = Uint32Array.from(starts);
  for (let at = 0; at < message.length; at += BLOCK_BYTES) mix(state, new DataView(message.buffer, at, BLOCK_BYTES));
  return [...state].map((word) => word.toString(16).padStart(8, "0")).join("");
}

function mix(state: Uint32Array, block: DataView): void {
  const w = new Uint32Array(roots.length);
  const word = (i: number) => w[i] ?? 0;
  for (let i = 0; i < 16; i += 1) w[i] = block.getUint32(i * 4);
  for (let i = 16; i < w.length; i += 1) {
    const [a, b] = [word(i - 15), word(i - 2)];
    w[i] =
      word(i - 16) +
      (turned(a, 7) ^ turned(a, 18) ^ (a >>> 3)) +
      word(i - 7) +
      (turned(b, 17) ^ turned(b, 19) ^ (b >>> 10));
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (const [i, root] of roots.entries()) {
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + root + word(i)) >>> 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
  }
  for (const [i, sum] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] ?? 0) + sum;
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** A one, zeros, and how many bits there were. */
function padded(bytes: readonly number[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  all.set(bytes);
  all[bytes.length] = 0x80;
  const view = new DataView(all.buffer);
  view.setUint32(all.length - 8, Math.floor((bytes.length * 8) / WORD));
  view.setUint32(all.length - 4, (bytes.length * 8) % WORD);
  return all;
}

/** Half a pair of surrogates becomes U+FFFD, as everywhere. */
function utf8(text: string): number[] {
  const bytes: number[] = [];
  for (const letter of text) {
    const point = letter.codePointAt(0) ?? 0;
    const code = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
    const tail = (shift: number) => 0x80 | ((code >> shift) & 0x3f);
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), tail(0));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), tail(6), tail(0));
    else bytes.push(0xf0 | (code >> 18), tail(12), tail(6), tail(0));
  }
  return bytes;
}

/** The first 32 bits behind the point of the cube roots of the first 64 primes, and of the square roots of the first eight. */
function constants(): { readonly roots: readonly number[]; readonly starts: readonly number[] } {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n += 1) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const behindPoint = (root: number) => Math.floor((root - Math.floor(root)) * WORD);
  return {
    roots: primes.map((prime) => behindPoint(Math.cbrt(prime))),
    starts: primes.slice(0, 8).map((prime) => behindPoint(Math.sqrt(prime))),
  };
}
