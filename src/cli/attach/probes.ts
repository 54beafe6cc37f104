// Asks about the foreground program while attached, at a limited pace and only after something happened. Owns: the pace.

const LOOK_MS = 1_000;

export class SessionProbes {
  #look: () => Promise<void>;
  #at = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(look: () => Promise<void>) {
    this.#look = look;
  }

  soon(): void {
    if (this.#timer || this.#isOver) return;
    const wait = Math.max(0, this.#at + LOOK_MS - performance.now());
    this.#timer = setTimeout(() => void this.#now(), wait);
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  async #now(): Promise<void> {
    this.#at = performance.now();
    await this.#look();
    this.#timer = undefined;
  }
}
