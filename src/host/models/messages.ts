// The history as the AI SDK's messages. Every provider wants that roles take turns, that each call has its result right
// after it, and that no text is empty. We fill in what the history lacks (a stopped turn, a cut beginning).
import type { AgentReply, Entry, Observation, ToolCall } from "../../core/agent/history.ts";
import type { AssistantParts, Message, ResultPart } from "./sdk.ts";

const LEFT_OUT = "(The beginning of the conversation was left out.)";
const NOT_DONE = "Not carried out: the turn was stopped before this call.";
const NO_OUTPUT = "(no output)";
const GO_ON = "Go on.";
/** OpenAI's limit for names; Anthropic's is 128. */
const NAME_CHARS_MAX = 64;

export function messagesOf(history: readonly Entry[]): Message[] {
  const out: Message[] = [];
  const used = new Set<Observation>();
  for (const [i, entry] of history.entries()) {
    switch (entry.role) {
      case "person":
        addUserText(out, entry.text);
        break;
      case "agent":
        answer(out, entry, history.slice(i + 1), used);
        break;
      case "observation":
        // Its call was cut from the history, and providers refuse a result without a call.
        if (!used.has(entry)) addUserText(out, `[${entry.tool}] ${entry.text}`);
        break;
    }
  }
  if (out[0] && out[0].role !== "user") out.unshift({ role: "user", content: LEFT_OUT });
  if (out.at(-1)?.role === "assistant") out.push({ role: "user", content: GO_ON });
  return out;
}

function addUserText(out: Message[], text: string): void {
  if (text.trim() === "") return;
  const last = out.at(-1);
  if (last?.role === "user") last.content = `${last.content}\n\n${wellFormed(text)}`;
  else out.push({ role: "user", content: wellFormed(text) });
}

function answer(out: Message[], said: AgentReply, rest: readonly Entry[], used: Set<Observation>): void {
  const parts: AssistantParts = said.calls.map((call) => ({
    type: "tool-call",
    toolCallId: call.id,
    toolName: wireName(call.tool),
    input: wireArgs(call.args),
  }));
  if (said.text.trim() !== "") parts.unshift({ type: "text", text: wellFormed(said.text) });
  if (parts.length === 0) return;
  const last = out.at(-1);
  if (last?.role === "assistant") last.content.push(...parts);
  else out.push({ role: "assistant", content: parts });
  if (said.calls.length === 0) return;
  out.push({ role: "tool", content: said.calls.map((call) => resultOf(call, rest, used)) });
}

function resultOf(call: ToolCall, rest: readonly Entry[], used: Set<Observation>): ResultPart {
  const seen = rest.find(
    (entry): entry is Observation => entry.role === "observation" && entry.call_id === call.id && !used.has(entry),
  );
  if (seen) used.add(seen);
  const value = wellFormed(seen?.text.trim() ? seen.text : seen ? NO_OUTPUT : NOT_DONE);
  return {
    type: "tool-result",
    toolCallId: call.id,
    toolName: wireName(call.tool),
    output: { type: seen?.ok ? "text" : "error-text", value },
  };
}

/** A model may call a tool that does not exist, but the name must still have a valid shape. */
function wireName(tool: string): string {
  return tool.replace(/[^\w-]/g, "_").slice(0, NAME_CHARS_MAX) || "unnamed";
}

/** Anthropic accepts only objects. */
function wireArgs(args: unknown): object {
  return typeof args === "object" && args !== null && !Array.isArray(args) ? args : { unreadable: args ?? null };
}

/** Providers refuse half a surrogate pair, which a cut may leave. */
function wellFormed(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}
