// What the cards of the board tell beside the list of sessions: lines added and removed, whether it merges, the last line that is
// shown. Owns: asking for it, one question at a time and only where something changed.
import { createEffect, createSignal, onCleanup } from "solid-js";
import { createStore } from "solid-js/store";
import { marked } from "../../src/core/base/invisible.ts";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import { call, isFault } from "../wire/api.ts";
import { type Card, hasDiff } from "./columns.ts";

/** How often the last lines of what works are looked at. */
const TICK_MS = 5_000;
const LINE_CHARS_MAX = 200;

export interface Look {
  readonly files?: number;
  readonly added?: number;
  readonly removed?: number;
  /** Whether its commits merge, in a few words. */
  readonly merge?: { readonly tone: "ok" | "bad" | "plain"; readonly word: string };
  readonly last?: string;
}

interface Looks {
  of(session_id: string): Look;
  /** Every few seconds, for ages. */
  now(): number;
}

export function createLooks(cards: () => readonly Card<SessionInfo>[], refresh: () => Promise<void>): Looks {
  const [looks, setLooks] = createStore<Record<string, Look>>({});
  const [now, setNow] = createSignal(Date.now());
  const [trees, lines] = [new Map<string, string>(), new Map<string, number>()];
  let [isAsking, isLeft] = [false, false];

  /** Whatever changed meanwhile is found by the next round. */
  async function ask(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    for (let next = changed(); next && !isLeft; next = changed()) setLooks(next.id, await next.look());
    isAsking = false;
  }

  function changed(): { readonly id: string; look(): Promise<Look> } | undefined {
    for (const { session, place } of cards()) {
      const { session_id: id, worktree, seq } = session;
      const tree = JSON.stringify([worktree, place.column, place.since]);
      if (worktree && trees.get(id) !== tree) {
        trees.set(id, tree);
        return { id, look: () => treeLook(session) };
      }
      if (lines.get(id) !== seq) {
        lines.set(id, seq);
        return { id, look: () => lastLine(id) };
      }
    }
    return undefined;
  }

  createEffect(() => {
    cards();
    void ask();
  });
  const tick = setInterval(() => {
    setNow(Date.now());
    if (!document.hidden) void refresh();
  }, TICK_MS);
  onCleanup(() => {
    isLeft = true;
    clearInterval(tick);
  });
  return { of: (id) => looks[id] ?? {}, now };
}

async function treeLook(session: SessionInfo): Promise<Look> {
  const { session_id: worktree } = session;
  if (!hasDiff(session)) return { files: 0, added: 0, removed: 0 };
  const diff = await call("worktree_diff", { worktree });
  const merge = await call("worktree_merge_check", { worktree });
  const sum = (of: "added" | "removed") => (isFault(diff) ? 0 : diff.files.reduce((all, file) => all + file[of], 0));
  return {
    ...(isFault(diff) ? {} : { files: diff.files.length, added: sum("added"), removed: sum("removed") }),
    ...(isFault(merge) ? {} : { merge: mergeWord(merge) }),
  };
}

interface Merge {
  readonly clean: boolean;
  readonly merged: boolean;
  readonly conflicts: readonly string[];
  readonly into: string;
  readonly uncommitted: number;
}

/** Pure. */
function mergeWord({ clean, merged, conflicts, into, uncommitted }: Merge): NonNullable<Look["merge"]> {
  const where = marked(into);
  if (merged && uncommitted > 0) return { tone: "plain", word: "not committed" };
  if (merged) return { tone: "plain", word: `nothing to merge into ${where}` };
  if (clean) return { tone: "ok", word: `merges into ${where}` };
  const count = `${conflicts.length} conflict${conflicts.length === 1 ? "" : "s"}`;
  return { tone: "bad", word: `${count} with ${where}` };
}

async function lastLine(session_id: string): Promise<Look> {
  const screen = await call("pty_read_screen", { session_id });
  if (isFault(screen)) return {};
  return { last: marked(lastWords(screen.rows)).slice(0, LINE_CHARS_MAX) };
}

/** The frame of a prompt box, or the sign in it. */
const FRAME = /^[\s│┃|╭╰─━═]*(?:[❯›>](?:\s|$)|[─━═╮╯]*$)/;

/** The last line that says something. Below an agent's prompt box stand only hints at its keys, so we look above it. Pure. */
export function lastWords(rows: readonly string[]): string {
  const box = rows.findLastIndex((row) => /^[\s│┃|]*[❯›>](?:\s|$)/.test(row));
  const above = box === -1 ? rows : rows.slice(0, box);
  const last = above.findLast((row) => /[\p{L}\p{N}]/u.test(row) && !FRAME.test(row)) ?? "";
  return last.replace(/^[\s│┃|]+|[\s│┃|]+$/g, "");
}
