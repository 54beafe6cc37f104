// The shells inside of a session's program that were integrated, those that are gone too. Owns: the list, which the session's
// meta keeps, so that a later daemon reads their marks.
import type { Meta, NestedShell } from "../../journal/store.ts";

export class NestedShells {
  #own: readonly string[];
  #known: readonly NestedShell[];
  #note: (change: Pick<Meta, "nested">) => void;

  constructor({ integration, nested = [] }: Meta, note: (change: Pick<Meta, "nested">) => void) {
    [this.#own, this.#known, this.#note] = [integration ? [integration.nonce] : [], nested, note];
  }

  get count(): number {
    return this.#known.length;
  }

  /** Who has one could forge marks: of the session's own shell, and of those inside. */
  get nonces(): readonly string[] {
    return [...this.#own, ...this.#known.map(({ nonce }) => nonce)];
  }

  nonceOf(id: string | undefined): string | undefined {
    return id === undefined ? this.#own[0] : this.#known.find((one) => one.id === id)?.nonce;
  }

  add(nested: NestedShell): void {
    this.#known = [...this.#known, nested];
    this.#note({ nested: this.#known });
  }
}
