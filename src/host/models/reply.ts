// A model's answer as the port wants it: refusals and cut answers are troubles, and every call has its own id.

import type { Trouble } from "../../core/agent/agent.ts";
import type { Entry, ToolCall } from "../../core/agent/history.ts";
import type { ModelReply } from "../../core/agent/model.ts";
import type { Tokens } from "../../protocol/ops/agent.ts";
import type { CalledTool, FinishReason, Usage } from "./sdk.ts";
import type { ModelSettings } from "./settings.ts";
import { cutOff, cutShort, refused } from "./troubles.ts";

/** The ids that all providers accept. */
const ID = /^[\w-]{1,64}$/;

export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly CalledTool[];
  readonly finish: FinishReason;
  /** The provider's own word for it. A stream without one was cut; a whole answer may lack it. */
  readonly word: string | undefined;
  readonly usage: Usage;
}

export function replyOf(
  answer: ModelAnswer,
  history: readonly Entry[],
  settings: ModelSettings,
): ModelReply | { readonly error: Trouble } {
  const calls = withIds(answer, history);
  const reply = { text: answer.text, calls, tokens: tokensOf(answer.usage) };
  switch (answer.finish) {
    case "stop":
    case "tool-calls":
      return reply;
    case "content-filter":
      return { error: refused(answer.text, settings) };
    case "length": {
      const whole = calls.filter(({ args }) => typeof args === "object");
      return whole.length > 0 ? { ...reply, calls: whole } : { error: cutOff() };
    }
    case "error":
    case "interrupted":
      return { error: cutShort(settings) };
    case "other":
      return settings.streaming && answer.word === undefined ? { error: cutShort(settings) } : reply;
  }
}

/** Some servers give no ids or repeat them, but results are matched to calls by id. */
function withIds({ calls }: ModelAnswer, history: readonly Entry[]): ToolCall[] {
  const taken = new Set(history.flatMap((entry) => (entry.role === "agent" ? entry.calls.map(({ id }) => id) : [])));
  return calls.map(({ toolCallId, toolName, input }) => {
    const id = ID.test(toolCallId) && !taken.has(toolCallId) ? toolCallId : freeId(taken);
    taken.add(id);
    return { id, tool: toolName, args: input };
  });
}

function freeId(taken: ReadonlySet<string>): string {
  let n = taken.size + 1;
  while (taken.has(`call_${n}`)) n += 1;
  return `call_${n}`;
}

function tokensOf({ inputTokens, outputTokens }: Usage): Tokens | null {
  if (inputTokens === undefined && outputTokens === undefined) return null;
  return { input: inputTokens ?? 0, output: outputTokens ?? 0 };
}
