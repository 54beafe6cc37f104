// The terminals that the programs of one test process share. Owns: when they begin, with the first program, and end, with the
// last, so that the process of a test runner ends by itself.
import type { Terminals } from "../terminals.ts";

class SharedTerminals {
  #opening: Promise<Terminals> | undefined;
  #users = 0;

  async take(): Promise<Terminals> {
    this.#users += 1;
    // Loaded now: whoever only imports the kit pays nothing.
    this.#opening ??= import("../terminals.ts").then(({ openTerminals }) => openTerminals());
    try {
      return await this.#opening;
    } catch (error) {
      await this.leave();
      throw error;
    }
  }

  /** Once for each `take`. */
  async leave(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    const opening = this.#opening;
    this.#opening = undefined;
    const terminals = await opening?.catch(() => undefined);
    await terminals?.close();
  }
}

/** One per process, because processes, not tests, have to end. */
export const sharedTerminals = new SharedTerminals();
