// The keys that work now, for the status line, as texts of decreasing length. Pure. keys.ts has what they do.

import type { Approval } from "../../protocol/ops/gate.ts";
import { visible } from "../text/harmless.ts";
import { isAtWork } from "./agent-status.ts";
import type { Reading } from "./question.ts";
import { type AttachState, agentHolds, isTalking, isYesOrNo, type PromptText, proposed } from "./state.ts";

/** Questions, and the way out of a mode without typing, deserve their keys. */
export function keysWeight(state: AttachState): number {
  if (state.role !== "person") return 50;
  if (proposed(state)) return 79;
  return state.mode === "agent" ? 80 : 50;
}

/** Longest first. The most important keys stay in all forms. */
export function keysNow(state: AttachState, reading: Reading, prompt: PromptText): string[] {
  const detach = "Ctrl+\\ detach";
  if (state.over) return ["q or Ctrl+\\ leaves ", "q leaves ", ""];
  if (state.role === "watch") return [`watching  ${detach} `, `${detach} `, ""];
  if (state.role === "agent") return [`${detach} `, ""];
  if (isTalking(state)) return talkKeys(state, reading, prompt, detach);
  if (isOver(state)) return [`${detach} `, ""];
  const urgent = urgentKeys(state, reading);
  if (state.mode !== "agent" && !proposed(state)) {
    // The way out stays longest.
    const forms = [[...urgent, turnKey(state), detach], [...urgent, detach], [detach]];
    return [...forms.map((keys) => `${keys.join("  ")} `), ""];
  }
  const keys = [...urgent, turnKey(state), detach];
  const texts = keys.map((_, dropped) => `${keys.slice(0, keys.length - dropped).join("  ")} `);
  return [...texts, ...(proposed(state) ? [] : ["Ctrl+T returns "]), ""];
}

function isOver({ state }: AttachState): boolean {
  return state === "done" || state === "failed" || state === "lost";
}

function turnKey({ mode, talks }: AttachState): string {
  if (mode === "agent") return "typing is off: Ctrl+T returns";
  return talks === "first" ? "Ctrl+T agent" : "Ctrl+T mode";
}

/** At a prompt. */
function talkKeys(state: AttachState, reading: Reading, prompt: PromptText, detach: string): string[] {
  const now = proposed(state) ? urgentKeys(state, reading) : isAtWork(state.agent) ? workKeys(state) : [];
  const asks = now.length === 0 && !isOver(state) ? ["Enter asks"] : [];
  const keys = [...[...now, ...asks].flatMap((key) => withText(key, prompt)), "Ctrl+T terminal", detach];
  if (prompt === "command") keys.unshift("Enter runs it in the terminal");
  return [...keys.map((_, dropped) => `${keys.slice(0, keys.length - dropped).join("  ")} `), ""];
}

/** Enter sends the written text. */
function withText(key: string, prompt: PromptText): string[] {
  if (prompt === "empty" || !key.startsWith("Enter ")) return [key];
  if (prompt === "command") return [];
  return [key === "Enter asks" ? key : `${key} at an empty prompt`];
}

function workKeys({ agent }: AttachState): string[] {
  return agent?.state === "paused" ? ["Enter goes on", "Esc stop"] : ["Esc stop"];
}

function urgentKeys(state: AttachState, reading: Reading): string[] {
  const approval = proposed(state);
  if (approval) return questionKeys(approval, state, reading);
  if (agentHolds(state)) return ["Esc stop", "Ctrl+] take"];
  if (state.mode === "agent") return [];
  return [state.hold === "person" ? "Ctrl+] release" : "Ctrl+] take"];
}

/** Ctrl+Y turns to the question, and then single keys are answers. */
function questionKeys(approval: Approval, { focus, scrolled }: AttachState, { isWhole, last }: Reading): string[] {
  const no = focus === "question" ? "n no" : "Ctrl+C no";
  if (!isYesOrNo(approval)) return [`answer: duetty approve ${visible(approval.approval_id)}`, no, "Esc stop"];
  if (!isWhole && last === 0)
    return [`too small here: duetty approve ${visible(approval.approval_id)}`, no, "Esc stop"];
  if (focus !== "question") return ["Ctrl+Y answer", no, "Esc stop"];
  return [isWhole ? "y yes" : `Space more (${last - scrolled} rows), then y yes`, no, "Esc stop"];
}
