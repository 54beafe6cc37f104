// Asks about the foreground program while attached, at a limited pace and only after something happened. Owns: the pace.

const PROBE_MS = 1_000;

export class SessionProbes {
  #probe: () => Promise<void>;
  #at = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(probe: () => Promise<void>) {
    this.#probe = probe;
  }

  soon(): void {
    if (this.#timer || this.#isOver) return;
    const wait = Math.max(0, this.#at + PROBE_MS - performance.now());
    this.#timer = setTimeout(() => void this.#now(), wait);
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  async #now(): Promise<void> {
    this.#at = performance.now();
    await this.#probe();
    this.#timer = undefined;
  }
}
