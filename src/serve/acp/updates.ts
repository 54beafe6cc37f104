// Turns an agent's session/update into events for people. Owns: the incomplete message, the number of steps,
// and the last reported state. After mute() nothing is reported until the next turn.

import type { AgentEvent } from "../../core/agent/events.ts";
import type { ConversationLink } from "../../core/agent/performer.ts";
import { shortened } from "../../core/base/head-tail.ts";
import { never } from "../../core/base/never.ts";
import type { AgentState } from "../../protocol/ops/agent.ts";
import { answerOf, Calls, type HostedCall, isClear, titleOf, toolName } from "./calls.ts";
import { type ToolFields, textOfBlock, type Update } from "./messages.ts";

/** As much of an answer as a person reads. Agents keep their own. */
const OBSERVATION_CHARS_MAX = 12_000;
/** How much of a tool's answer goes into the transcript for a later agent. */
const REMEMBERED_CHARS_MAX = 500;
/** A longer message is reported in parts, so that no agent can fill our memory. */
const MESSAGE_CHARS_MAX = 1 << 20;

interface UpdatesParts {
  readonly link: ConversationLink;
  /** A terminal that we opened for the agent. */
  isTerminal(id: string): boolean;
  /** One more step began. */
  stepped(steps: number): void;
}

export class Updates {
  #parts: UpdatesParts;
  #calls = new Calls();
  #message = "";
  #messageId: string | null = null;
  #steps = 0;
  #state: AgentState = "idle";
  #muted = false;

  constructor(parts: UpdatesParts) {
    this.#parts = parts;
  }

  begin(): void {
    this.#calls.clear();
    this.#message = "";
    this.#steps = 0;
    this.#state = "idle";
    this.#muted = false;
  }

  /** The turn is over or stopped, so the message so far is complete. */
  mute(): void {
    this.#flush();
    this.#muted = true;
  }

  state(state: AgentState, note: string | null = null): void {
    if (this.#state === state) return;
    this.#state = state;
    this.tell({ type: "status", state, note });
  }

  tell(talk: AgentEvent): void {
    if (!this.#muted) this.#parts.link.tell(talk);
  }

  take(update: Update): void {
    if (this.#muted) return;
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return this.#say(textOfBlock(update.content), update.messageId ?? null);
      case "agent_thought_chunk":
        return this.tell({ type: "chunk", about: "thought", text: textOfBlock(update.content) });
      case "plan":
        return this.tell({
          type: "plan",
          plan: update.entries.map(({ content, status }) => ({ text: content, status })),
        });
      case "tool_call":
      case "tool_call_update":
        return this.#called(update);
      default:
        return never(update);
    }
  }

  /** A call that needs permission. The agent may not have announced it. */
  proposed(fields: ToolFields): HostedCall {
    const call = this.#calls.note(fields);
    this.#tellStep(call);
    return call;
  }

  /** Not every agent reports that it skipped a denied call, so we do. */
  denied(call: HostedCall): void {
    if (!this.#muted) this.#tellAnswer(call, false, "not run: a person did not allow it");
  }

  #say(text: string, id: string | null): void {
    if (id !== this.#messageId || this.#message.length > MESSAGE_CHARS_MAX) this.#flush();
    this.#messageId = id;
    if (text === "") return;
    this.#message += text;
    this.state("thinking");
    this.tell({ type: "chunk", about: "message", text });
  }

  #flush(): void {
    const text = this.#message;
    this.#message = "";
    if (text.trim() === "" || this.#muted) return;
    this.tell({ type: "message", text });
    this.#parts.link.remember({ role: "agent", text, calls: [] });
  }

  #called(fields: ToolFields): void {
    const call = this.#calls.note(fields);
    const isOver = call.status === "completed" || call.status === "failed";
    if (isClear(call)) this.#tellStep(call);
    if (isOver) this.#tellAnswer(call, call.status === "completed", answerOf(call, OBSERVATION_CHARS_MAX));
  }

  #tellStep(call: HostedCall): void {
    if (call.reported || this.#muted) return;
    call.reported = true;
    this.#flush();
    this.#steps += 1;
    const ours = call.own !== null || call.content.some((part) => this.#parts.isTerminal(part.terminalId ?? ""));
    this.tell({
      type: "step",
      step: this.#steps,
      call_id: call.call_id,
      tool: toolName(call),
      kind: ours ? "terminal" : "external",
      title: titleOf(call),
    });
    this.state("acting");
    this.#parts.stepped(this.#steps);
  }

  #tellAnswer(call: HostedCall, ok: boolean, text: string): void {
    if (call.ended) return;
    call.ended = true;
    const { call_id } = call;
    this.tell({ type: "observation", call_id, tool: toolName(call), ok, text, block_id: null, suggests: null });
    // As words, not as a call, because a later agent must not mistake it for its own call.
    const gist = `[${titleOf(call)}: ${ok ? "done" : "failed"}]\n${shortened(text, REMEMBERED_CHARS_MAX)}`;
    this.#parts.link.remember({ role: "agent", text: gist, calls: [] });
    this.state("thinking");
  }
}
