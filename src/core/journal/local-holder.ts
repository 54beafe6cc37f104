// A holder in this process: for embedding, where the host application is the one process there is.
// The same Held as in the holder process, without a socket in between.
import type { Clock } from "../base/clock.ts";
import { type Fault, isFault } from "../base/fault.ts";
import type { PtyCommand, Spawn } from "../pty/pty.ts";
import { Held } from "./held.ts";
import type { Holder, Holding, HoldingEvents, Survivor } from "./holding.ts";
import type { Store } from "./store.ts";

export interface LocalHolderParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly spawn: Spawn;
  readonly pid: number;
  readonly version: string;
}

export class LocalHolder implements Holder {
  #parts: LocalHolderParts;
  #held = new Map<string, Held>();

  constructor(parts: LocalHolderParts) {
    this.#parts = parts;
  }

  get pid(): number {
    return this.#parts.pid;
  }
  get version(): string {
    return this.#parts.version;
  }

  async open(session_id: string, command: PtyCommand, on: HoldingEvents): Promise<Holding | Fault> {
    const { store, clock, spawn } = this.#parts;
    const held = Held.open(
      command,
      { files: store.files(session_id, "holder"), clock, spawn },
      this.#watch(session_id, on),
    );
    if (!isFault(held)) this.#held.set(session_id, held);
    return held;
  }

  async survivors(): Promise<Survivor[]> {
    return [...this.#held].map(([session_id, held]) => ({
      session_id,
      cursor: held.cursor,
      answered: held.answered,
      attach: (on) => {
        held.listen(this.#watch(session_id, on));
        held.resume();
        return held;
      },
    }));
  }

  async shutdown(): Promise<void> {
    await Promise.all([...this.#held.values()].map((held) => held.close()));
  }

  #watch(session_id: string, on: HoldingEvents): HoldingEvents {
    return {
      ...on,
      exited: (status, cursor, ts) => {
        this.#held.delete(session_id);
        on.exited(status, cursor, ts);
      },
    };
  }
}
