// Sessions kept for commands that name none: one per folder and actor, more when they run at the same time. Owns: which
// sessions are its own and which of them are in use. They are ordinary sessions: visible, and a person may take them over.
import { type Fault, isFault } from "../base/fault.ts";
import { type Actor, actorName } from "../gate/actor.ts";
import type { Session } from "../session/session.ts";

/** Idle shells kept for the next command. The oldest is closed when there would be too many. */
const IDLE_MAX = 8;

export interface PoolParts {
  /** outside: without a box, whatever is usual. */
  open(cwd: string, actor: Actor, box: Boxed): Promise<Session | Fault>;
  find(session_id: string): Session | Fault;
}

type Boxed = "usual" | "outside";

interface Kept {
  readonly session_id: string;
  readonly key: string;
  readonly cwd: string;
  taken: boolean;
}

export class Pool {
  #parts: PoolParts;
  #kept: Kept[] = [];

  constructor(parts: PoolParts) {
    this.#parts = parts;
  }

  /** Runs `work` in a session that nobody else uses meanwhile. */
  async within<T>(
    owner: Actor,
    cwd: string,
    work: (session: Session) => Promise<T>,
    box: Boxed = "usual",
  ): Promise<T | Fault> {
    const key = `${actorName(owner)} ${box} ${cwd}`;
    const free = this.#free(key);
    const session = free ? this.#parts.find(free.session_id) : await this.#parts.open(cwd, owner, box);
    if (isFault(session)) return session;
    const kept = free ?? { session_id: session.id, key, cwd, taken: true };
    if (!free) this.#kept.push(kept);
    kept.taken = true;
    try {
      return await work(session);
    } finally {
      kept.taken = false;
      this.#thin();
    }
  }

  #free(key: string): Kept | undefined {
    return this.#kept.find((kept) => kept.key === key && !kept.taken && this.#isReady(kept));
  }

  /** Whether it is at its prompt, in its folder, and not held by a person. */
  #isReady({ session_id, cwd }: Kept): boolean {
    const session = this.#parts.find(session_id);
    if (isFault(session) || session.over) return false;
    const { blocks } = session.commands;
    return blocks.atPrompt && blocks.cwd === cwd && session.info().hold !== "person";
  }

  #thin(): void {
    this.#kept = this.#kept.filter(({ session_id }) => {
      const session = this.#parts.find(session_id);
      return !isFault(session) && !session.over;
    });
    const idle = this.#kept.filter((kept) => !kept.taken && this.#isReady(kept));
    for (const { session_id } of idle.slice(0, Math.max(0, idle.length - IDLE_MAX))) {
      const session = this.#parts.find(session_id);
      if (!isFault(session)) void session.close({ kind: "program" });
    }
  }
}
