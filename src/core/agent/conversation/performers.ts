// Who carries out the turns of a conversation. Owns: one performer at a time, until another agent or model is asked. What a
// performer says after it was replaced is not heard.
import { type Fault, fault, isFault } from "../../base/fault.ts";
import type { Talk } from "../events.ts";
import type { Entry } from "../history.ts";
import type { Performer, Stagehand } from "../performer.ts";

export interface CastingParts {
  cast(agent: string, hand: Stagehand, options: { model: string | undefined }): Promise<Performer | Fault>;
  tell(talk: Talk): void;
  remember(entry: Entry): void;
  thread(): string | null;
  noteThread(thread: string | null): void;
}

interface Kept {
  readonly role: string;
  readonly performer: Performer;
}

export class Casting {
  #parts: CastingParts;
  #kept: Kept | undefined;
  #hand: Stagehand | undefined;
  #holder: "person" | "nobody" | undefined;
  #disposed = false;

  constructor(parts: CastingParts) {
    this.#parts = parts;
  }

  get empty(): boolean {
    return this.#kept === undefined;
  }

  async of(agent: string, model: string | null): Promise<Performer | Fault> {
    const role = JSON.stringify([agent, model]);
    if (this.#kept?.role === role) return this.#kept.performer;
    const hand: Stagehand = {
      tell: (talk) => this.#hand === hand && this.#parts.tell(talk),
      remember: (entry) => this.#hand === hand && this.#parts.remember(entry),
      thread: () => this.#parts.thread(),
      noteThread: (thread) => this.#hand === hand && this.#parts.noteThread(thread),
    };
    const performer = await this.#parts.cast(agent, hand, { model: model ?? undefined });
    if (isFault(performer)) return performer;
    if (this.#disposed) {
      await performer.dispose();
      return fault("agent.unavailable", "the conversation was closed", "Ask again.");
    }
    await this.drop();
    this.#kept = { role, performer };
    this.#hand = hand;
    if (this.#holder) performer.held(this.#holder);
    return performer;
  }

  held(by: "person" | "nobody"): void {
    this.#holder = by;
    this.#kept?.performer.held(by);
  }

  /** The next turn gets a new performer; one that is at work comes to its end. */
  recast(): void {
    if (this.#kept) this.#kept = { ...this.#kept, role: "" };
  }

  /** Lets go of the performer: the next turn gets a new one. */
  async drop(): Promise<void> {
    const kept = this.#kept;
    this.#kept = undefined;
    this.#hand = undefined;
    await kept?.performer.dispose();
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.drop();
  }
}
