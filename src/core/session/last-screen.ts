// Where a command's full-screen program last had the screen: what a person remembers of vim or htop is what it showed,
// not what was left when it ended.
import type { Block } from "../block/block.ts";
import type { SessionFiles } from "../journal/store.ts";

/** Leaving the other screen, in its three spellings. */
const LEAVES = ["\x1b[?1049l", "\x1b[?1047l", "\x1b[?47l"];
/** Programs leave their screen right before they end; what is printed after that is small. */
const SEARCH_BYTES_MAX = 1 << 20;

/** The cursor just before the last full screen was left; the block's end when none was. */
export function lastScreenCursor(files: SessionFiles, { cursor_begin, cursor_end }: Block): number {
  const end = cursor_end ?? files.outputSize();
  const from = Math.max(cursor_begin, end - SEARCH_BYTES_MAX);
  const bytes = new Uint8Array(end - from);
  let got = 0;
  while (got < bytes.length) {
    const n = files.readOutput(from + got, bytes.subarray(got));
    if (n === 0) break;
    got += n;
  }
  const at = Math.max(...LEAVES.map((leave) => lastIndexOf(bytes.subarray(0, got), leave)));
  return at < 0 ? end : from + at;
}

function lastIndexOf(bytes: Uint8Array, text: string): number {
  for (let at = bytes.length - text.length; at >= 0; at -= 1) {
    let same = 0;
    while (same < text.length && bytes[at + same] === text.charCodeAt(same)) same += 1;
    if (same === text.length) return at;
  }
  return -1;
}
