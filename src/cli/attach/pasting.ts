// A paste that comes in pieces: what of it waits for the next piece. Pure.

export const PASTE_BEGIN = "\x1b[200~";
export const PASTE_END = "\x1b[201~";

/** A longer line was not meant for a program that reads lines. One frame has room for it. */
const LINE_BYTES_MAX = 1 << 20;

/**
 * The end of a paste so far that is not handed on yet. A program that reads lines gets a line whole or not at all, so the daemon
 * must see it in one piece.
 */
export function heldBack(text: string, reads: "keys" | "lines"): string {
  const line = text.slice(Math.max(text.lastIndexOf("\r"), text.lastIndexOf("\n")) + 1);
  return reads === "lines" && line.length <= LINE_BYTES_MAX ? line : unfinishedEnd(text);
}

/** The longest suffix of the text that may begin the end mark of a paste. */
function unfinishedEnd(text: string): string {
  for (let length = PASTE_END.length - 1; length > 0; length -= 1)
    if (text.endsWith(PASTE_END.slice(0, length))) return text.slice(-length);
  return "";
}
