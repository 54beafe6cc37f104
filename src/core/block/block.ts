// One command with its output, exit code and byte range; immutable once ended.
import type { Block as WireBlock } from "../../protocol/ops/blocks.ts";

/** The id contains its session. A null `cmd` means that the shell did not know the line, for example one kept out of its history. */
export type Block = Readonly<Omit<WireBlock, "session_id">>;

/** Ids contain the session, so that an id alone identifies a block: b_<session>_<number>. */
export function blockId(session_id: string, number: number): string {
  return `b_${session_id.slice(2)}_${number}`;
}

/** Which session a block belongs to. */
export function sessionOfBlock(block_id: string): string | undefined {
  const found = /^b_([0-9a-z]{8})_\d{1,9}$/.exec(block_id)?.[1];
  return found === undefined ? undefined : `s_${found}`;
}

export function isBlock(line: unknown): line is Block {
  if (typeof line !== "object" || line === null) return false;
  const { block_id, cursor_begin, cursor_end, state } = line as Partial<Block>;
  if (typeof block_id !== "string" || typeof cursor_begin !== "number" || typeof cursor_end !== "number") return false;
  return state === "done" || state === "failed" || state === "lost";
}

export function stateOf(exit_code: number | null): Block["state"] {
  return exit_code === null ? "lost" : exit_code === 0 ? "done" : "failed";
}
