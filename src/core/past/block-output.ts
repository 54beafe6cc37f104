// The output of a block in all formats. Owns nothing: the journal has the bytes, and an engine that lives
// only during the read turns them into lines. Of a large output only the part that was asked for is played.
import type { Kept } from "../../protocol/ops/run.ts";
import { lineText } from "../base/clean.ts";
import { firstIndex } from "../base/first-index.ts";
import { HeadTail } from "../base/head-tail.ts";
import { isBelowImage } from "../base/image/cells.ts";
import type { Block } from "../block/block.ts";
import type { LineIndex, LinePlace } from "../journal/line-index.ts";
import { sizeBefore } from "../journal/records.ts";
import { CONTEXT_BYTES, type Redactor } from "../redact/redactor.ts";
import { HiddenRuns } from "./hidden-lines.ts";
import { type Line, linesOf } from "./lines.ts";
import type { PastParts } from "./past.ts";

/** Most bytes of one character. What is counted in bytes is asked for in characters. */
const CHAR_BYTES_MAX = 4;

/** Both included; lines count from 0. */
interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** Where a block's output ends now. */
function outputRange(parts: PastParts, block: Block): { start: number; end: number } {
  return { start: block.cursor_begin, end: block.cursor_end ?? parts.files.outputSize() };
}

/** Some of its lines in colour, and the total number of lines. */
export async function styledLines(
  parts: PastParts,
  block: Block,
  range: LineRange,
): Promise<{ lines: Line[]; total: number }> {
  const output = outputRange(parts, block);
  const index = await indexOf(parts, block, output.end);
  if (index) return partOf(parts, index, output, range);
  const lines: Line[] = [];
  let total = 0;
  await linesOf(parts, output, (line) => {
    if (total >= range.from && total <= range.to) lines.push([...line]);
    total += 1;
  });
  return { lines, total };
}

/** Lines end where the program ends them, so they are the same on a screen of any size. */
function indexOf(parts: PastParts, block: Block, end: number) {
  return parts.blockLines.of({ ...block, cursor_end: end });
}

/** Plays from the place before the first line to the place after the last one. */
async function partOf(
  parts: PastParts,
  index: LineIndex,
  { start, end }: { start: number; end: number },
  { from, to }: LineRange,
) {
  const { rows } = sizeBefore(end + 1, parts.records, parts.size);
  const total = index.total(rows);
  const last = Math.min(to, total - 1);
  if (from > last) return { lines: [], total };
  const { places } = index;
  const after = firstIndex(places, ({ line }) => line > from);
  const begin = places[after - 1];
  const until = places[firstIndex(places, ({ line }) => line > last)]?.cursor ?? end;
  const lines: Line[] = [];
  let at = begin?.line ?? 0;
  await linesOf(parts, { start: begin?.cursor ?? start, end: until, sgr: begin?.sgr ?? "" }, (line) => {
    if (at >= from && at <= last) lines.push([...line]);
    at += 1;
  });
  // Empty lines at the end of a part do not show on its screen.
  while (lines.length < last - from + 1) lines.push([]);
  return { lines, total };
}

/** How much of an output is kept, and what an agent looks through: secrets are hidden before anything is cut. */
interface KeptSpec {
  readonly charsMax: number;
  readonly eyes: Redactor | undefined;
}

/** Head and tail of the output of several blocks, one after the other, as clean text. */
export async function keptText(
  parts: PastParts,
  blocks: readonly Block[],
  { charsMax, eyes }: KeptSpec,
): Promise<Kept> {
  const kept = new HeadTail(charsMax);
  let first = true;
  const push = (line: Line) => {
    if (isBelowImage(line)) return;
    kept.push(first ? lineText(line) : `\n${lineText(line)}`);
    first = false;
  };
  const around = eyes ? CONTEXT_BYTES : 0;
  for (const block of blocks) {
    const { start, end } = outputRange(parts, block);
    const { cols } = sizeBefore(start + 1, parts.records, parts.size);
    const played = async (range: Parameters<typeof linesOf>[1]) => {
      const hidden = eyes && new HiddenRuns(eyes, cols, push);
      await linesOf(parts, range, hidden ? (line) => hidden.push(line) : push);
      hidden?.end();
    };
    const index = await indexOf(parts, block, end);
    const middle =
      index && middleOf(index, kept.headMax * CHAR_BYTES_MAX + around, kept.tailMax * CHAR_BYTES_MAX + around);
    await played({ start, end: middle?.from.cursor ?? end });
    if (!middle) continue;
    kept.omit(middle.to.text - middle.from.text);
    await played({ start: middle.to.cursor, end, sgr: middle.to.sgr });
  }
  return kept.kept();
}

/** What lies so far from both ends that no answer of this size has any of it. */
function middleOf(
  { places, text }: LineIndex,
  headBytes: number,
  tailBytes: number,
): { from: LinePlace; to: LinePlace } | undefined {
  const from = places[firstIndex(places, (place) => place.text >= headBytes)];
  const to = places[firstIndex(places, (place) => text - place.text < tailBytes) - 1];
  return from && to && from.cursor < to.cursor ? { from, to } : undefined;
}

/** The whole output up to a limit, for parsers that read a whole report. */
export async function wholeText(parts: PastParts, blocks: readonly Block[], spec: KeptSpec): Promise<string> {
  const { head, tail, omitted_bytes } = await keptText(parts, blocks, spec);
  return omitted_bytes === 0 ? head : `${head}\n${tail}`;
}
