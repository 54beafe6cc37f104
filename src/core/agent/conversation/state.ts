// The state of a conversation, computed from its events alone, so live and restored conversations are
// the same by construction. Pure.
import type { AgentState, PlanEntry, TurnOutcome } from "../../../protocol/ops/agent.ts";
import { never } from "../../base/never.ts";
import type { AgentEvent } from "../events.ts";

export interface ConversationState {
  readonly agent: string | null;
  /** Who asked: person or agent:NAME. */
  readonly asker: string | null;
  readonly state: AgentState;
  readonly note: string | null;
  readonly outcome: TurnOutcome | null;
  readonly steps: number;
  readonly plan: readonly PlanEntry[];
  /** The call that runs now, or ran when the daemon died. */
  readonly call: { readonly call_id: string; readonly tool: string } | null;
  /** A turn began and has not ended. */
  readonly open: boolean;
  /** The program of the session is gone. */
  readonly exited: boolean;
}

export const NEW_CONVERSATION: ConversationState = {
  agent: null,
  asker: null,
  state: "idle",
  note: null,
  outcome: null,
  steps: 0,
  plan: [],
  call: null,
  open: false,
  exited: false,
};

export function stateAfter(before: ConversationState, event: AgentEvent): ConversationState {
  switch (event.type) {
    case "prompt":
      return {
        ...NEW_CONVERSATION,
        exited: before.exited,
        agent: event.agent,
        asker: event.actor,
        state: "thinking",
        open: true,
      };
    case "status":
      return { ...before, state: event.state, note: event.note };
    case "plan":
      return { ...before, plan: event.plan };
    case "step":
      return { ...before, steps: event.step, call: { call_id: event.call_id, tool: event.tool } };
    case "observation":
      return before.call?.call_id === event.call_id ? { ...before, call: null } : before;
    case "ended":
      return { ...before, state: "idle", note: null, outcome: event.outcome, call: null, open: false };
    case "exit":
      return { ...before, exited: true };
    case "chunk":
    case "message":
    case "proposal":
    case "trouble":
      return before;
    default:
      return never(event);
  }
}
