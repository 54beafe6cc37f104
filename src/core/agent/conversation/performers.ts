// Keeps the performer that carries out the turns of a conversation. Owns: one performer at a time, until another agent
// or model is asked. Events of a replaced performer are ignored.
import { type Fault, fault, isFault } from "../../base/fault.ts";
import type { AgentEvent } from "../events.ts";
import type { Entry } from "../history.ts";
import type { ConversationLink, Performer } from "../performer.ts";

export interface PerformersParts {
  performerFor(
    agent: string,
    link: ConversationLink,
    options: { model: string | undefined },
  ): Promise<Performer | Fault>;
  tell(event: AgentEvent): void;
  remember(entry: Entry): void;
  thread(): string | null;
  noteThread(thread: string | null): void;
}

interface Kept {
  readonly role: string;
  readonly performer: Performer;
}

export class Performers {
  #parts: PerformersParts;
  #kept: Kept | undefined;
  #link: ConversationLink | undefined;
  #holder: "person" | "nobody" | undefined;
  #disposed = false;

  constructor(parts: PerformersParts) {
    this.#parts = parts;
  }

  get empty(): boolean {
    return this.#kept === undefined;
  }

  async of(agent: string, model: string | null): Promise<Performer | Fault> {
    const role = JSON.stringify([agent, model]);
    if (this.#kept?.role === role) return this.#kept.performer;
    const link: ConversationLink = {
      tell: (event) => this.#link === link && this.#parts.tell(event),
      remember: (entry) => this.#link === link && this.#parts.remember(entry),
      thread: () => this.#parts.thread(),
      noteThread: (thread) => this.#link === link && this.#parts.noteThread(thread),
    };
    const performer = await this.#parts.performerFor(agent, link, { model: model ?? undefined });
    if (isFault(performer)) return performer;
    if (this.#disposed) {
      await performer.dispose();
      return fault("agent.unavailable", "the conversation was closed", "Ask again.");
    }
    await this.drop();
    this.#kept = { role, performer };
    this.#link = link;
    if (this.#holder) performer.held(this.#holder);
    return performer;
  }

  held(by: "person" | "nobody"): void {
    this.#holder = by;
    this.#kept?.performer.held(by);
  }

  /** The next turn gets a new performer. One that is at work finishes first. */
  recast(): void {
    if (this.#kept) this.#kept = { ...this.#kept, role: "" };
  }

  /** Ends the performer. The next turn gets a new one. */
  async drop(): Promise<void> {
    const kept = this.#kept;
    this.#kept = undefined;
    this.#link = undefined;
    await kept?.performer.dispose();
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.drop();
  }
}
