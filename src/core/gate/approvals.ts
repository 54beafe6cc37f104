// Agents' questions to people, one queue for all surfaces. Owns: every question until it is settled, and permissions that were
// given once and not used yet. The first person's answer wins. A question without an answer is denied. Nothing here survives
// the daemon: a question that was open when it died is denied.
import type { Approval as Card } from "../../protocol/ops/gate.ts";
import { advice } from "../base/advice.ts";
import type { Cancelled } from "../base/cancellation.ts";
import type { Clock } from "../base/clock.ts";
import type { DeepReadonly } from "../base/deep-readonly.ts";
import { exact } from "../base/exact.ts";
import { type Fault, fault, isFault } from "../base/fault.ts";
import { APPROVAL_LIFE_MS } from "../base/question-words.ts";
import type { Risk } from "./risk/risk.ts";
import { type AgentLimits, DEFAULT_LIMITS, heldBy, questionShare, refusesMore } from "./shares.ts";

/** Settled questions that we keep for late readers. */
const SETTLED_MAX = 200;

/** A question and its outcome. */
export interface Approval extends DeepReadonly<Omit<Card, "class" | "risk" | "reasons">> {
  readonly risk: Risk | null;
  /** For keys: the run of the program. It is not shown, but a yes counts for no other run. */
  readonly instance?: string | null;
  /** For lines: where they lead. A yes counts for no other way. */
  readonly ways?: Ways | null;
}

/** Where a line's folder and words really lead when somebody looks. */
export interface Ways {
  readonly folder: string;
  /** Words behind links, and what they lead to. */
  readonly links: readonly { readonly word: string; readonly to: string }[];
}

export type Question = Omit<
  Approval,
  "approval_id" | "created_at" | "expires_at" | "state" | "answer" | "via" | "waits"
>;

/** How somebody asks. */
interface Asking {
  /** After its wait the asker shows the question itself, or asks again at once. Otherwise it is gone then. */
  readonly after?: "leaves" | "returns";
  /** An answer that came while nobody waited does not count any more. */
  readonly anew?: boolean;
}

interface Answer {
  readonly state: Exclude<Approval["state"], "pending">;
  readonly answer: string | null;
  readonly via?: string | null;
  /** Who answered, and on which device. */
  readonly by?: string | null;
  readonly from?: string | undefined;
}

interface Open {
  approval: Approval;
  cancelExpiry: () => void;
  waiting: Set<(answer: Answer) => void>;
}

export interface ApprovalsParts {
  readonly clock: Clock;
  readonly limits?: AgentLimits;
  newId(): string;
  /** It was asked, or settled. */
  changed(approval: Approval): void;
  /** Its asker stopped waiting, or waits again. */
  askerChanged(approval: Approval): void;
}

export class Approvals {
  #parts: ApprovalsParts;
  #open = new Map<string, Open>();
  #settled: Approval[] = [];
  /** Answers that came while nobody waited. Each counts once, for exactly the same request. A no is reported too, not asked again. */
  #granted = new Map<string, { answer: Answer; until: number }>();

  constructor(parts: ApprovalsParts) {
    this.#parts = parts;
  }

  list(which: "pending" | "all", session_id?: string): Approval[] {
    const pending = [...this.#open.values()].map(({ approval }) => approval);
    const all = which === "all" ? [...this.#settled, ...pending] : pending;
    return session_id === undefined ? all : all.filter((approval) => approval.session_id === session_id);
  }

  find(approval_id: string): Approval | Fault {
    const known = this.#open.get(approval_id)?.approval ?? this.#settled.find((one) => one.approval_id === approval_id);
    return known ?? fault("not_found", `no approval is called "${approval_id}"`, advice("approvals"));
  }

  /** Asks, and waits for the answer as long as the caller does. Then the question stays open until it expires. */
  async ask(
    question: Question,
    timeout_ms: number,
    cancelled?: Cancelled,
    { after = "leaves", anew = false }: Asking = {},
  ): Promise<Answer | { readonly pending: Approval } | Fault> {
    const key = keyOf(question);
    const granted = this.#granted.get(key);
    this.#granted.delete(key);
    if (!anew && granted && granted.until > this.#parts.clock.monotonic()) return granted.answer;
    const same = [...this.#open.values()].find(({ approval }) => keyOf(approval) === key);
    // A yes counts for one request. The same request from another caller gets its own answer.
    if (same && same.waiting.size > 0) return { pending: same.approval };
    const open = same ?? this.#begin(question);
    if (isFault(open)) return open;
    this.#setWaits(open, true);
    return new Promise((resolve) => {
      const end = (result: Answer | { readonly pending: Approval }) => {
        open.waiting.delete(end);
        cancel();
        resolve(result);
      };
      const pending = () => {
        end({ pending: open.approval });
        if (open.waiting.size === 0) this.#setWaits(open, after === "returns");
      };
      const cancel = this.#parts.clock.after(timeout_ms, pending);
      open.waiting.add(end);
      cancelled?.onCancel(pending);
    });
  }

  /** A person answers. Somebody else's answer may have come first. */
  settle(approval_id: string, answer: Answer): Approval | Fault {
    const open = this.#open.get(approval_id);
    if (!open) {
      const known = this.find(approval_id);
      if ("fault" in known) return known;
      return fault("approval.settled", `it was ${known.state} already`, advice("answered"));
    }
    return this.#settle(open, answer);
  }

  /** A yes: once for exactly this, or for a person's edited line, or with the answer to a question. */
  approve(
    approval_id: string,
    {
      edit,
      answer,
      via = null,
      by = null,
      from,
    }: Partial<Record<"edit" | "answer" | "from", string | undefined>> &
      Partial<Record<"via" | "by", string | null | undefined>>,
  ): Approval | Fault {
    const asked = this.find(approval_id);
    if ("fault" in asked) return asked;
    const isQuestion = asked.rule === "ask_person";
    if (edit !== undefined && asked.kind !== "run")
      return fault("input.invalid", `a question of the kind ${asked.kind} cannot be edited`, "Approve or deny it.");
    if (answer !== undefined && !isQuestion)
      return fault("input.invalid", "this question takes no answer in words", "Approve it, or edit it.");
    return this.settle(approval_id, { state: "approved", answer: edit ?? answer ?? null, via, by, from });
  }

  /** A yes that came to nothing counts for the same request again, for as long as a late answer would. */
  giveBack(session_id: string, actor: string, line: string): void {
    const { clock } = this.#parts;
    const isIt = (one: Approval) => one.session_id === session_id && one.actor === actor && one.text === line;
    const used = this.#settled.findLast((one) => isIt(one) && one.kind === "run" && one.state === "approved");
    if (!used) return;
    const left = Math.max(0, used.expires_at + APPROVAL_LIFE_MS - clock.now());
    const { answer, via = null } = used;
    this.#granted.set(keyOf(used), { answer: { state: "approved", answer, via }, until: clock.monotonic() + left });
  }

  /** Cancels everything that agents asked in a session (or in all). */
  cancelAll(session_id?: string): number {
    const open = [...this.#open.values()].filter(
      ({ approval }) => session_id === undefined || approval.session_id === session_id,
    );
    for (const one of open) this.#settle(one, { state: "cancelled", answer: null });
    for (const key of [...this.#granted.keys()])
      if (session_id === undefined || key.startsWith(`${session_id} `)) this.#granted.delete(key);
    return open.length;
  }

  /** Cancels what one agent asked in a session, and its unused permissions. */
  cancel(session_id: string, actor: string): void {
    for (const one of [...this.#open.values()])
      if (one.approval.session_id === session_id && one.approval.actor === actor)
        this.#settle(one, { state: "cancelled", answer: null });
    const begins = `${session_id} ${JSON.stringify([actor]).slice(0, -1)}`;
    for (const key of [...this.#granted.keys()]) if (key.startsWith(begins)) this.#granted.delete(key);
  }

  #begin(question: Question): Open | Fault {
    const { clock, limits = DEFAULT_LIMITS } = this.#parts;
    const owners = [...this.#open.values()].map(({ approval }) => approval.actor);
    const refused = refusesMore(questionShare(limits), question.actor, heldBy(question.actor, owners, limits));
    if (refused) return refused;
    const created_at = clock.now();
    const approval: Approval = {
      ...question,
      approval_id: this.#parts.newId(),
      created_at,
      expires_at: created_at + APPROVAL_LIFE_MS,
      state: "pending",
      answer: null,
      via: null,
      waits: true,
    };
    const open: Open = {
      approval,
      cancelExpiry: clock.after(APPROVAL_LIFE_MS, () => void this.#settle(open, { state: "expired", answer: null })),
      waiting: new Set(),
    };
    this.#open.set(approval.approval_id, open);
    this.#parts.changed(approval);
    return open;
  }

  #setWaits(open: Open, waits: boolean): void {
    if (open.approval.waits === waits || open.approval.state !== "pending") return;
    open.approval = { ...open.approval, waits };
    this.#parts.askerChanged(open.approval);
  }

  #settle(open: Open, answer: Answer): Approval {
    open.cancelExpiry();
    const approval = { ...open.approval, ...answer };
    open.approval = approval;
    this.#open.delete(approval.approval_id);
    this.#settled.push(approval);
    if (this.#settled.length > SETTLED_MAX) this.#settled.shift();
    // A client whose person declined in its own form has told its agent: the next call is a new question.
    const isDelivered = answer.state === "denied" && typeof answer.via === "string";
    const isAnswered = answer.state === "approved" || answer.state === "denied";
    if (isAnswered && !isDelivered && open.waiting.size === 0)
      this.#granted.set(keyOf(approval), { answer, until: this.#parts.clock.monotonic() + APPROVAL_LIFE_MS });
    this.#parts.changed(approval);
    for (const end of [...open.waiting]) end(answer);
    return approval;
  }
}

/** Whether an agent asks a person to use the keyboard. */
export function handsOver(kind: Approval["kind"]): boolean {
  return kind === "password" || kind === "take_over";
}

/** Begins with the session, which cancelAll searches for. */
function keyOf(question: Question): string {
  const { session_id, actor, kind, cwd, text, stdin, where, hosts = null, instance = null, ways = null } = question;
  return `${session_id} ${JSON.stringify([actor, kind, cwd, text, stdin, where ?? null, hosts, instance, ways])}`;
}

/** What a person is shown. Nothing in it is invisible, because nobody should agree to what they cannot see. */
export function cardOf(approval: Approval): Card {
  const {
    risk,
    text,
    choices,
    description,
    stdin,
    cwd,
    program,
    always,
    hosts,
    instance: _,
    ways: __,
    ...rest
  } = approval;
  const seen = (one: string | null) => (one === null ? null : exact(one));
  return {
    ...rest,
    ...(hosts ? { hosts: [...hosts] } : {}),
    choices: choices.map(exact),
    text: exact(text),
    description: seen(description),
    stdin: seen(stdin),
    cwd: seen(cwd),
    program: seen(program),
    always: seen(always),
    class: risk?.class ?? null,
    risk: risk?.kind ?? null,
    reasons: (risk?.reasons ?? []).map(({ part, why, ...one }) => ({ ...one, part: exact(part), why: exact(why) })),
  };
}
