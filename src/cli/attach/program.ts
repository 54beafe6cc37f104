// The program of an attached session, which may start later than the view. Owns: input typed before it has started,
// and that it learns this terminal's size. Refuses: to decide when it is needed.
import type { Client } from "../../client/client.ts";
import type { SessionState } from "../../protocol/ops/session.ts";
import type { Area } from "./canvas.ts";
import type { AttachSocket } from "./socket.ts";

interface AttachedProgramParts {
  readonly socket: AttachSocket;
  readonly client: Client;
  readonly session_id: string;
  size(): Area;
  notice(text: string): void;
}

export class AttachedProgram {
  #parts: AttachedProgramParts;
  #state: SessionState = "running";
  #started: Promise<void> = Promise.resolve();
  #isSized = true;

  constructor(parts: AttachedProgramParts) {
    this.#parts = parts;
  }

  /** Starts a pending program. Sending a size starts it without taking the keyboard. */
  start(): void {
    if (this.#state !== "pending") return;
    const { client, session_id, size, notice } = this.#parts;
    const refused = (error: unknown) => notice(String(error));
    this.#started = client.pty_resize({ session_id, ...size() }).then(() => undefined, refused);
  }

  /** Input waits until the program has started. */
  type(bytes: Buffer): void {
    void this.#started.then(() => this.#parts.socket.type(bytes));
  }

  /** A size sent before the program started had no effect, so we send it again. */
  onState(state: SessionState): void {
    this.#state = state;
    if (state === "pending") this.#isSized = false;
    if (this.#isSized || state === "pending" || state === "provisioning") return;
    this.#isSized = true;
    this.#parts.socket.send({ type: "resize", ...this.#parts.size() });
  }
}
