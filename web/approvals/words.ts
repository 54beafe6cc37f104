// Words for an agent's questions and for levels, for people. Pure.
import { lateYes } from "../../src/core/base/question-words.ts";
import type { Approval } from "../../src/protocol/ops/gate.ts";
import { holderOf } from "../sessions/labels.ts";
import type { Policy } from "./control.ts";

type Kind = Approval["kind"];

/** How far agents may go with keys to running programs. */
export const LEVELS: readonly { readonly value: Policy["level"]; readonly title: string; readonly means: string }[] = [
  { value: "ask_first", title: "Ask first", means: "once for each program; then it goes on by itself" },
  { value: "always_ask", title: "Always ask", means: "for every command and every key" },
  { value: "always_allow", title: "Always allow", means: "only what safe mode holds back is asked" },
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

const RISKS: Record<NonNullable<Approval["risk"]>, string> = {
  install: "Installs something",
  migrate: "Changes a database",
  deploy: "Deploys something",
  destructive: "May destroy data",
  network: "Uses the network",
  privilege: "Acts with more rights",
};

export function riskWords({ class: cls, risk }: Pick<Approval, "class" | "risk">): string | undefined {
  if (risk) return RISKS[risk];
  if (cls === "unknown") return "Not known to be safe";
  if (cls === "risky") return "Risky";
  return cls === "safe" ? "Known to be safe" : undefined;
}

const RULES: Readonly<Record<string, string>> = {
  "mode.terminal": "in terminal mode agents always ask",
  "level.always_ask": "this session always asks",
  "level.ask_first": "the first keys to a program are asked",
  "rules.ask": "a rule of yours asks",
  "safe_mode.risky": "safe mode asks before risky commands",
  "safe_mode.unknown": "safe mode asks before unknown commands",
  "safe_mode.plain_shell": "safe mode asks before keys to a plain shell",
  "safe_mode.escapes": "this program can start a shell",
  "class.risky": "risky commands are asked",
  "class.unknown": "unknown commands are asked",
  "prompt.keys": "single keys at a prompt are asked",
  "shell.shadowed": "the shell means something else by this name",
};

export function ruleWords(rule: string): string {
  return RULES[rule] ?? rule;
}

/** "0.81 < 0.90": how sure the agent is, and how sure it would have to be. */
export function confidenceWords(confidence: number | null, threshold: number | undefined): string | undefined {
  if (confidence === null) return undefined;
  const said = `confidence ${confidence.toFixed(2)}`;
  return threshold === undefined
    ? said
    : `${said} ${confidence < threshold ? "<" : "≥"} ${threshold.toFixed(2)} needed`;
}

export function settledWords(approval: Approval): string {
  const what = `“${shorten(approval.text)}”`;
  switch (approval.state) {
    case "approved":
      // It ended by itself, or in another window.
      if (handsOver(approval.kind)) return `The keyboard is handed back: ${what}`;
      return lateYes(approval) ?? `Approved in another window: ${what}`;
    case "denied":
      return `Denied in another window: ${what}${approval.answer ? ` (${approval.answer})` : ""}`;
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
