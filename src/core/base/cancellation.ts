// Cancelling work whose caller is gone. Cancel is the caller's end and Cancelled the worker's. Owns: the callbacks; runs each once.
/** Tells a worker when its caller no longer wants the outcome. */
export interface Cancelled {
  onCancel(run: () => void): void;
}

export class Cancel implements Cancelled {
  #ended = false;
  #callbacks: (() => void)[] = [];

  get ended(): boolean {
    return this.#ended;
  }

  /** Runs at once if it is already cancelled. */
  onCancel(run: () => void): void {
    if (this.#ended) run();
    else this.#callbacks.push(run);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    const callbacks = this.#callbacks;
    this.#callbacks = [];
    for (const run of callbacks) run();
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
