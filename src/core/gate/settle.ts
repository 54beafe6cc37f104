// Carries out a verdict: pass on, refuse, or ask a person. Every decision is logged before it counts.
import type { Where } from "../../protocol/ops/gate.ts";
import { advice } from "../base/advice.ts";
import type { Cancelled } from "../base/cancellation.ts";
import { exact } from "../base/exact.ts";
import { type Fault, fault, isFault } from "../base/fault.ts";
import { lifeWords } from "../base/question-words.ts";
import type { Approvals, Question, Ways } from "./approvals.ts";
import type { Edits } from "./line/edits.ts";
import type { Verdict } from "./policy.ts";
import type { Risk } from "./risk/risk.ts";

/** What an agent says about its action. */
export interface Intent {
  readonly description?: string | undefined;
  readonly confidence?: number | undefined;
  /** How long it waits for a person. */
  readonly timeout_ms: number;
  /** The wait when the caller shows the question itself. */
  readonly approval_ms?: number | undefined;
  /** The agent asks to leave the box. */
  readonly leave?: boolean | undefined;
}

/** A line that may run. */
export interface Admitted {
  readonly text: string;
  /** plain: as if a person had typed it. guarded: the shell asks again for each of its commands. boxed: in its own box. */
  readonly how: "plain" | "guarded" | "boxed";
  readonly where: Where;
  readonly rule: string;
  readonly names: readonly string[];
  /** A person said yes to it. */
  readonly asked?: boolean;
  /** The shell inside of the session's for which it may run; null or missing: the session's own. */
  readonly nested?: string | null;
  /** Where the run has network: what of it. Null: every public host. */
  readonly hosts?: readonly string[] | null;
  /** It runs only if a restore point has these, in a box that writes nothing else. */
  readonly edits?: Edits | null;
}

export interface Settled {
  /** A person allowed it. */
  readonly asked: boolean;
  /** The person's own text instead. */
  readonly edited?: string;
}

export interface Settling {
  readonly approvals: Approvals;
  log(event: object): void;
  /** Where a line of this folder leads now, all links followed. */
  waysOf(cwd: string, text: string): Ways;
}

export async function settle(
  by: Settling,
  verdict: Verdict,
  question: Omit<Question, "rule" | "confidence" | "description" | "choices" | "stdin"> &
    Partial<Pick<Question, "stdin">>,
  intent: Intent,
  cancelled?: Cancelled,
): Promise<Settled | Fault> {
  const { description = null, confidence = null } = intent;
  const { actor, kind, risk } = question;
  const facts = { actor, what: kind, class: risk?.class ?? null, confidence, where: verdict.where };
  by.log({ kind: "verdict", verdict: verdict.do, rule: verdict.rule, ...facts });
  if (verdict.do === "allow") return { asked: false };
  if (verdict.rule === "gate.echo_off") return echoOffFault();
  if (verdict.do === "deny") return ruledOut();
  const ways = waysNow(by, verdict, question);
  const told = { ...question, risk: risk && withWays(risk, ways), ways };
  const whole = { stdin: null, ...told, rule: verdict.rule, choices: [], confidence, description };
  const answer = await by.approvals.ask(whole, intent.approval_ms ?? intent.timeout_ms, cancelled, afterWait(intent));
  if (isFault(answer)) return answer;
  if ("pending" in answer) {
    const { approval_id } = answer.pending;
    const hint = `You no longer wait for it. Ask again with the same input: once a person has approved ${approval_id}, it counts. ${lifeWords()}`;
    return { ...fault("approval.pending", `a person must allow this first${whyAsked(risk)}`, hint), approval_id };
  }
  if (answer.state === "approved" && answer.answer === null && !isSame(ways, waysNow(by, verdict, question)))
    return fault("gate.held", "a link in this line's way leads elsewhere now", "Look where it leads and ask again.");
  if (answer.state === "approved")
    return answer.answer === null ? { asked: true } : { asked: true, edited: answer.answer };
  const why = answer.answer ? `: ${answer.answer}` : answer.state === "denied" ? "" : ` (${answer.state})`;
  return fault("gate.denied", `a person did not allow it${why}`, "Find another way, or ask the person.");
}

/** In a box a link leads to nothing outside, so only the folder counts. */
function waysNow(
  by: Settling,
  { where }: Verdict,
  { kind, cwd, text }: Pick<Question, "kind" | "cwd" | "text">,
): Ways | null {
  if (kind === "keys" || cwd === null) return null;
  return by.waysOf(cwd, where === "outside" ? text : "");
}

function isSame(some: Ways | null, others: Ways | null): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}

/** The person reads where the words of a line lead. */
function withWays(risk: Risk, ways: Ways | null): Risk {
  const links = (ways?.links ?? []).map(({ word, to }) => {
    return { part: word, why: `leads to ${to}`, rule: "path.link", class: risk.class };
  });
  return { ...risk, reasons: [...risk.reasons, ...links] };
}

/** So that the asker can choose another way. */
function whyAsked(risk: Question["risk"]): string {
  const why = risk?.reasons.map(({ part, why }) => `${exact(part)} ${why}`).join("; ") ?? "";
  return why === "" ? "" : `: ${why}`;
}

/** A caller that gives no time to the question shows it itself, or asks again at once. */
export function afterWait({ approval_ms }: Pick<Intent, "approval_ms">): { readonly after: "leaves" | "returns" } {
  return { after: approval_ms === 0 ? "returns" : "leaves" };
}

export function echoOffFault(): Fault {
  const what = "the program asks for a password, which only a person may type";
  return fault("gate.echo_off", what, advice("asks_password"));
}

export function ruledOut(): Fault {
  return fault(
    "gate.denied",
    "a person's rule does not allow it",
    "Do without it, or ask the person to change the rule.",
  );
}

/** The shell has the agent's own words, and a person said yes to others. */
export function editedFault(text: string): Fault {
  return fault("gate.denied", `a person would have this run instead: ${exact(text)}`, "Send that line.");
}
