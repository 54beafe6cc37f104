// The gate without a session: what an agent may start, and what it may run outside any terminal. It uses the
// policy of new sessions.

import type { Cancelled } from "../base/cancellation.ts";
import { type Fault, fault, isFault } from "../base/fault.ts";
import { type Actor, actorName } from "./actor.ts";
import type { Approvals } from "./approvals.ts";
import { alwaysRule, type PersonRules } from "./person-rules.ts";
import { DEFAULT_POLICY, type Policy, type Verdict } from "./policy.ts";
import type { Risk } from "./risk/risk.ts";
import { type Intent, ruledOut, settle } from "./settle.ts";
import { judgeLine } from "./verdicts.ts";

interface NoSessionGateParts {
  readonly approvals: Approvals;
  rules(cwd: string | null): readonly PersonRules[];
  log(event: object): void;
  /** Keeps the person's files before an agent's program may change them. */
  keepFiles(actor: Actor, text: string, cwd: string): Promise<unknown>;
}

export class NoSessionGate {
  #parts: NoSessionGateParts;
  #halted = false;

  constructor(parts: NoSessionGateParts) {
    this.#parts = parts;
  }

  /** The line that may be started: the original, or a person's edit. */
  async admit(
    actor: Actor,
    about: {
      readonly kind: "run" | "open";
      readonly text: string;
      readonly cwd: string;
      readonly stdin?: string | null;
    },
    intent: Intent,
    cancelled?: Cancelled,
  ): Promise<string | Fault> {
    if (actor.kind !== "agent") return about.text;
    const halted = this.refuses(actor);
    if (halted) return halted;
    const { risk, verdict } = this.explain(actorName(actor), about.text, about.cwd, intent);
    const question = { ...about, session_id: null, actor: actorName(actor), risk, program: null };
    const settled = await settle(
      this.#parts,
      verdict,
      { ...question, always: alwaysRule(risk.normal) },
      intent,
      cancelled,
    );
    if (isFault(settled)) return settled;
    const { edited } = settled;
    if (edited !== undefined && this.explain(actorName(actor), edited, about.cwd, intent).verdict.do === "deny")
      return ruledOut();
    const text = edited ?? about.text;
    await this.#parts.keepFiles(actor, text, about.cwd);
    // A person may have stopped all agents meanwhile.
    return this.refuses(actor) ?? text;
  }

  /** A person stopped all agents: nothing of theirs begins until somebody gives the keyboard back. */
  halt(): void {
    this.#halted = true;
  }
  resume(): void {
    this.#halted = false;
  }
  refuses(actor: Actor): Fault | undefined {
    if (!this.#halted || actor.kind !== "agent") return undefined;
    return fault("gate.held", "a person stopped all agents", "Wait until they release it.");
  }

  explain(
    who: string,
    text: string,
    cwd: string | null,
    { confidence = null }: { readonly confidence?: number | null | undefined },
    policy: Policy = DEFAULT_POLICY,
  ): { risk: Risk; verdict: Verdict } {
    return judgeLine(text, {
      who,
      policy,
      echo: "on",
      confidence,
      shell: null,
      rules: this.#parts.rules(cwd),
      folder: cwd,
    });
  }
}
