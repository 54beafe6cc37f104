// Who has the keyboard, and why. Owns: the hold. A person's key takes it at once. A hold by typing ends when
// their command is over. A hold taken on purpose stays until they release it. Pure except for reporting changes.

import { isPerson, personNameIn } from "../../protocol/plain/person-name.ts";
import type { HoldReason } from "../../protocol/words/policy.ts";
import { advice } from "../base/advice.ts";
import { type Fault, fault } from "../base/fault.ts";
import { type Actor, actorName } from "./actor.ts";
import type { AgentInput } from "./gate-for-agents.ts";

/** Taken on purpose. */
export type TakenFor = Extract<HoldReason, "manual" | "stop" | "handed_over">;

export interface Hold {
  /** person, person:NAME, agent:NAME or nobody. */
  readonly who: string;
  readonly reason: HoldReason | null;
  readonly note: string | null;
}

/** After this long without input, an agent lets another one type, and at a prompt it loses the keyboard. */
export const AGENT_IDLE_MS = 15_000;
/** In a program that does not mark its commands, a person who has not typed this long is done. */
export const PERSON_IDLE_MS = 10_000;

/** A hold that only a person ends. */
export function isOnPurpose({ who, reason }: Pick<Hold, "who" | "reason">): boolean {
  return isPerson(who) && reason !== "typing";
}

const NOBODY: Hold = { who: "nobody", reason: null, note: null };

export class Holds {
  #hold: Hold = NOBODY;
  #agent: Actor | undefined;
  #at = 0;
  /** A prompt came after all that the agent typed, so nothing of it stands there. */
  #isLineOver = false;
  #onChange: (hold: Hold, before: Hold) => void;

  constructor(onChange: (hold: Hold, before: Hold) => void) {
    this.#onChange = onChange;
  }

  get now(): Hold {
    return this.#hold;
  }

  /** When the one who holds it last did something. */
  get at(): number {
    return this.#at;
  }

  /** The agent that has it. */
  get agent(): Actor | undefined {
    return this.#agent;
  }

  /** What somebody took on purpose stays theirs while others type. */
  personTyped(at: number, who: string): void {
    this.#at = at;
    if (!isOnPurpose(this.#hold)) this.#set({ who, reason: "typing", note: null });
  }

  take(reason: TakenFor, note: string | null, at: number, who: string): void {
    this.#at = at;
    this.#set({ who, reason, note });
  }

  /** `note`: what the person said who gave it back. */
  release(note: string | null = null): void {
    this.#set({ ...NOBODY, note });
  }

  agentTyped(actor: Actor, at: number): void {
    this.#at = at;
    this.#isLineOver = false;
    this.#set({ who: actorName(actor), reason: null, note: null });
    this.#agent = actor;
  }

  /** The shell took somebody's line. A person's ends an agent's hold from an earlier prompt: the new program is theirs. */
  ran(actor: Actor, at: number): void {
    if (actor.kind === "agent") this.agentTyped(actor, at);
    else if (this.#agent) this.release();
  }

  /** A prompt came. What was typed since then stands at it. */
  prompted(at: number): void {
    if (this.#at > at) return;
    this.#isLineOver = true;
    this.lapse();
  }

  /** A hold by typing ends. */
  lapse(): void {
    if (this.#hold.reason === "typing") this.#set(NOBODY);
  }

  /** An agent gives it back. */
  letGo(actor: Actor): Fault | undefined {
    const { who } = this.#hold;
    if (who === actorName(actor)) this.release();
    else if (who !== "nobody") return fault("gate.held", `${who} has the keyboard`, "Only people give it back.");
    return undefined;
  }

  /** What a person took on purpose stays taken. Returns the note with which they gave it back, if they did. */
  restore(events: readonly unknown[], at: number): string | null {
    const { hold, reason, note } = lastHold(events) ?? { hold: "", reason: null, note: null };
    if (isPerson(hold) && reason !== "typing" && reason !== null) this.take(reason, note, at, hold);
    return hold === "nobody" ? note : null;
  }

  /** An agent was quiet. */
  idle(at: number): void {
    if (this.#hold.who.startsWith("agent:") && at - this.#at >= AGENT_IDLE_MS) this.#set(NOBODY);
  }

  /** Why this agent may not type now. */
  refuses(actor: Actor, what: AgentInput, at: number): Fault | undefined {
    const { who, reason, note } = this.#hold;
    if (who === "nobody" || who === actorName(actor)) return undefined;
    if (!isPerson(who)) {
      const leftMs = AGENT_IDLE_MS - (at - this.#at);
      const passes = what === "line" || what === "next" || (what === "entered" && this.#isLineOver) || leftMs < 0;
      return passes ? undefined : heldByAgent(who, leftMs);
    }
    return what === "line" && reason === "typing" ? undefined : heldFault(who, reason, note);
  }

  #set(hold: Hold): void {
    const before = this.#hold;
    if (before.who === hold.who && before.reason === hold.reason && before.note === hold.note) return;
    this.#hold = hold;
    this.#agent = undefined;
    this.#onChange(hold, before);
  }
}

/** No person needs to give it back. */
function heldByAgent(who: string, leftMs: number): Fault {
  const hint = `It lapses in ${Math.ceil(leftMs / 1000)} s if ${who} stays still. A whole line with Enter passes once the prompt is back.`;
  return fault("gate.held", `${who} is typing`, hint);
}

function heldFault(who: string, reason: HoldReason | null, note: string | null): Fault {
  const why = reason === "stop" ? "stopped you" : reason === "typing" ? "is typing" : "has taken the keyboard";
  const hint = advice("handed_back");
  return fault(
    "gate.held",
    `${isPerson(who) ? (personNameIn(who) ?? "a person") : who} ${why}${note ? `: ${note}` : ""}`,
    hint,
  );
}

interface LoggedHold {
  readonly hold: string;
  readonly reason: TakenFor | "typing" | null;
  readonly note: string | null;
}

/** The hold that the events end with. */
function lastHold(events: readonly unknown[]): LoggedHold | undefined {
  return events.findLast((event): event is LoggedHold => isHold(event));
}

function isHold(event: unknown): boolean {
  return typeof event === "object" && event !== null && "kind" in event && event.kind === "hold";
}
