// Outputs as text, for copying and finding: read from the daemon in parts, never from what happens to be drawn.
import { call, isFault } from "../wire/api.ts";

/** One answer of the daemon. */
const PART_LINES = 5_000;
/** Nobody pastes or reads more than this. We say so when we cut it. */
export const TEXT_LINES_MAX = 50_000;

interface OutputText {
  readonly lines: readonly string[];
  readonly total: number;
}

/** A string says what went wrong. */
export async function readText(block_id: string, signal?: AbortSignal): Promise<OutputText | string> {
  const lines: string[] = [];
  let total = 1;
  for (let from = 0; from < Math.min(total, TEXT_LINES_MAX); from += PART_LINES) {
    const asked = { block_id, format: "text", lines: `${from}:${from + PART_LINES - 1}` } as const;
    const answer = await call("block", asked, signal);
    if (isFault(answer)) return answer.message;
    total = answer.lines_total ?? 0;
    const text = answer.content ?? "";
    if (total > from) lines.push(...text.split("\n"));
  }
  return { lines, total };
}
