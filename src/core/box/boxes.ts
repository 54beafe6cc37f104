// Port: boxes around the programs of sessions. Adapter: src/host/sandbox. A session without a box never asks it.
import type { Fault } from "../base/fault.ts";
import type { PtyCommand } from "../pty/pty.ts";
import type { BoxNetwork } from "./box-network.ts";
import type { BoxSummary } from "./plan.ts";

export interface SessionBoxes {
  /** The command to start instead, so that the program runs in its box; or why there is none. */
  wrap(command: PtyCommand, session_id: string, box: BoxSummary): PtyCommand | Fault;
  /** It runs, as this process: what protects its files is kept up until it ends. `say` hears what cannot be kept up. */
  started(session_id: string, box: BoxSummary, pid: number, say: (text: string) => void): void;
  /** It has ended: what was kept ready for its box goes. */
  ended(session_id: string): void;
  /** The box's way to the network. Listens when it returns; `failed` hears why it does not. */
  proxy(session_id: string, network: BoxNetwork, failed: (why: string) => void): { close(): void };
  /** The program behind the box's own processes. Null while it starts. */
  programIn(pid: number): number | null;
}
