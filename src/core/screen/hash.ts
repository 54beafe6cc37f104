// A 48-bit digest of what a screen shows: two rounds of 32-bit multiply-and-fold over UTF-16 units.
// Not a secret and not a signature: it answers "is this still the screen I saw", where 2^-48 is rare enough.

export function screenHash(parts: readonly string[]): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (const part of parts) {
    for (let i = 0; i < part.length; i++) {
      const unit = part.charCodeAt(i);
      a = Math.imul(a ^ unit, 0x9e3779b1);
      b = Math.imul(b ^ unit, 0x5f356495);
    }
    // A separator no row can contain, so that ["ab",""] and ["a","b"] differ.
    a = Math.imul(a ^ 0x1ffff, 0x9e3779b1);
    b = Math.imul(b ^ 0x1ffff, 0x5f356495);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return (b >>> 0).toString(16).padStart(8, "0") + (a & 0xffff).toString(16).padStart(4, "0");
}
