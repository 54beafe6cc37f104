// The search in history (Ctrl+R): while it is open, the prompt's text is what is searched for. Owns: the question, its answer, the
// chosen command, and the text that was there before.
import { type Accessor, createSignal } from "solid-js";
import type { HistoryFilter, PastCommand } from "../../../src/protocol/ops/blocks.ts";
import { call, isFault } from "../../wire/api.ts";
import type { Written } from "../writing.ts";

/** Where it looks. Ctrl+R again goes from one to the next. */
export type Scope = "all" | "folder" | "session";
const SCOPES: readonly Scope[] = ["all", "folder", "session"];

export interface Past {
  readonly text: string;
  readonly scope: Scope;
  readonly failed: boolean;
  readonly all: readonly PastCommand[];
  /** -1 means none. */
  readonly at: number;
  readonly more: number;
  /** False while the daemon is asked: what is listed answers the question before. */
  readonly isKnown: boolean;
}

export interface HistorySearch {
  /** Undefined while nobody searches. */
  readonly past: Accessor<Past | undefined>;
  start(): void;
  /** The text changed. */
  follow(text: string): void;
  ask(change: Partial<Pick<Past, "scope" | "failed">>): void;
  move(by: number): void;
  /** Puts the chosen command into the prompt, or the first one when the answer comes; without one it does nothing. */
  accept(at?: number): void;
  /** Back to the text of before. */
  close(): void;
}

export function createHistorySearch(
  session_id: string,
  written: Accessor<Written>,
  put: (text: string, caret: number) => void,
): HistorySearch {
  const [past, setPast] = createSignal<Past>();
  let before: Written = written();
  let asked = 0;
  /** The question before whose answer Enter came. */
  let wanted = 0;

  async function look(next: Past): Promise<void> {
    asked += 1;
    const mine = asked;
    setPast({ ...next, isKnown: false });
    const { text, scope, failed } = next;
    const only: HistoryFilter[] = [...(scope === "all" ? [] : [scope]), ...(failed ? ["failed" as const] : [])];
    const answer = await call("history", { session_id, text, only });
    // A later question was quicker, or the search is over.
    if (mine !== asked) return;
    const [all, more] = isFault(answer) ? [[], 0] : [answer.commands, answer.more];
    setPast({ ...next, all, more, at: all.length > 0 ? 0 : -1, isKnown: true });
    if (wanted === mine) accept();
  }

  function end(text: string, caret: number): void {
    asked += 1;
    setPast(undefined);
    put(text, caret);
  }

  function accept(at?: number): void {
    const open = past();
    if (open?.isKnown === false) wanted = asked;
    const chosen = open?.isKnown ? open.all[at ?? open.at] : undefined;
    if (chosen) end(chosen.cmd, chosen.cmd.length);
  }

  return {
    past,
    start() {
      const open = past();
      if (open) return void look({ ...open, scope: SCOPES[(SCOPES.indexOf(open.scope) + 1) % SCOPES.length] ?? "all" });
      before = written();
      void look({ text: before.text, scope: "all", failed: false, all: [], at: -1, more: 0, isKnown: false });
    },
    follow(text) {
      const open = past();
      if (open && open.text !== text) void look({ ...open, text });
    },
    ask(change) {
      const open = past();
      if (open) void look({ ...open, ...change });
    },
    move: (by) =>
      setPast(
        (open) =>
          open && { ...open, at: open.all.length === 0 ? -1 : (open.at + by + open.all.length) % open.all.length },
      ),
    accept,
    close: () => past() && end(before.text, before.caret),
  };
}
