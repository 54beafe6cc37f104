// A counter of changes that others wait on. It says that something changed, never what; the listener then asks.
import type { Cancelled } from "./cancellation.ts";
import type { Clock } from "./clock.ts";

export class Changes {
  #clock: Clock;
  #seq = 1;
  #waiting = new Set<() => void>();
  #wider: Changes | undefined;

  /** `wider`: what changes here, changes there, too. */
  constructor(clock: Clock, wider?: Changes) {
    [this.#clock, this.#wider] = [clock, wider];
  }

  get seq(): number {
    return this.#seq;
  }

  bump(): void {
    this.#seq += 1;
    for (const wake of [...this.#waiting]) wake();
    this.#wider?.bump();
  }

  /** Resolves when there is something after `since`, at the deadline, or when the caller is gone. */
  next(since: number, timeout_ms: number, cancelled?: Cancelled): Promise<void> {
    // A number from before a restart is higher than ours. That counts as a change too.
    if (since !== this.#seq) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        cancel();
        resolve();
      };
      const cancel = this.#clock.after(timeout_ms, wake);
      this.#waiting.add(wake);
      cancelled?.onCancel(wake);
    });
  }
}
