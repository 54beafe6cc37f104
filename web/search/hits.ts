// The matches as a list: the session and command of each, and the way there.
import type { PageState } from "../app/page-state.ts";
import { hostOf } from "../hosts/words.ts";
import { labelOf } from "../sessions/labels.ts";
import { grouping } from "../widgets/grouping.ts";

export interface Hit {
  /** Hits of one session are together. */
  readonly session_id: string;
  readonly session: string;
  readonly command: string | undefined;
  readonly ts: number | undefined;
  readonly text: string;
  /** Which letters of the text were found. */
  readonly from: number;
  readonly to: number;
  go(): void;
}

/** How much text comes before the match, which must be visible on a narrow screen. */
const BEFORE_CHARS = 24;

export function hitsOf(page: PageState): Hit[] {
  const { search, sessions } = page;
  const found = search.found();
  if (!found) return [];
  const hits = found.matches.map((match) => {
    const { session_id } = match;
    const { text, column } = inSight(match);
    const block = search.blockOf(match);
    const session = sessions.find(session_id);
    return {
      session_id,
      session: session ? labelOf(session) : session_id,
      command: block?.cmd ?? undefined,
      ts: block?.ts_begin ?? session?.created_at,
      text,
      from: column,
      to: column + match.length,
      go: () => (block ? page.goToBlock(session_id, block.block_id, wordOf(match)) : page.select(session_id)),
    };
  });
  const bySession = grouping(hits, (hit) => hit.session_id).flatMap(([, group]) => group);
  return grouping(bySession, (hit) => hostOf(hit.session_id) ?? "").flatMap(([, group]) => group);
}

function wordOf({ text, column, length }: { text: string; column: number; length: number }): string {
  return text.slice(column, column + length);
}

function inSight({ text, column }: { readonly text: string; readonly column: number }) {
  const cut = column - BEFORE_CHARS;
  return cut <= 0 ? { text, column } : { text: `…${text.slice(cut)}`, column: column - cut + 1 };
}
