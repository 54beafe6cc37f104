// Cancelling work whose caller is gone. Cancel is the caller's end and Cancelled the worker's. Owns: the callbacks; runs each once.
/** Tells a worker when its caller no longer wants the outcome. */
export interface Cancelled {
  onCancel(run: () => void): void;
}

export class Cancel implements Cancelled {
  #ended = false;
  #told: (() => void)[] = [];

  get ended(): boolean {
    return this.#ended;
  }

  /** Runs at once if it is already cancelled. */
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
