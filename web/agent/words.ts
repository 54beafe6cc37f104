// Words for an agent's states, steps and endings. Pure.
import type { AgentStatus } from "../../src/protocol/ops/agent.ts";
import { endSentence } from "../sessions/labels.ts";
import { grouped } from "../text/numbers.ts";
import type { ConversationItem, StepState } from "./items.ts";

type Ended = Extract<ConversationItem, { kind: "ended" }>;
type AgentState = AgentStatus["state"];

const STATES: Readonly<Record<AgentState, string>> = {
  idle: "idle",
  thinking: "thinking",
  acting: "acting",
  waiting: "waiting for you",
  paused: "paused",
};
const OUTCOMES: Readonly<Record<Ended["outcome"], string>> = {
  done: "done",
  stopped: "stopped",
  failed: "failed",
  limit: "limit reached",
};

export function agentStateWord({ state, outcome }: Pick<AgentStatus, "state" | "outcome">): string {
  return state === "idle" && outcome !== null ? OUTCOMES[outcome] : STATES[state];
}

export const STEP_SIGNS: Readonly<Record<StepState, { readonly sign: string; readonly word: string }>> = {
  running: { sign: "→", word: "running" },
  waiting: { sign: "‖", word: "waiting for you" },
  ok: { sign: "✓", word: "done" },
  failed: { sign: "✗", word: "failed" },
  left: { sign: "–", word: "left undone" },
};

/** done · 7 steps · 12 300 tokens in, 900 out */
export function endedWords({ outcome, steps, tokens }: Ended): string {
  const used = tokens ? [`${grouped(tokens.input)} tokens in, ${grouped(tokens.output)} out`] : [];
  return [OUTCOMES[outcome], `${steps} step${steps === 1 ? "" : "s"}`, ...used].join(" · ");
}

export function exitWords({ exit_code, signal }: Extract<ConversationItem, { kind: "exit" }>): string {
  return `The session has ended: ${endSentence({ exit_code, signal }).toLowerCase()}`;
}

/** Built-in and hosted agents by the name people know. */
export function agentName(name: string | null): string {
  return name === null || name === "built-in" ? "agent" : name;
}
