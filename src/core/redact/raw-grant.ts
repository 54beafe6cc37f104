// A person's permission for agents to read a session's exact bytes, secrets included, for a while. Owns: until when.
// Every change and every read under it is logged. It ends with the daemon: who wants it longer gives it again.
import type { Clock } from "../base/clock.ts";

export class RawGrant {
  #clock: Clock;
  #log: (event: object) => void;
  #until = 0;

  constructor(clock: Clock, log: (event: object) => void) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Undefined: agents have no such permission. */
  get until(): number | undefined {
    return this.#until > this.#clock.now() ? this.#until : undefined;
  }

  give(actor: string, ms: number): void {
    this.#until = this.#clock.now() + ms;
    this.#log({ kind: "raw_grant", actor, until: this.#until });
  }

  takeBack(actor: string): void {
    if (this.until === undefined) return;
    this.#until = 0;
    this.#log({ kind: "raw_grant_off", actor });
  }

  /** An agent reads these bytes as they are. */
  used(actor: string, from: number, to: number): void {
    this.#log({ kind: "raw_read", actor, from, to });
  }
}
