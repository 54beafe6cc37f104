// Words for an agent's questions and for levels, for people. Pure.
import { lateYes } from "../../src/core/base/question-words.ts";
import type { Approval } from "../../src/protocol/ops/gate.ts";
import { holderOf } from "../sessions/labels.ts";
import type { Policy } from "./control.ts";

type Kind = Approval["kind"];

/** How far agents may go with keys to running programs. */
export const LEVELS: readonly { readonly value: Policy["level"]; readonly title: string; readonly means: string }[] = [
  { value: "ask_first", title: "Ask first", means: "asks once per program, then allows" },
  {
    value: "edit_here",
    title: "Edit here",
    means: "as Ask first, and lines may change files here that undo brings back",
  },
  { value: "always_ask", title: "Always ask", means: "asks for every command and every key" },
  { value: "always_allow", title: "Always allow", means: "asks only for what safe mode blocks" },
];

export function whoAsks({ actor }: Pick<Approval, "actor">): string {
  return holderOf(actor).word;
}

/** Whether the agent asks the person to use the keyboard. */
export function handsOver(kind: Kind): boolean {
  return kind === "password" || kind === "take_over";
}

/** Whether yes or no answers it. Other questions need words. */
export function isYesOrNo(kind: Kind): boolean {
  return kind === "run" || kind === "keys" || kind === "open" || kind === "tool";
}

/** "0.81 < 0.90": how sure the agent is, and how sure it would have to be. */
export function confidenceWords(confidence: number | null, threshold: number | undefined): string | undefined {
  if (confidence === null) return undefined;
  const said = `confidence ${confidence.toFixed(2)}`;
  return threshold === undefined
    ? said
    : `${said} ${confidence < threshold ? "<" : "≥"} ${threshold.toFixed(2)} needed`;
}

/** `me`: who looks at the page. */
export function settledWords(approval: Approval, me?: string): string {
  const what = `“${shorten(approval.text)}”`;
  switch (approval.state) {
    case "approved":
      // It ended by itself, or in another window.
      if (handsOver(approval.kind)) return `The keyboard is handed back: ${what}`;
      return lateYes(approval) ?? `Approved ${whereSettled(approval, me)}: ${what}`;
    case "denied":
      return `Denied ${whereSettled(approval, me)}: ${what}${approval.answer ? ` (${approval.answer})` : ""}`;
    case "expired":
      return `Nobody answered in time, so it was denied: ${what}`;
    case "cancelled":
      return `No longer asked: ${what}`;
    case "pending":
      return `Asked: ${what}`;
    default:
      return approval.state satisfies never;
  }
}

/** Somebody else's answer bears their name, one of this person's other devices the device's. */
function whereSettled({ by, from }: Approval, me: string | undefined): string {
  const { kind, word } = holderOf(by ?? "", me);
  if (kind === "guest") return `by ${word}`;
  return from === undefined ? "in another window" : `on ${from.replace(/^device:/, "")}`;
}

/** One line of a notice. */
const SHORT_CHARS = 60;

export function shorten(text: string): string {
  const [first = ""] = text.split("\n");
  return first.length > SHORT_CHARS || first !== text ? `${first.slice(0, SHORT_CHARS)}…` : first;
}

/** 4:05 */
export function countdown(left_ms: number): string {
  const seconds = Math.max(0, Math.ceil(left_ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** What a text of the question is called. */
export function nameOfText(kind: Kind): string {
  if (kind === "run" || kind === "open") return "the command";
  return kind === "keys" ? "the keys" : "the text";
}
