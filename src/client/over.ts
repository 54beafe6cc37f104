// The end of a connection, which each of its calls and streams listens to. The platform's own signal warns of more than ten
// listeners. No imports.

/** What an AbortSignal is to those who listen. */
export interface End {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", run: () => void, options: { readonly signal: AbortSignal }): void;
}

export class Over implements End {
  #runs = new Set<() => void>();
  #end: { readonly reason: unknown } | undefined;

  get aborted(): boolean {
    return this.#end !== undefined;
  }
  get reason(): unknown {
    return this.#end?.reason;
  }

  abort(reason: unknown): void {
    this.#end ??= { reason };
    for (const run of [...this.#runs]) run();
    this.#runs.clear();
  }

  addEventListener(_: "abort", run: () => void, { signal }: { readonly signal: AbortSignal }): void {
    this.#runs.add(run);
    signal.addEventListener("abort", () => this.#runs.delete(run), { once: true });
  }
}
