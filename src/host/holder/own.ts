// A holder in the process of whoever uses it: its terminals end with that process. Owns: them. What survives a daemon lives in a
// process of its own (link.ts).
import type { Clock } from "../../core/base/clock.ts";
import { type Fault, isFault } from "../../core/base/fault.ts";
import { Held } from "../../core/journal/held.ts";
import type { Holder, Holding, HoldingEvents, Survivor } from "../../core/journal/holding.ts";
import type { Store } from "../../core/journal/store.ts";
import type { UnreadLimit } from "../../core/journal/unread.ts";
import type { PtyCommand, Spawn } from "../../core/pty/pty.ts";
import { VERSION } from "../../protocol/plain/version.ts";
import { refusesDescriptors } from "../process/descriptor-limit.ts";
import { refusesProcesses } from "../process/process-limit.ts";

interface OwnHolderParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly spawn: Spawn;
  readonly unread: UnreadLimit | undefined;
}

export class OwnHolder implements Holder {
  readonly pid = process.pid;
  readonly version = VERSION;
  #parts: OwnHolderParts;
  #held = new Map<string, Held>();

  constructor(parts: OwnHolderParts) {
    this.#parts = parts;
  }

  async open(session_id: string, command: PtyCommand, on: HoldingEvents): Promise<Holding | Fault> {
    const full = refusesDescriptors() ?? refusesProcesses();
    if (full) return full;
    const { store, clock, spawn, unread } = this.#parts;
    const files = store.files(session_id, "holder");
    const held = Held.open(command, { files, clock, spawn }, this.#heard(session_id, on));
    if (isFault(held)) {
      files.close();
      return held;
    }
    held.bound(unread);
    this.#held.set(session_id, held);
    return held;
  }

  /** None: whatever ran here before has ended with its process. */
  async survivors(): Promise<Survivor[]> {
    return [];
  }

  async shutdown(): Promise<void> {
    await Promise.all([...this.#held.values()].map((held) => held.close()));
  }

  #heard(session_id: string, on: HoldingEvents): HoldingEvents {
    return {
      grew: (cursor) => on.grew(cursor),
      resized: (record) => on.resized(record),
      gap: (record) => on.gap(record),
      refused: (bytes) => on.refused(bytes),
      lost: () => on.lost(),
      exited: (...end) => {
        this.#held.delete(session_id);
        on.exited(...end);
      },
    };
  }
}
