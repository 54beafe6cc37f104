// Messages on their way to one browser, one after another. Owns: their order, how many wait and how often each is tried.
import type { Clock } from "../../core/base/clock.ts";
import type { Delivered } from "../../host/push/delivery.ts";

/** A phone that was off for long is told the newest. */
const WAITING_MAX = 16;
/** Pauses before each further try. */
const AGAIN_MS: readonly number[] = [1_000, 15_000, 60_000];

interface OutboxParts {
  readonly clock: Clock;
  deliver(text: string): Promise<Delivered>;
  /** Nobody listens there any more. */
  gone(): void;
}

export class Outbox {
  #parts: OutboxParts;
  #waiting: string[] = [];
  #isBusy = false;
  #isOver = false;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  add(text: string): void {
    this.#waiting.push(text);
    if (this.#waiting.length > WAITING_MAX) this.#waiting.shift();
    if (!this.#isBusy) void this.#send();
  }

  end(): void {
    this.#isOver = true;
    this.#waiting = [];
  }

  async #send(): Promise<void> {
    this.#isBusy = true;
    for (let text = this.#waiting.shift(); text !== undefined; text = this.#waiting.shift()) await this.#one(text);
    this.#isBusy = false;
  }

  async #one(text: string): Promise<void> {
    for (const pause of [0, ...AGAIN_MS]) {
      if (pause > 0) await new Promise<void>((resolve) => void this.#parts.clock.after(pause, resolve));
      if (this.#isOver) return;
      const outcome = await this.#parts.deliver(text);
      if (outcome === "gone") return this.#parts.gone();
      if (outcome !== "later") return;
    }
  }
}
