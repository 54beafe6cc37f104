// The last full screen of a command's program: what a person remembers of vim or htop, not what was left when it ended.
// Programs tidy up before they leave (vim scrolls, htop and less clear their last rows), and none of them prints a character
// for it. So the last screen is the one after the last character. A killed program never leaves, and the shell's message
// appears on its screen. Then we take the screen before the last output that came on its own. Pure.
import type { Block } from "../block/block.ts";
import type { SessionFiles } from "../journal/store.ts";
import type { Timeline } from "../journal/timeline.ts";

/** Programs leave their screen right before they end and print little after that. */
const SEARCH_BYTES_MAX = 1 << 20;
/** Tidying up takes a hundred bytes or two. */
const TIDY_BYTES_MAX = 4 << 10;
const SWITCH_BYTES_MAX = 64;

/** To the other screen or back, in three spellings, alone or with other modes. */
const SWITCH = /^\x1b\[\?(?:\d+;)*(?:1049|1047|47)(?:;\d+)*([hl])/;
/** Characters with what finishes them (end of colour and row), then all sequences, then single control characters. */
const PARTS =
  /([^\x00-\x1f\x7f]+(?:\x1b\[[\d;:]*m|\x1b\[0?K)*)|\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[PX^_][^\x1b]*(?:\x1b\\)?|[ -/]*[0-~])|./gs;

/** The cursor at which the last full screen was complete, or the block's end when there was none. */
export function lastScreenCursor(files: SessionFiles, block: Block, timeline: Timeline): number {
  const { cursor_begin, cursor_end } = block;
  const end = cursor_end ?? files.outputSize();
  if (!block.alt_screen_used) return end;
  const from = Math.max(cursor_begin, end - SEARCH_BYTES_MAX);
  const bytes = read(files, from, end);
  const { entered, left } = lastSwitches(bytes);
  if (left !== undefined) return from + drawnBefore(bytes, entered, left);
  const began = timeline.beganAt(end);
  return cursor_end !== null && began > from + entered ? began : end;
}

function read(files: SessionFiles, from: number, to: number): Uint8Array {
  const bytes = new Uint8Array(to - from);
  let got = 0;
  while (got < bytes.length) {
    const n = files.readOutput(from + got, bytes.subarray(got));
    if (n === 0) break;
    got += n;
  }
  return bytes.subarray(0, got);
}

/** The places after the last switch to the other screen and after the first switch back. Some programs leave twice. */
function lastSwitches(bytes: Uint8Array): { entered: number; left: number | undefined } {
  let left: number | undefined;
  for (let at = bytes.lastIndexOf(0x1b); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(0x1b, at - 1)) {
    if (bytes[at + 2] !== 0x3f) continue;
    const found = SWITCH.exec(latin1(bytes.subarray(at, at + SWITCH_BYTES_MAX)));
    if (found?.[1] === "h") return { entered: at + found[0].length, left };
    if (found) left = at;
  }
  return { entered: 0, left };
}

function drawnBefore(bytes: Uint8Array, entered: number, left: number): number {
  const from = Math.max(entered, left - TIDY_BYTES_MAX);
  let drawn = 0;
  for (const { 0: part, 1: characters, index } of latin1(bytes.subarray(from, left)).matchAll(PARTS))
    if (characters !== undefined) drawn = index + part.length;
  return from + drawn;
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
