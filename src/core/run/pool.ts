// Sessions kept for commands that name none: one per folder and actor, more when they run at the same time. Owns: which
// sessions are its own, which of them are in use, and which was used last. They are ordinary sessions: visible, and a
// person may take them over. Each belongs to its folder: one that its own command left elsewhere is brought back.

import { isPerson } from "../../protocol/plain/person-name.ts";
import { type Fault, isFault } from "../base/fault.ts";
import { leavesBox } from "../box/inside.ts";
import type { BoxSummary } from "../box/plan.ts";
import { type Actor, actorName } from "../gate/actor.ts";
import type { Session } from "../session/session.ts";

/** Idle shells kept for the next command. The one that was used least recently is closed when there would be too many. */
const IDLE_MAX = 8;

export interface PoolParts {
  open(cwd: string, actor: Actor, box: Boxed): Promise<Session | Fault>;
  find(session_id: string): Session | Fault;
  /** Whether something that its commands started still runs in the background. */
  hasJobs(session: Session): boolean;
}

/** Takes a shell back to its folder. False when it did not go. */
type BringBack = (session: Session, cwd: string, owner: Actor) => Promise<boolean>;

/** outside: without a box, whatever is usual. A box: as usual, and within this one, in which the caller runs. */
type Boxed = BoxSummary | "usual" | "outside";

/** A session to work in. `instead`: why it is not the one that was used here before. */
export interface Pooled {
  readonly session: Session;
  readonly instead?: string;
}

interface Kept {
  readonly session_id: string;
  readonly key: string;
  readonly cwd: string;
  /** Where a command without a session left it. */
  leftIn: string | null;
  taken: boolean;
}

export class Pool {
  #parts: PoolParts;
  #bringBack: BringBack;
  /** Those used last come last. */
  #kept: Kept[] = [];
  #last = new Map<string, string>();

  constructor(parts: PoolParts, bringBack: BringBack) {
    this.#parts = parts;
    this.#bringBack = bringBack;
  }

  /** Runs `work` in a session that nobody else uses meanwhile. */
  async within<T>(
    owner: Actor,
    cwd: string,
    work: (pooled: Pooled) => Promise<T>,
    box: Boxed = "usual",
  ): Promise<T | Fault> {
    const [how, within] = typeof box === "string" ? [box] : (["usual", box] as const);
    const key = `${actorName(owner)} ${how} ${cwd}`;
    const kept = (await this.#free(key, owner, within)) ?? (await this.#open(key, cwd, owner, box));
    if (isFault(kept)) return kept;
    const { session, ...mine } = kept;
    const before = this.#last.get(key);
    const instead = before === undefined || before === session.id ? undefined : this.#why(before, cwd);
    this.#last.set(key, session.id);
    try {
      return await work({ session, ...(instead === undefined ? {} : { instead }) });
    } finally {
      this.#release(mine.entry);
    }
  }

  async #open(key: string, cwd: string, owner: Actor, box: Boxed) {
    const session = await this.#parts.open(cwd, owner, box);
    if (isFault(session)) return session;
    const entry: Kept = { session_id: session.id, key, cwd, leftIn: null, taken: true };
    this.#kept.push(entry);
    return { session, entry };
  }

  /** The one used last, if it can be. One that stands where our own command left it is brought back. */
  async #free(key: string, owner: Actor, within: BoxSummary | undefined) {
    for (const entry of this.#kept.toReversed()) {
      const session = entry.key === key && !entry.taken ? this.#idle(entry) : undefined;
      if (!session || leavesBox(session.meta.box, within)) continue;
      const { cwd } = session.commands.blocks;
      if (cwd !== entry.cwd && cwd !== entry.leftIn) continue;
      entry.taken = true;
      if (cwd === entry.cwd || (await this.#bringBack(session, entry.cwd, owner))) return { session, entry };
      entry.taken = false;
    }
    return undefined;
  }

  #release(entry: Kept): void {
    const session = this.#parts.find(entry.session_id);
    entry.leftIn = isFault(session) ? null : session.commands.blocks.cwd;
    entry.taken = false;
    this.#kept = [...this.#kept.filter((one) => one !== entry), entry];
    this.#thin();
  }

  /** A session at its prompt that no person holds. */
  #idle({ session_id }: Kept): Session | undefined {
    const session = this.#parts.find(session_id);
    if (isFault(session) || session.over || !session.commands.blocks.atPrompt) return undefined;
    return isPerson(session.info().hold) ? undefined : session;
  }

  /** Closes what is too many, wherever it stands. What runs in the background there is somebody's server, so it stays. */
  #thin(): void {
    this.#kept = this.#kept.filter(({ session_id }) => {
      const session = this.#parts.find(session_id);
      return !isFault(session) && !session.over;
    });
    const idle = this.#kept.flatMap((kept) => (kept.taken ? [] : (this.#idle(kept) ?? [])));
    for (const session of idle.slice(0, Math.max(0, idle.length - IDLE_MAX)))
      if (!this.#parts.hasJobs(session)) void session.close({ kind: "program" });
  }

  #why(session_id: string, cwd: string): string {
    const session = this.#parts.find(session_id);
    if (isFault(session) || session.over) return `${session_id} has ended`;
    if (isPerson(session.info().hold)) return `a person has the keyboard of ${session_id}`;
    const { blocks } = session.commands;
    if (!blocks.running && blocks.cwd !== cwd) return `${session_id} is in another folder`;
    const alone = session.meta.box ? ". A server in it is reached only from it: start it there with &" : "";
    return `${session_id} is busy${alone}`;
  }
}
