// Base64 in parts, each with its own end or none. Pure. Other characters between the letters do not count.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = Int8Array.from({ length: 256 }, (_, code) => LETTERS.indexOf(String.fromCharCode(code)));
const END = 0x3d;

export function fromBase64(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const into = new Uint8Array(Math.ceil((parts.reduce((total, { length }) => total + length, 0) * 3) / 4));
  let [at, bits, count] = [0, 0, 0];
  for (const part of parts) {
    for (const byte of part) {
      // What follows an end begins anew.
      if (byte === END) [bits, count] = [0, 0];
      const value = VALUES[byte] ?? -1;
      if (value < 0) continue;
      bits = ((bits << 6) | value) & 0xffff;
      count += 6;
      if (count < 8) continue;
      count -= 8;
      into[at++] = (bits >> count) & 0xff;
    }
  }
  return into.subarray(0, at);
}
