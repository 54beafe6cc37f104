// What agents call: the calls and sockets that are open now, counted for each, and what each did last. People are not counted,
// so that no agent keeps them waiting.
import { type Fault, isFault } from "../core/base/fault.ts";
import { clipped } from "../core/base/head-tail.ts";
import { type Actor, actorName } from "../core/gate/actor.ts";
import { type AgentLimits, ownerOf, refusesMore, waitShare } from "../core/gate/shares.ts";
import type { Output } from "../protocol/ops.ts";

/** An agent that called nothing for this long has gone, as far as anybody can tell. */
const PRESENT_MS = 600_000;
/** More agents than one person has. The ones that were silent longest are forgotten first. */
const AGENTS_MAX = 64;
/** One line of a list. */
const TEXT_CHARS_MAX = 200;

type Present = Output<"agents">["present"][number];

type Done = Omit<Present, "actor" | "busy">;

interface Doing {
  readonly op: string;
  /** The call's input, as it came. */
  readonly input: unknown;
}

export class UnderWay {
  #limits: AgentLimits;
  /** By name. */
  #counts = new Map<string, number>();
  /** By whose share it is. */
  #shares = new Map<string, number>();
  #all = 0;
  /** The one that called last is last. */
  #last = new Map<string, Done>();
  #onNews: () => void;

  /** `onNews`: an agent calls that was not here, or was refused what it wanted. */
  constructor(limits: AgentLimits, onNews: () => void) {
    this.#limits = limits;
    this.#onNews = onNews;
  }

  refuses(actor: Actor): Fault | undefined {
    const name = actorName(actor);
    const owner = ownerOf(name, this.#limits);
    const held = { owner, own: this.#shares.get(owner) ?? 0, agents: this.#all, all: this.#all };
    return actor.kind === "agent" ? refusesMore(waitShare(this.#limits), name, held) : undefined;
  }

  /** Returns what to call at its end, with the answer. */
  begin(actor: Actor, doing?: Doing): (answer?: object) => void {
    if (actor.kind !== "agent") return () => undefined;
    const name = actorName(actor);
    const owner = ownerOf(name, this.#limits);
    this.#add(name, owner, 1);
    const noted = doing && this.#note(name, doing);
    return (answer) => {
      this.#add(name, owner, -1);
      // It may have called something else since.
      if (!noted || !answer || !isRefusal(answer) || this.#last.get(name) !== noted) return;
      this.#last.set(name, { ...noted, refused: true });
      this.#onNews();
    };
  }

  /** The agents that are here, the one that called last first. */
  present(now: number): Present[] {
    return [...this.#last]
      .map(([actor, last]) => ({ actor, ...last, busy: (this.#counts.get(actor) ?? 0) > 0 }))
      .filter(({ ts, busy }) => busy || now - ts < PRESENT_MS)
      .reverse();
  }

  #note(name: string, { op, input }: Doing): Done {
    const ts = Date.now();
    const isNew = ts - (this.#last.get(name)?.ts ?? 0) >= PRESENT_MS;
    const noted = { op, ts, text: textIn(input), session_id: fieldOf(input, "session_id"), refused: false };
    this.#last.delete(name);
    this.#last.set(name, noted);
    for (const oldest of this.#last.keys()) if (this.#last.size > AGENTS_MAX) this.#last.delete(oldest);
    if (isNew) this.#onNews();
    return noted;
  }

  #add(name: string, owner: string, one: 1 | -1): void {
    count(this.#counts, name, one);
    count(this.#shares, owner, one);
    this.#all += one;
  }
}

function count(counts: Map<string, number>, key: string, one: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + one;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
}

/** A fault, or a run that did not begin. */
function isRefusal(answer: object): boolean {
  const status = fieldOf(answer, "status");
  return isFault(answer) || status === "denied" || status === "approval_pending";
}

/** The words of a call that say most. */
function textIn(input: unknown): string | null {
  const text = fieldOf(input, "command") ?? fieldOf(input, "text");
  return text === null ? null : clipped(text, TEXT_CHARS_MAX);
}

function fieldOf(input: unknown, name: string): string | null {
  if (typeof input !== "object" || input === null) return null;
  const value: unknown = Object.entries(input).find(([key]) => key === name)?.[1];
  return typeof value === "string" ? value : null;
}
