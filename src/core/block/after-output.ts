// Tells viewers that something was printed though nothing runs: by a background job, for example. Owns: how much of it they
// were told of.
import type { Clock } from "../base/clock.ts";
import type { Between } from "./between.ts";
import type { Block } from "./block.ts";

/** A job that prints all the time is looked at in short rests. */
const LOOK_MS = 200;

interface AfterOutputParts {
  readonly clock: Clock;
  atPrompt(): boolean;
  last(): Block | undefined;
  after(block: Block): Between;
  tell(block: Block): void;
}

export class AfterOutput {
  #parts: AfterOutputParts;
  #told: { readonly block_id: string; readonly bytes: number } | undefined;
  #cancel: (() => void) | undefined;

  constructor(parts: AfterOutputParts) {
    this.#parts = parts;
  }

  /** The screen has more output. */
  turned(): void {
    if (this.#cancel || !this.#parts.atPrompt()) return;
    this.#cancel = this.#parts.clock.after(LOOK_MS, () => {
      this.#cancel = undefined;
      this.#look();
    });
  }

  stop(): void {
    this.#cancel?.();
  }

  #look(): void {
    const block = this.#parts.last();
    if (!block) return;
    const bytes = this.#parts.after(block).bytes.length;
    const known = this.#told?.block_id === block.block_id ? this.#told.bytes : 0;
    if (bytes <= known) return;
    this.#told = { block_id: block.block_id, bytes };
    this.#parts.tell(block);
  }
}
