// What an agent may type at a shell's prompt without asking: text, and keys that only edit the line. Enter is not among
// them: it becomes a special key, at which the shell asks the gate before it runs the line. Pure.
import { ENTER_KEY } from "../block/shells.ts";

const [TAB, CR, LF, ESC, DEL] = [0x09, 0x0d, 0x0a, 0x1b, 0x7f];
/**
 * A B C(cancel) E F H K L U W Y: move, erase, interrupt, clear. Not D (ends the shell), I (completion runs programs), J M O
 * (run), R S X (search, more).
 */
const EDITING = new Set([0x01, 0x02, 0x03, 0x05, 0x06, 0x08, 0x0b, 0x0c, 0x15, 0x17, 0x19, DEL]);
/** Arrows, Home, End, Delete, and the brackets of a paste. */
const SEQUENCES = /^\x1b(?:[[O][ABCDHF]|\[(?:1|3|4|7|8)~|\[20[01]~)/;

/** What to write instead of these bytes, or undefined when one of them does more than editing. */
export function promptKeys(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly enters: boolean } | undefined {
  const out: number[] = [];
  let enters = false;
  let pasting = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === ESC) {
      const sequence = SEQUENCES.exec(String.fromCharCode(...bytes.subarray(at, at + 8)))?.[0];
      if (sequence === undefined) return undefined;
      if (sequence.endsWith("0~") || sequence.endsWith("1~"))
        pasting = sequence === "\x1b[200~" || (pasting && sequence !== "\x1b[201~");
      for (const char of sequence) out.push(char.charCodeAt(0));
      at += sequence.length - 1;
    } else if ((byte === CR || byte === LF) && !pasting) {
      enters = true;
      out.push(...ENTER_KEY);
    } else if (byte >= 0x20 && byte !== DEL) out.push(byte);
    else if (EDITING.has(byte) || (pasting && (byte === CR || byte === LF || byte === TAB))) out.push(byte);
    else return undefined;
  }
  // The next typist would type into it.
  if (pasting) return undefined;
  return { bytes: Uint8Array.from(out), enters };
}
