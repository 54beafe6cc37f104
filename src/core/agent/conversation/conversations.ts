// The conversations of all sessions, by session. Owns: which of them are in memory. An unused one can leave it at
// any time, because reading its file restores it exactly.
import type { Approval } from "../../gate/approvals.ts";
import { Conversation, type ConversationParts } from "./conversation.ts";

/** As many as a person can look through in an afternoon; each keeps its newest events. */
const IN_MEMORY_MAX = 50;

export class Conversations {
  #partsOf: (session_id: string) => ConversationParts;
  #all = new Map<string, Conversation>();

  constructor(partsOf: (session_id: string) => ConversationParts) {
    this.#partsOf = partsOf;
  }

  /** Reads it from its file if needed. */
  of(session_id: string): Conversation {
    const conversation = this.#all.get(session_id) ?? new Conversation(this.#partsOf(session_id));
    // The most recently used one is last.
    this.#all.delete(session_id);
    this.#all.set(session_id, conversation);
    this.#forget();
    return conversation;
  }

  /** Only if it is in memory, for news that matters to nobody else. */
  known(session_id: string): Conversation | undefined {
    return this.#all.get(session_id);
  }

  approval(approval: Approval): void {
    if (approval.session_id !== null) this.#all.get(approval.session_id)?.approval(approval);
  }

  async dispose(): Promise<void> {
    const all = [...this.#all.values()];
    this.#all.clear();
    await Promise.all(all.map((conversation) => conversation.dispose()));
  }

  #forget(): void {
    for (const [id, conversation] of [...this.#all].slice(0, -1)) {
      if (this.#all.size <= IN_MEMORY_MAX) return;
      if (conversation.quiet) this.#all.delete(id);
    }
  }
}
