// The only door to the PTY's input. Owns: the order of what is typed and who had the keyboard last.
// Refuses: to know transports. Every byte is attributed before it is written; contents are never logged.
import type { Clock } from "../base/clock.ts";
import type { Asked, Holding } from "../journal/holding.ts";
import type { SessionFiles } from "../journal/store.ts";
import { type Actor, actorName } from "./actor.ts";
import type { Origins, RunOrigin } from "./origins.ts";

export interface GateParts {
  readonly files: SessionFiles;
  readonly clock: Clock;
  readonly origins: Origins;
  /** How much of the output is on the screen: what is typed now answers that. */
  cursor(): number;
  held(hold: string): void;
  /** Something was typed. */
  typed(): void;
}

export class Gate {
  #parts: GateParts;
  #holding: Holding | undefined;
  #hold = "nobody";

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  /** Who typed last: person, agent:NAME or nobody. */
  get hold(): string {
    return this.#hold;
  }

  open(holding: Holding): void {
    this.#holding = holding;
  }

  /** While shut, nothing reaches a PTY: before the start, after the end, and when the holder is gone. */
  shut(): void {
    this.#holding = undefined;
  }

  submit(actor: Actor, bytes: Uint8Array): "written" | "shut" {
    if (!this.#holding) return "shut";
    const who = actorName(actor);
    const cursor = this.#parts.cursor();
    this.#log({ kind: "input", actor: who, bytes: bytes.length, cursor });
    this.#parts.origins.typed(who, cursor);
    if (this.#hold !== who) {
      this.#hold = who;
      this.#parts.held(who);
    }
    this.#holding.write(bytes);
    this.#parts.typed();
    return "written";
  }

  /** A line that lies ready for the shell: the key that makes it take it. */
  handOver(actor: Actor, run: RunOrigin, key: Uint8Array): "written" | "shut" {
    if (!this.#holding) return "shut";
    this.#log({ kind: "run", ...run });
    return this.submit(actor, key);
  }

  /** The engine's own answers to the program's questions: a lane of their own, no hold, no verdict. */
  reply(bytes: Uint8Array, to: Asked): void {
    this.#holding?.answer(bytes, to);
  }

  #log(event: object): void {
    this.#parts.files.appendLine("events", { ts: this.#parts.clock.now(), ...event });
  }
}
