// Four hexadecimal digits that stand for a secret: SipHash-2-4 with a key that nobody else has, so that a label can be compared
// and not be guessed backwards. Pure, because the core has no crypto.

/** Bytes of a key: as many as SipHash takes. */
export const LABEL_KEY_BYTES = 16;
/** Secrets whose labels are remembered: a screen shows the same ones again and again. */
const REMEMBERED_MAX = 1_000;

export function labels(key: Uint8Array): (secret: string) => string {
  const known = new Map<string, string>();
  return (secret) => {
    const before = known.get(secret);
    if (before !== undefined) return before;
    if (known.size >= REMEMBERED_MAX) known.clear();
    const label = (sipHash(key, bytesOf(secret)) & 0xffffn).toString(16).padStart(4, "0");
    known.set(secret, label);
    return label;
  };
}

/** Text as bytes: characters beyond a byte are two. */
function bytesOf(text: string): Uint8Array {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    bytes.push(code & 0xff);
    if (code > 0xff) bytes.push(code >> 8);
  }
  return Uint8Array.from(bytes);
}

const wrapped = (value: bigint) => BigInt.asUintN(64, value);
const turned = (value: bigint, bits: bigint) => wrapped((value << bits) | (value >> (64n - bits)));

export function sipHash(key: Uint8Array, bytes: Uint8Array): bigint {
  const [k0, k1] = [wordAt(key, 0), wordAt(key, 8)];
  let [v0, v1, v2, v3] = [
    k0 ^ 0x736f6d6570736575n,
    k1 ^ 0x646f72616e646f6dn,
    k0 ^ 0x6c7967656e657261n,
    k1 ^ 0x7465646279746573n,
  ];
  const round = () => {
    v0 = wrapped(v0 + v1);
    v1 = turned(v1, 13n) ^ v0;
    v0 = turned(v0, 32n);
    v2 = wrapped(v2 + v3);
    v3 = turned(v3, 16n) ^ v2;
    v0 = wrapped(v0 + v3);
    v3 = turned(v3, 21n) ^ v0;
    v2 = wrapped(v2 + v1);
    v1 = turned(v1, 17n) ^ v2;
    v2 = turned(v2, 32n);
  };
  const take = (word: bigint) => {
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  };
  const whole = bytes.length - (bytes.length % 8);
  for (let at = 0; at < whole; at += 8) take(wordAt(bytes, at));
  take(wordAt(bytes, whole) | (BigInt(bytes.length & 0xff) << 56n));
  v2 ^= 0xffn;
  for (let i = 0; i < 4; i++) round();
  return v0 ^ v1 ^ v2 ^ v3;
}

/** Eight bytes from a place on, the lowest first; what is not there is zero. */
function wordAt(bytes: Uint8Array, at: number): bigint {
  let word = 0n;
  for (let i = 7; i >= 0; i--) word = (word << 8n) | BigInt(bytes[at + i] ?? 0);
  return word;
}
