// Where a connection to the broker stands, and who is told. Owns: status, reason and listeners.
import type { BusStatus } from "../../core/fleet/bus.ts";

export class Standing {
  #status: BusStatus = "away";
  #reason: string | undefined;
  #listeners = new Set<(status: BusStatus) => void>();

  get status(): BusStatus {
    return this.#status;
  }

  get reason(): string | undefined {
    return this.#reason;
  }

  /** A new reason alone is no change of the status. Nothing follows on "closed". */
  become(status: BusStatus, reason?: string): void {
    if (this.#status === "closed") return;
    this.#reason = reason;
    if (this.#status === status) return;
    this.#status = status;
    for (const run of [...this.#listeners]) run(status);
  }

  onStatus(run: (status: BusStatus) => void): () => void {
    // Its own function each time: the same `run` may be given twice.
    const listener = (status: BusStatus) => run(status);
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
