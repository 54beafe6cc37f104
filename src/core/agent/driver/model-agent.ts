// The agent with a language model behind it. Asks it once per step, and only when no call of its last reply is still open.
// Owns nothing but its parts; all it knows is the history. Refuses: to run anything.
import type { Cancelled } from "../../base/cancellation.ts";
import type { Action, Agent, Kind, Stepped, Trouble } from "../agent.ts";
import type { AgentReply, Entry, ToolCall } from "../history.ts";
import { CALLS_PER_STEP_MAX, HISTORY_CHARS_MAX } from "../limits.ts";
import type { Model, ModelReply, ToolSpec } from "../model.ts";
import { named, openCalls } from "./calls.ts";
import { trim } from "./trim.ts";

interface ModelAgentParts {
  readonly model: Model;
  readonly tools: readonly (ToolSpec & { readonly kind: Kind })[];
  readonly system: string;
  readonly history_chars?: number;
}

const EMPTY_REPLY: Trouble = {
  code: "invalid",
  message: "the model answered with nothing",
  hint: "Ask again, or choose another model.",
  retry: { after_ms: null },
};

export class ModelAgent implements Agent {
  #parts: ModelAgentParts;
  #specs: readonly ToolSpec[];
  #kinds: ReadonlyMap<string, Kind>;

  constructor(parts: ModelAgentParts) {
    this.#parts = parts;
    this.#specs = parts.tools.map(({ name, description, schema }) => ({ name, description, schema }));
    this.#kinds = new Map(parts.tools.map(({ name, kind }) => [name, kind]));
  }

  async step(history: readonly Entry[], cancelled: Cancelled, partial: (text: string) => void): Promise<Stepped> {
    const [open] = openCalls(history);
    if (open) return { step: { action: this.#actionOf(open) }, said: null, tokens: null };
    const { model, system, history_chars } = this.#parts;
    const fitting = trim(history, history_chars ?? HISTORY_CHARS_MAX);
    const reply = await model.complete({ system, history: fitting, tools: this.#specs }, cancelled, partial);
    if ("error" in reply) return { step: reply, said: null, tokens: null };
    const { tokens } = reply;
    const said = saidOf(reply, history);
    const [first] = said.calls;
    if (first) return { step: { action: this.#actionOf(first) }, said, tokens };
    if (said.text.trim() === "") return { step: { error: EMPTY_REPLY }, said: null, tokens };
    return { step: { message: said.text }, said, tokens };
  }

  /** An unknown tool counts as internal. The driver reports it, and nothing happens. */
  #actionOf({ id, tool, args }: ToolCall): Action {
    return { call_id: id, tool, args, kind: this.#kinds.get(tool) ?? "internal" };
  }
}

function saidOf({ text, calls }: ModelReply, history: readonly Entry[]): AgentReply {
  const kept = named(calls.slice(0, CALLS_PER_STEP_MAX), history);
  const cut = calls.length - kept.length;
  if (cut === 0) return { role: "agent", text, calls: kept };
  const note = `[${cut} more calls left out: at most ${CALLS_PER_STEP_MAX} at once]`;
  return { role: "agent", text: text === "" ? note : `${text}\n${note}`, calls: kept };
}
