// The commands of a session, asked for page by page. Refuses: to keep them (transcript/listing.ts keeps those of the shown one).
import type { Block } from "../../src/protocol/ops/blocks.ts";
import { call, isFault } from "./api.ts";

/** Commands asked for at once. */
const PAGE_BLOCKS = 1_000;
/** How far back anybody looks. */
export const COMMANDS_MAX = 20 * PAGE_BLOCKS;

/** The newest commands, back to the one that was running at a cursor. */
export async function commandsSince(
  session_id: string,
  cursor: number,
  signal: AbortSignal,
): Promise<readonly Block[]> {
  let blocks: readonly Block[] = [];
  while (blocks.length < COMMANDS_MAX) {
    const before = blocks[0]?.block_id;
    const answer = await call("blocks", { session_id, limit: PAGE_BLOCKS, ...(before ? { before } : {}) }, signal);
    if (isFault(answer)) break;
    blocks = [...answer.blocks, ...blocks];
    const [first] = blocks;
    if (!first || first.cursor_begin <= cursor || answer.blocks.length < PAGE_BLOCKS) break;
  }
  return blocks;
}
