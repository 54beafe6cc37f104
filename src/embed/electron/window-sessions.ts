// The sessions of one document in one window. Owns: which ones there are, the port that the document offered, and their end: when
// the document goes, everything that it started goes with it.
import type { Connection } from "../../client/connection.ts";
import type { Call } from "../../protocol/ops.ts";
import type { PortMessage } from "./contract.ts";
import { readTaken } from "./input.ts";
import type { MainPortLike, WebContentsLike, WindowEnd } from "./types.ts";
import { type Tell, WindowSession } from "./window-session.ts";

/** Far more than a person opens in one window. A page that opens them in a loop is stopped here. */
const SESSIONS_MAX = 100;
const ENDS: readonly WindowEnd[] = ["did-navigate", "render-process-gone", "destroyed"];

interface WindowParts {
  readonly contents: WebContentsLike;
  /** The document is gone, and its sessions are being ended. */
  onEnd(ended: Promise<void>): void;
}

export class WindowSessions {
  #parts: WindowParts;
  #sessions = new Map<string, WindowSession>();
  #opening = new Set<Promise<unknown>>();
  #port: MainPortLike | undefined;
  #isOver = false;
  #onGone = () => this.#parts.onEnd(this.end());

  constructor(parts: WindowParts) {
    this.#parts = parts;
    for (const end of ENDS) parts.contents.on(end, this.#onGone);
  }

  find(sessionId: string): WindowSession | undefined {
    return this.#sessions.get(sessionId);
  }

  /** From now on the document is told through this port. */
  offer(port: MainPortLike): void {
    this.#port?.close();
    this.#port = port;
    port.on("message", ({ data }) => this.taken(data));
    port.on("close", () => {
      if (this.#port === port) this.#port = undefined;
    });
    port.start();
  }

  taken(given: unknown): void {
    const taken = readTaken(given);
    if (taken) this.#sessions.get(taken.sessionId)?.taken(taken.bytes);
  }

  async open(connection: Connection, wish: Call<"pty_open">, policy?: Omit<Call<"policy">, "session_id">) {
    if (this.#sessions.size + this.#opening.size >= SESSIONS_MAX) {
      throw new Error(`a window has at most ${SESSIONS_MAX} sessions; dispose of some first`);
    }
    const opening = this.#open(connection, wish, policy);
    this.#opening.add(opening);
    return opening.finally(() => this.#opening.delete(opening));
  }

  /** Ends all sessions, also those that are being opened. */
  async end(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const end of ENDS) this.#parts.contents.removeListener(end, this.#onGone);
    this.#port?.close();
    this.#port = undefined;
    const sessions = [...this.#sessions.values()];
    for (const session of sessions) session.leave();
    await Promise.allSettled(this.#opening);
    const ends = await Promise.allSettled(sessions.map((session) => session.end()));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  async #open(connection: Connection, wish: Call<"pty_open">, policy: Omit<Call<"policy">, "session_id"> | undefined) {
    const info = await connection.pty_open(wish);
    const { session_id } = info;
    if (policy && !this.#isOver) await connection.policy({ session_id, ...policy });
    if (this.#isOver) {
      await connection.pty_close({ session_id });
      throw new Error("the page that asked is gone");
    }
    const session = new WindowSession(info, connection, this.#tell);
    this.#sessions.set(session_id, session);
    session.over.finally(() => this.#sessions.delete(session_id));
    return session;
  }

  #tell: Tell = (channel, event) => {
    const { contents } = this.#parts;
    if (this.#isOver || contents.isDestroyed()) return;
    if (this.#port) this.#port.postMessage({ channel, event } as PortMessage);
    else contents.send(channel, event);
  };
}
