// Port: decides the next step, and does nothing. Adapters: a language model behind it (model.ts), a script in tests.
import type { StepKind, Tokens } from "../../protocol/ops/agent.ts";
import type { Cancelled } from "../base/cancellation.ts";
import type { AgentReply, Entry } from "./history.ts";

/** internal: runs at once. terminal: runs visibly in the session, through the gate. */
export type Kind = Exclude<StepKind, "external">;

export interface Action {
  readonly call_id: string;
  readonly tool: string;
  readonly args: unknown;
  readonly kind: Kind;
}

export interface Trouble {
  readonly code: "auth" | "limit" | "overloaded" | "network" | "refused" | "invalid" | "aborted" | "unavailable";
  readonly message: string;
  readonly hint: string;
  /** Worth another try after this long, or when the driver decides (null). */
  readonly retry: { readonly after_ms: number | null } | null;
}

type Step = { readonly message: string } | { readonly action: Action } | { readonly error: Trouble };

/** The step, the history entry to add first, and the cost. */
export interface Stepped {
  readonly step: Step;
  readonly said: AgentReply | null;
  readonly tokens: Tokens | null;
}

export interface Agent {
  /** Calls of one reply that have no observation yet come one after the other, without thinking again. */
  step(history: readonly Entry[], cancelled: Cancelled, partial: (text: string) => void): Promise<Stepped>;
}
