// The only door to the PTY's input. Owns: the order of what is typed and who had the keyboard last.
// Refuses: to know transports. Every byte is attributed before it is written; contents are never logged.
import type { Clock } from "../base/clock.ts";
import type { Holding } from "../journal/holding.ts";
import type { SessionFiles } from "../journal/store.ts";
import { type Actor, actorName } from "./actor.ts";

export interface GateParts {
  readonly files: SessionFiles;
  readonly clock: Clock;
  held(hold: string): void;
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
    this.#log({ kind: "input", actor: who, bytes: bytes.length });
    if (this.#hold !== who) {
      this.#hold = who;
      this.#parts.held(who);
    }
    this.#holding.write(bytes);
    return "written";
  }

  /** The engine's own answers to the program's questions: a lane of their own, no hold, no verdict. */
  reply(bytes: Uint8Array, answers: number): void {
    this.#holding?.write(bytes, answers);
  }

  #log(event: object): void {
    this.#parts.files.appendLine("events", { ts: this.#parts.clock.now(), ...event });
  }
}
