// A question to a person as a client shows it, in words and as a form, and the answer that comes back. Pure.
import { type InputRequest, inputRequired } from "@modelcontextprotocol/server";
import { partsOf, wants } from "../core/base/question-words.ts";
import type { Approval } from "../protocol/ops/gate.ts";

/** No dialog shows more than this. A longer question appears only on duetty's own surfaces. */
const TEXT_CHARS_MAX = 2_000;

/**
 * Passwords and the keyboard belong to the terminal, never to a form. Neither does text that a form cannot show whole,
 * because nobody should say yes to what they do not see.
 */
export function isForm({ kind, text, stdin }: Pick<Approval, "kind" | "text" | "stdin">): boolean {
  return kind !== "password" && kind !== "take_over" && fits(text) && fits(stdin ?? "");
}

export function questionOf(card: Approval): InputRequest {
  const message = wordsOf(card);
  if (card.kind === "choice" && card.choices.length > 0) {
    const answer = { type: "string" as const, title: "Answer", enum: [...card.choices] };
    return form(message, { type: "object", properties: { answer }, required: ["answer"] });
  }
  if (card.kind === "message" || card.kind === "choice") {
    const answer = { type: "string" as const, title: "Answer", description: "What the agent is told" };
    return form(message, { type: "object", properties: { answer } });
  }
  const reason = { type: "string" as const, title: "Reason", description: "If you decline: what the agent is told" };
  return form(message, { type: "object", properties: { reason } });
}

type Schema = Parameters<typeof inputRequired.elicit>[0]["requestedSchema"];

function form(message: string, requestedSchema: Schema): InputRequest {
  return inputRequired.elicit({ mode: "form", message, requestedSchema });
}

/** What the agent wrote has a bar before each line, so that none of it looks like ours. */
function wordsOf(card: Approval): string {
  const { actor, session_id, text, stdin, description, reasons } = card;
  const risk = [card.class, card.risk].filter((one) => one !== null).join(": ");
  const why = [...new Set(reasons.map(({ why }) => why))].join("; ");
  const lines = [`${actor} ${wants(card)}${session_id ? ` in session ${session_id}` : ""}:`, "", quoted(text), ""];
  for (const part of partsOf(card)) if (part.name !== "reads") lines.push(`${part.name}: ${part.text}`);
  if (stdin) lines.push("It would read:", quoted(stdin));
  if (risk || why) lines.push([risk, why].filter((one) => one !== "").join(". "));
  if (description) lines.push("It says:", quoted(short(description)));
  return lines.join("\n").trimEnd();
}

function quoted(text: string): string {
  return text.replace(/^/gmu, "│ ");
}

function fits(text: string): boolean {
  return [...text].length <= TEXT_CHARS_MAX;
}

/** For an agent's own description. It is not part of what is allowed. */
function short(text: string): string {
  if (fits(text)) return text;
  const points = [...text];
  return `${points.slice(0, TEXT_CHARS_MAX).join("")} [… ${points.length - TEXT_CHARS_MAX} more characters; see duetty approvals]`;
}

/** The words of a person's answer. */
export function said(content: Record<string, unknown> | undefined, field: "answer" | "reason"): string | undefined {
  const value = content?.[field];
  return typeof value === "string" && value !== "" ? value : undefined;
}
