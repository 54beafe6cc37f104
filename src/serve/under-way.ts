// Calls and sockets that are open now, counted for each agent: waits, watches and runs. People are not counted, so that no
// agent keeps them waiting.
import type { Fault } from "../core/base/fault.ts";
import { type Actor, actorName } from "../core/gate/actor.ts";
import { type AgentLimits, refusesMore, waitShare } from "../core/gate/shares.ts";

export class UnderWay {
  #limits: AgentLimits;
  #counts = new Map<string, number>();
  #all = 0;

  constructor(limits: AgentLimits) {
    this.#limits = limits;
  }

  refuses(actor: Actor): Fault | undefined {
    const name = actorName(actor);
    const held = { own: this.#counts.get(name) ?? 0, agents: this.#all, all: this.#all };
    return actor.kind === "agent" ? refusesMore(waitShare(this.#limits), name, held) : undefined;
  }

  /** Returns what to call at its end. */
  begin(actor: Actor): () => void {
    if (actor.kind !== "agent") return () => undefined;
    const name = actorName(actor);
    this.#add(name, 1);
    return () => this.#add(name, -1);
  }

  #add(name: string, one: 1 | -1): void {
    const count = (this.#counts.get(name) ?? 0) + one;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
    this.#all += one;
  }
}
