// What an agent CLI that runs in a session is doing, in words that several schemas share.
import * as z from "zod";
import { SessionId, Ts } from "./ids.ts";

/** unknown: nothing that we know of it matches. done: its turn is over, or it ended with 0. */
export const AgentState = z.enum(["starting", "working", "blocked", "idle", "done", "error", "unknown"]);
export type AgentState = z.output<typeof AgentState>;

/** What a blocked agent waits for: a yes, an answer, a login. */
export const BlockedKind = z.enum(["permission", "question", "auth"]);
export type BlockedKind = z.output<typeof BlockedKind>;

/** From what it is known. */
const StateSource = z.enum(["exit", "status", "hook", "title", "screen", "none"]);

export const AgentStateNow = z.object({
  state: AgentState,
  kind: BlockedKind.optional(),
  why: z.string(),
  source: StateSource,
  since: Ts,
});
export type AgentStateNow = Readonly<z.output<typeof AgentStateNow>>;

/** Why it has this state. */
export const StateReason = z.object({
  session_id: SessionId,
  agent: z.string().nullable().describe("the agent CLI in front; null: another program"),
  state: AgentState.nullable(),
  kind: BlockedKind.optional(),
  rule: z.string().describe("the rule that said so"),
  evidence: z.string().describe("the line that it was read from, without secrets"),
  source: StateSource,
});
