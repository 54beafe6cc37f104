// The gate without a session: what an agent may start, and what it may run outside any terminal. It uses the
// policy of new sessions.

import type { Reason, Where } from "../../protocol/ops/gate.ts";
import type { Cancelled } from "../base/cancellation.ts";
import { type Fault, fault, isFault } from "../base/fault.ts";
import { type Actor, actorName } from "./actor.ts";
import type { Approvals, Ways } from "./approvals.ts";
import { alwaysRule, type PersonRules } from "./person-rules.ts";
import { type Boxing, DEFAULT_POLICY, isBoxed } from "./policy.ts";
import type { Risk } from "./risk/risk.ts";
import { type Intent, ruledOut, settle } from "./settle.ts";
import { asking, type JudgedLine, judgeLine, type LineFacts } from "./verdicts.ts";

interface NoSessionGateParts extends Pick<LineFacts, "isFree"> {
  readonly approvals: Approvals;
  rules(cwd: string | null): readonly PersonRules[];
  waysOf(cwd: string, text: string): Ways;
  log(event: object): void;
  /** Keeps the person's files before an agent's program may change them. */
  keepFiles(actor: Actor, text: string, cwd: string): Promise<unknown>;
  /** Whether programs and commands that agents start here are boxed. */
  boxes(): "on" | "none" | "missing";
}

/** What may be started, and where. */
export interface AdmittedStart {
  readonly text: string;
  readonly where: Where;
  /** A person said yes to it. */
  readonly asked: boolean;
}

/** What a program gets. */
export interface Given {
  /** The session has a box, whatever is usual. */
  readonly boxed: boolean;
  /** A yes opens these hosts, and lends it the person's login and keys. Null: it is no agent CLI. */
  readonly lent: { readonly to: string; readonly hosts: readonly string[] } | null;
}

export class NoSessionGate {
  #parts: NoSessionGateParts;
  #halted = false;

  constructor(parts: NoSessionGateParts) {
    this.#parts = parts;
  }

  /** The line that may be started: the original, or a person's edit. A program gets a box as a whole, a command one line's. */
  async admit(
    actor: Actor,
    about: {
      readonly kind: "run" | "open";
      readonly text: string;
      readonly cwd: string;
      readonly stdin?: string | null;
    } & Partial<Given>,
    intent: Intent,
    cancelled?: Cancelled,
  ): Promise<AdmittedStart | Fault> {
    if (actor.kind !== "agent") return { text: about.text, where: "outside", asked: false };
    const halted = this.refuses(actor);
    if (halted) return halted;
    const { lent, boxed, ...asks } = about;
    const box = boxed ? "session" : this.#boxing(about.kind);
    const judged = (text: string) =>
      this.#judge(actorName(actor), text, about.cwd, intent, box, {
        // Variables of a program act before its box is there.
        counts: about.kind === "open" || intent.leave === true ? "all" : undefined,
      });
    const { risk: read, verdict: plain } = judged(about.text);
    const verdict = asking(plain, box, intent, undefined);
    const where = isBoxed(box) ? { where: verdict.where } : {};
    const isLent = lent && verdict.where === "box+network";
    const risk = isLent ? { ...read, reasons: [lends(lent.to, read.class), ...read.reasons] } : read;
    const hosts = isLent ? { hosts: lent.hosts } : {};
    const question = { ...asks, ...where, ...hosts, session_id: null, actor: actorName(actor), risk, program: null };
    const settled = await settle(
      this.#parts,
      verdict,
      { ...question, always: alwaysRule(risk.normal) },
      intent,
      cancelled,
    );
    if (isFault(settled)) return settled;
    const { edited } = settled;
    if (edited !== undefined && judged(edited).verdict.do === "deny") return ruledOut();
    const text = edited ?? about.text;
    await this.#parts.keepFiles(actor, text, about.cwd);
    // A person may have stopped all agents meanwhile.
    return this.refuses(actor) ?? { text, where: verdict.where, asked: settled.asked };
  }

  #boxing(kind: "run" | "open"): Boxing {
    const boxes = this.#parts.boxes();
    return boxes !== "on" ? boxes : kind === "open" ? "session" : "line";
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
    return fault("gate.held", "a person stopped all agents", "Wait until they let agents go on.");
  }

  /** By default as in a session that an agent opens. */
  explain(
    who: string,
    text: string,
    cwd: string | null,
    intent: { readonly confidence?: number | null | undefined },
  ): JudgedLine {
    return this.#judge(who, text, cwd, intent, this.#boxing("open"), {});
  }

  #judge(
    who: string,
    text: string,
    cwd: string | null,
    { confidence = null }: { readonly confidence?: number | null | undefined },
    box: Boxing,
    counted: { readonly counts?: "all" | undefined },
  ): JudgedLine {
    const common = { who, policy: DEFAULT_POLICY, echo: "on", confidence, box, ...counted } as const;
    const { isFree, rules } = this.#parts;
    return judgeLine(text, { ...common, shell: null, rules: rules(cwd), folder: cwd, isFree });
  }
}

function lends(to: string, cls: Risk["class"]): Reason {
  return { part: to, why: "gets your login and keys", rule: "agent.login", class: cls };
}
