// Agents' questions of all sessions, or of a guest's one, oldest first. Owns: the queue as the daemon sends it, and a short note about what
// somebody else settled. Refuses: to answer by itself. current.ts knows which question is shown and since when.
import { type Accessor, createSignal, onCleanup } from "solid-js";
import { createStore, reconcile } from "solid-js/store";
import { lateYes } from "../../src/core/base/question-words.ts";
import type { Approval } from "../../src/protocol/ops/gate.ts";
import { hostOf } from "../hosts/words.ts";
import { call, type Fault, isFault } from "../wire/api.ts";
import { sha256Hex } from "./sha256.ts";
import { settledWords } from "./words.ts";

/** Long enough to read one line. */
const NOTE_MS = 6_000;

export type Scope = "session" | "project" | "user";

export interface ApprovalQueue {
  readonly pending: readonly Approval[];
  readonly answering: Accessor<string | undefined>;
  /** How a question was settled elsewhere. */
  readonly note: Accessor<string | undefined>;
  refresh(): Promise<void>;
  approve(id: string, how?: { edit?: string; always?: Scope; answer?: string }): Promise<void>;
  deny(id: string, reason?: string): Promise<void>;
  onMessage(approval: Approval): void;
}

/** `guest`: who looks at the page, and the one session that was shared with them. */
export function createApprovals(
  onFault: (fault: Fault) => void,
  guest?: { readonly me: string; readonly session_id: string },
): ApprovalQueue {
  const [store, setStore] = createStore<{ pending: Approval[] }>({ pending: [] });
  const [answering, setAnswering] = createSignal<string>();
  const { note, say } = createNote();

  const set = (pending: Approval[]) => setStore("pending", reconcile(pending, { key: "approval_id" }));

  async function answer(id: string, ask: () => Promise<Approval | Fault>): Promise<void> {
    // One answer at a time. A second key was meant for the question that the first one settled.
    if (answering() !== undefined) return;
    setAnswering(id);
    const settled = await ask();
    setAnswering(undefined);
    if (!isFault(settled)) {
      const late = lateYes(settled);
      if (late !== undefined) say(late);
      told += 1;
      return set(store.pending.filter(({ approval_id }) => approval_id !== id));
    }
    onFault(settled);
    await refresh();
  }

  /** Another machine takes a yes only for exactly the text that stands on this page. */
  const shownOf = (id: string) => {
    const text = store.pending.find(({ approval_id }) => approval_id === id)?.text;
    return hostOf(id) === undefined || text === undefined ? {} : { shown: sha256Hex(text) };
  };

  // A list is older than what was told or asked while it was on its way: it would bring back a question that is settled.
  let lists = 0;
  let told = 0;
  async function refresh(): Promise<void> {
    const list = ++lists;
    const toldBefore = told;
    const answer = await call("approvals", guest ? { session_id: guest.session_id } : { hosts: "all" });
    if (isFault(answer) || list !== lists) return;
    if (told !== toldBefore) return refresh();
    set(answer.approvals);
  }

  return {
    get pending() {
      return store.pending;
    },
    answering,
    note,
    refresh,
    approve: (id, how = {}) => answer(id, () => call("approve", { approval_id: id, ...how, ...shownOf(id) })),
    deny: (id, reason) => answer(id, () => call("deny", { approval_id: id, ...(reason && { reason }) })),
    onMessage(approval) {
      told += 1;
      const { approval_id, state } = approval;
      const others = store.pending.filter((other) => other.approval_id !== approval_id);
      if (state !== "pending" && others.length < store.pending.length && answering() !== approval_id)
        say(settledWords(approval, guest?.me));
      const all = state === "pending" ? [...others, approval] : others;
      set(all.sort((a, b) => a.created_at - b.created_at));
    },
  };
}

/** One line that leaves by itself. */
function createNote() {
  const [note, setNote] = createSignal<string>();
  let end: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(end));
  const say = (words: string) => {
    clearTimeout(end);
    setNote(words);
    end = setTimeout(() => setNote(undefined), NOTE_MS);
  };
  return { note, say };
}
