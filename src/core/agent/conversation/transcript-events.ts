// Reads events back from the file. An incomplete event is skipped. Pure.
import type { PlanEntry, Tokens } from "../../../protocol/ops/agent.ts";
import type { AgentEvent, StampedEvent } from "../events.ts";
import { isCount, isOneOf, isRecord, isText, isTextOrNull } from "./shapes.ts";

const STATES = ["idle", "thinking", "acting", "waiting", "paused"] as const;
const OUTCOMES = ["done", "stopped", "failed", "limit"] as const;
const KINDS = ["internal", "terminal", "external"] as const;
const PLAN_STATES = ["pending", "in_progress", "completed"] as const;

export function eventOf(value: unknown): StampedEvent | undefined {
  if (!isRecord(value)) return undefined;
  const { seq, ts } = value;
  if (!isCount(seq) || typeof ts !== "number") return undefined;
  const event = talkOf(value) ?? callTalkOf(value);
  return event && { ...event, seq, ts };
}

function talkOf(value: Readonly<Record<string, unknown>>): AgentEvent | undefined {
  const { type, text, note, state, actor, agent, message, hint, retry_in_ms, outcome, steps, exit_code, signal } =
    value;
  switch (type) {
    case "prompt":
      return isText(actor) && isText(agent) && isText(text) ? { type, actor, agent, text } : undefined;
    case "status":
      return isOneOf(state, STATES) && isTextOrNull(note) ? { type, state, note } : undefined;
    case "message":
      return isText(text) ? { type, text } : undefined;
    case "plan":
      return { type, plan: planOf(value.plan) };
    case "trouble":
      if (!isText(message) || !isText(hint)) return undefined;
      return { type, message, hint, retry_in_ms: isCount(retry_in_ms) ? retry_in_ms : null };
    case "ended":
      if (!isOneOf(outcome, OUTCOMES) || !isCount(steps)) return undefined;
      return { type, outcome, steps, tokens: tokensOf(value.tokens) };
    case "exit":
      if (!isTextOrNull(signal)) return undefined;
      return { type, exit_code: typeof exit_code === "number" ? exit_code : null, signal };
    default:
      return undefined;
  }
}

/** What is about one call. */
function callTalkOf(value: Readonly<Record<string, unknown>>): AgentEvent | undefined {
  const { type, call_id, tool, step, kind, title, approval_id, text, ok, block_id, suggests } = value;
  if (!isText(call_id) || !isText(tool)) return undefined;
  switch (type) {
    case "step":
      if (!isCount(step) || !isOneOf(kind, KINDS) || !isText(title)) return undefined;
      return { type, step, call_id, tool, kind, title };
    case "proposal":
      return isText(approval_id) && isText(text) ? { type, call_id, tool, approval_id, text } : undefined;
    case "observation": {
      if (typeof ok !== "boolean" || !isText(text) || !isTextOrNull(block_id)) return undefined;
      return { type, call_id, tool, ok, text, block_id, suggests: suggests === "terminal" ? suggests : null };
    }
    default:
      return undefined;
  }
}

function planOf(value: unknown): readonly PlanEntry[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    if (!isRecord(entry)) return [];
    const { text, status } = entry;
    return isText(text) && isOneOf(status, PLAN_STATES) ? [{ text, status }] : [];
  });
}

function tokensOf(value: unknown): Tokens | null {
  if (!isRecord(value)) return null;
  const { input, output } = value;
  return isCount(input) && isCount(output) ? { input, output } : null;
}
