// What came between two commands, as lines. Owns nothing: an engine that lives only during the read turns the bytes into lines.
import type { Between } from "../block/between.ts";
import type { Block } from "../block/block.ts";
import { sizeBefore } from "../journal/records.ts";
import { type Line, linesOf } from "./lines.ts";
import type { PastParts } from "./past.ts";

/** As much as a card shows. The terminal and the replay have all of it. */
const AFTER_LINES_MAX = 200;

/** Undefined when there is nothing to see. */
export async function afterLines(
  parts: PastParts,
  block: Block,
  { bytes }: Between,
): Promise<{ lines: Line[]; total: number } | undefined> {
  if (bytes.length === 0) return undefined;
  const readOutput = (at: number, into: Uint8Array) => {
    const part = bytes.subarray(at, at + into.length);
    into.set(part);
    return part.length;
  };
  const size = sizeBefore(block.cursor_end ?? 0, parts.records, parts.size);
  const lines: Line[] = [];
  const own = { ...parts, size, records: [], files: { ...parts.files, readOutput } };
  await linesOf(own, { start: 0, end: bytes.length }, (line) => lines.push([...line]));
  const isBlank = (line: Line | undefined) => line?.every(({ text }) => text.trim() === "") ?? false;
  while (isBlank(lines.at(-1))) lines.pop();
  while (isBlank(lines[0])) lines.shift();
  return lines.length === 0 ? undefined : { lines: lines.slice(-AFTER_LINES_MAX), total: lines.length };
}
