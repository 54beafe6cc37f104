// The network that a person's yes opens for one run of a boxed session. Owns: which run has it, and the prompt at which that
// run was handed over. A later run may have begun when we learn of a prompt, so a prompt closes only what came before it.
import type { BoxNetwork } from "./box-network.ts";

/** For a line that does not say which hosts it will want. */
const EVERY_PUBLIC_HOST = ["*"];

export class NetworkGrant {
  #network: () => BoxNetwork | null;
  #given: { readonly run_id: string; readonly prompt: number } | undefined;

  constructor(network: () => BoxNetwork | null) {
    this.#network = network;
  }

  /** Null: the person agreed to any. */
  give(run_id: string, prompt: number, hosts: readonly string[] | null): void {
    this.#given = { run_id, prompt };
    this.#network()?.open(run_id, hosts ?? EVERY_PUBLIC_HOST);
  }

  /** Runs that were handed over at earlier prompts are over. */
  endBefore(prompt: number): void {
    if (!this.#given || this.#given.prompt >= prompt) return;
    this.#network()?.close(this.#given.run_id);
    this.#given = undefined;
  }
}
