// Could these bytes add to a cell printed earlier? Pure. The engine does not mark a row as touched when a combining
// mark joins a cell on it, so the next read would miss a mark that comes after this one. It may say yes too often.
import { isAscii } from "node:buffer";

/** UTF-8 lead bytes of zero-width and joining characters. E2 (symbols, box drawing) needs a closer check. */
const leads = new Uint8Array(256);
for (const lead of [0xcc, 0xcd, 0xd2, 0xe0, 0xe1, 0xe3, 0xea, 0xef, 0xf0, 0xf3]) leads[lead] = 1;
leads.fill(1, 0xd6, 0xe0);
const E2 = 0xe2;
/** Second bytes: 200B–200F, 2060–206F, 20D0–20FF, 2CEF–2CF1, 2D7F, 2DE0–2DFF. */
const afterE2 = new Uint8Array(256);
for (const second of [0x80, 0x81, 0x83, 0xb3, 0xb5, 0xb7]) afterE2[second] = 1;
/** Set in some byte of a word of four that is not all ASCII. */
const NOT_ASCII = 0x80808080;

export function mayJoin(bytes: Uint8Array): boolean {
  if (isAscii(bytes)) return false;
  const first = bytes[0] ?? 0;
  // This is the rest of a character that was cut in two. Its lead byte came earlier, and it takes effect now.
  if (first >= 0x80 && first < 0xc0) return true;
  const skew = -bytes.byteOffset & 3;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + skew, Math.max(0, bytes.length - skew) >> 2);
  if (joinsIn(bytes, 0, skew)) return true;
  // Most text is ASCII. We skip it in words of four and check only the other words byte by byte.
  for (let i = 0; i < words.length; i += 1) {
    if (((words[i] ?? 0) & NOT_ASCII) !== 0 && joinsIn(bytes, skew + 4 * i, skew + 4 * i + 4)) return true;
  }
  return joinsIn(bytes, skew + 4 * words.length, bytes.length);
}

function joinsIn(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i += 1) {
    const byte = bytes[i] ?? 0;
    if (leads[byte] === 1) return true;
    if (byte === E2 && (i + 1 >= bytes.length || afterE2[bytes[i + 1] ?? 0] === 1)) return true;
  }
  return false;
}
