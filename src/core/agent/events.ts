// What happens in a conversation, as it is told to people and kept (conversation.jsonl). The wire has the same words.
import type { Tokens } from "./agent.ts";

export type AgentState = "idle" | "thinking" | "acting" | "waiting" | "paused";
export type TurnOutcome = "done" | "stopped" | "failed" | "limit";

export interface PlanEntry {
  readonly text: string;
  readonly status: "pending" | "in_progress" | "completed";
}

export type AgentEvent =
  | { readonly type: "prompt"; readonly actor: string; readonly agent: string; readonly text: string }
  | { readonly type: "status"; readonly state: AgentState; readonly note: string | null }
  | { readonly type: "plan"; readonly plan: readonly PlanEntry[] }
  | { readonly type: "chunk"; readonly about: "message" | "thought"; readonly text: string }
  | { readonly type: "message"; readonly text: string }
  | {
      readonly type: "step";
      readonly step: number;
      readonly call_id: string;
      readonly tool: string;
      readonly kind: "internal" | "terminal" | "external";
      readonly title: string;
    }
  | {
      readonly type: "proposal";
      readonly call_id: string;
      readonly tool: string;
      readonly approval_id: string;
      readonly text: string;
    }
  | {
      readonly type: "observation";
      readonly call_id: string;
      readonly tool: string;
      readonly ok: boolean;
      readonly text: string;
      readonly block_id: string | null;
      readonly suggests: "terminal" | null;
    }
  | { readonly type: "trouble"; readonly message: string; readonly hint: string; readonly retry_in_ms: number | null }
  | { readonly type: "ended"; readonly outcome: TurnOutcome; readonly steps: number; readonly tokens: Tokens | null }
  | { readonly type: "exit"; readonly exit_code: number | null; readonly signal: string | null };

/** With its number and time: what surfaces get. */
export type StampedEvent = AgentEvent & { readonly seq: number; readonly ts: number };
