// The output of a block in all formats. Owns nothing: the journal has the bytes, and an engine that lives
// only during the read turns them into lines.
import type { Kept } from "../../protocol/ops/run.ts";
import { lineText } from "../base/clean.ts";
import { HeadTail } from "../base/head-tail.ts";
import type { Block } from "../block/block.ts";
import { type Line, linesOf } from "./lines.ts";
import type { PastParts } from "./past.ts";

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
  const lines: Line[] = [];
  let total = 0;
  await linesOf(parts, outputRange(parts, block), (line) => {
    if (total >= range.from && total <= range.to) lines.push([...line]);
    total += 1;
  });
  return { lines, total };
}

/** Head and tail of the output of several blocks, one after the other, as clean text. */
export async function keptText(parts: PastParts, blocks: readonly Block[], charsMax: number): Promise<Kept> {
  const kept = new HeadTail(charsMax);
  let first = true;
  for (const block of blocks) {
    await linesOf(parts, outputRange(parts, block), (line) => {
      kept.push(first ? lineText(line) : `\n${lineText(line)}`);
      first = false;
    });
  }
  return kept.kept();
}

/** The whole output up to a limit, for parsers that read a whole report. */
export async function wholeText(parts: PastParts, blocks: readonly Block[], charsMax: number): Promise<string> {
  const { head, tail, omitted_bytes } = await keptText(parts, blocks, charsMax);
  return omitted_bytes === 0 ? head : `${head}\n${tail}`;
}
