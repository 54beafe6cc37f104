// Questions of an agent's running call. While one is open the agent waits, whatever else it reports.
// Owns: the open questions of one conversation, and the state that shows again when they are answered.
import type { AgentState } from "../../../protocol/ops/agent.ts";
import type { Approval } from "../../gate/approvals.ts";

interface Shown {
  readonly state: AgentState;
  readonly note: string | null;
}

export const ASKED: Shown = { state: "waiting", note: "a person has to answer" };

export class Questions {
  #open = new Set<string>();
  #behind: Shown = { state: "acting", note: null };

  /** The question it waits for. */
  get first(): string | null {
    const [first] = this.#open;
    return first ?? null;
  }

  /** New, answered (with the state to show again once none is open), or not ours. */
  tell({ approval_id, state }: Approval, shown: Shown): "asked" | { readonly answered: Shown | null } | "foreign" {
    if (state === "pending") {
      if (this.#open.has(approval_id)) return "foreign";
      if (this.#open.size === 0) this.#behind = shown;
      this.#open.add(approval_id);
      return "asked";
    }
    if (!this.#open.delete(approval_id)) return "foreign";
    return { answered: this.#open.size === 0 ? this.#behind : null };
  }

  /** Whether this state has to wait behind an open question. */
  hides(shown: Shown): boolean {
    if (this.#open.size === 0 || (shown.state !== "acting" && shown.state !== "thinking")) return false;
    this.#behind = shown;
    return true;
  }

  /** The call that asked is over, so the wait is too. The question stays in the queue. */
  forget(): void {
    this.#open.clear();
  }
}
