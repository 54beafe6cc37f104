// A conversation as it is shown: prompts, messages, one line per step with its result. Pure: it folds the daemon's events
// into a list that only grows, so that what is drawn stays. Owns: which event changes which line.
import type { AgentEvent, AgentStatus } from "../../src/protocol/ops/agent.ts";

type TurnOutcome = NonNullable<AgentStatus["outcome"]>;
type Tokens = { readonly input: number; readonly output: number };
export type StepState = "running" | "waiting" | "ok" | "failed" | "left";

export interface StepItem {
  readonly kind: "step";
  readonly seq: number;
  readonly call_id: string;
  readonly tool: string;
  readonly title: string;
  /** left: the turn ended before this step did. */
  state: StepState;
  /** What it saw. */
  text: string;
  block_id: string | null;
  suggests: "terminal" | null;
}

export type ConversationItem =
  | { readonly kind: "prompt"; readonly seq: number; readonly ts: number; readonly who: string; readonly text: string }
  | { readonly kind: "message"; readonly seq: number; readonly ts: number; readonly text: string }
  | StepItem
  | {
      readonly kind: "trouble";
      readonly seq: number;
      readonly message: string;
      readonly hint: string;
      /** When it is tried again. */
      readonly retry_at: number | null;
    }
  | {
      readonly kind: "ended";
      readonly seq: number;
      readonly outcome: TurnOutcome;
      readonly steps: number;
      readonly tokens: Tokens | null;
    }
  | { readonly kind: "exit"; readonly seq: number; readonly exit_code: number | null; readonly signal: string | null };

export function addEvent(items: ConversationItem[], event: AgentEvent): void {
  const { seq, ts } = event;
  // The plan is shown above the conversation.
  if ("tool" in event && event.tool === "plan") return undefined;
  switch (event.type) {
    case "prompt":
      return void items.push({ kind: "prompt", seq, ts, who: event.actor, text: event.text });
    case "message":
      return void items.push({ kind: "message", seq, ts, text: event.text });
    case "step":
      return void items.push(stepOf(event, "running"));
    case "proposal":
      return void stepFor(items, event, "waiting");
    case "observation":
      return observed(stepFor(items, event, "running"), event);
    case "trouble": {
      const retry_at = event.retry_in_ms === null ? null : ts + event.retry_in_ms;
      return void items.push({ kind: "trouble", seq, message: event.message, hint: event.hint, retry_at });
    }
    case "status":
      // The only sign that a question was answered is that the agent continues.
      return event.state === "waiting" ? undefined : turn(items, "waiting", "running");
    case "ended":
      turn(items, "waiting", "left");
      turn(items, "running", "left");
      return void items.push({ kind: "ended", seq, outcome: event.outcome, steps: event.steps, tokens: event.tokens });
    case "exit":
      return void items.push({ kind: "exit", seq, exit_code: event.exit_code, signal: event.signal });
    case "plan":
    case "chunk":
      return undefined;
    default:
      // A newer daemon may send more. We ignore what we do not know.
      return event satisfies never;
  }
}

type Called = { readonly seq: number; readonly call_id: string; readonly tool: string; readonly title?: string };

function stepOf({ seq, call_id, tool, title = tool }: Called, state: StepState): StepItem {
  return { kind: "step", seq, call_id, tool, title, state, text: "", block_id: null, suggests: null };
}

/** The line of this call. A call that was never announced gets a new line. */
function stepFor(items: ConversationItem[], event: Called, state: StepState): StepItem {
  const found = items.findLast((item): item is StepItem => item.kind === "step" && item.call_id === event.call_id);
  if (!found) items.push(stepOf(event, state));
  else if (found.state === "running" || found.state === "waiting") found.state = state;
  return found ?? (items.at(-1) as StepItem);
}

function observed(step: StepItem, event: Extract<AgentEvent, { type: "observation" }>): void {
  step.state = event.ok ? "ok" : "failed";
  step.text = event.text;
  step.block_id = event.block_id;
  step.suggests = event.suggests;
}

function turn(items: ConversationItem[], from: StepState, to: StepState): void {
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const item = items[at];
    if (item?.kind === "prompt") return;
    if (item?.kind === "step" && item.state === from) item.state = to;
  }
}
