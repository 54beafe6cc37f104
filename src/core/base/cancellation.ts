// The other side of Gone: whoever holds it can call something off. Owns: who wants to be told. Tells each of them once.
/** The caller may go away before the outcome. */
export interface Cancelled {
  onCancel(run: () => void): void;
}

export class Cancel implements Cancelled {
  #ended = false;
  #told: (() => void)[] = [];

  get ended(): boolean {
    return this.#ended;
  }

  /** Whoever comes late is told at once. */
  onCancel(run: () => void): void {
    if (this.#ended) run();
    else this.#told.push(run);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    const told = this.#told;
    this.#told = [];
    for (const run of told) run();
  }
}

/** A promise, and what resolves it. */
export function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((run) => {
    resolve = run;
  });
  return { promise, resolve };
}
