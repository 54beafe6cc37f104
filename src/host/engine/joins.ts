// Could these bytes add to a cell printed earlier? Pure. The engine does not mark a row as touched when a combining
// mark joins a cell on it, so a mark that comes after a look would not be seen by the next one. May say yes too often.
import { isAscii } from "node:buffer";

/**
 * UTF-8 as one character per byte: lead bytes under which zero-width or joining characters live. E2 (symbols, box drawing)
 * is looked into: 200B–200F, 2060–206F, 20D0–20FF, 2CEF–2CF1, 2D7F, 2DE0–2DFF. A regular expression walks three times as
 * fast as a loop over bytes.
 */
const JOINERS = /[\xcc\xcd\xd2\xd6-\xe1\xe3\xea\xef\xf0\xf3]|\xe2(?:[\x80\x81\x83\xb3\xb5\xb7]|$)/;

export function mayJoin(bytes: Uint8Array): boolean {
  if (isAscii(bytes)) return false;
  const first = bytes[0] ?? 0;
  // The rest of a character cut in two: its lead byte has been seen, it takes effect now.
  if (first >= 0x80 && first < 0xc0) return true;
  return JOINERS.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1"));
}
