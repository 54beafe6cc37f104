// The program of an attached session, which may begin later than the view of it. Owns: what is typed until it has begun,
// and that it learns this terminal's size. Refuses: to decide when it is needed.
import type { WebSocket } from "ws";
import type { Client } from "../../client/client.ts";
import type { SessionState } from "../../protocol/ops/session.ts";
import type { Area } from "./canvas.ts";

export interface AttachedProgramParts {
  readonly socket: WebSocket;
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

  /** One that nobody needed before. A size starts it without taking the keyboard. */
  start(): void {
    if (this.#state !== "pending") return;
    const { client, session_id, size, notice } = this.#parts;
    const refused = (error: unknown) => notice(String(error));
    this.#started = client.pty_resize({ session_id, ...size() }).then(() => undefined, refused);
  }

  /** What is typed while it begins waits for it. */
  type(bytes: Buffer): void {
    void this.#started.then(() => this.#parts.socket.send(bytes));
  }

  /** The size that was told before there was a program has sized none. */
  onState(state: SessionState): void {
    this.#state = state;
    if (state === "pending") this.#isSized = false;
    if (this.#isSized || state === "pending" || state === "provisioning") return;
    this.#isSized = true;
    this.#parts.socket.send(JSON.stringify({ type: "resize", ...this.#parts.size() }));
  }
}
