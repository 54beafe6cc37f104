// What a follower of transitions knows, so that each change is told once: also when another daemon tells it again, and when
// changes came while there was none. Owns: the last state of each thing.
import type { Block } from "../../protocol/ops/blocks.ts";
import type { SessionInfo } from "../../protocol/ops/session.ts";
import type { Transition } from "../../protocol/words/transition.ts";

/** What a follower missed must be asked for: how sessions ended, which commands ran. */
export interface Missed {
  session(session_id: string): Promise<SessionInfo | undefined>;
  blocks(session_id: string): Promise<readonly Block[]>;
}

export class Known {
  #all = new Map<string, Transition>();

  /** The change as this follower sees it. Undefined: it knows. */
  heard(transition: Transition): Transition | undefined {
    const key = keyOf(transition);
    const was = this.#all.get(key);
    // An earlier command of the session.
    if (was && numberOf(was.id) > numberOf(transition.id)) return undefined;
    const from = was?.id === transition.id ? was.to : null;
    if (transition.to === null) this.#all.delete(key);
    else this.#all.set(key, transition);
    if (from === transition.to) return undefined;
    return { ...transition, from: from ?? transition.from };
  }

  /** What is so now, told by a daemon that does not know what this follower knows. */
  async caughtUp(now: readonly Transition[], missed: Missed): Promise<Transition[]> {
    const stands = new Set(now.map(keyOf));
    const gone = [...this.#all.values()].filter((one) => !stands.has(keyOf(one)));
    const ends = await Promise.all(gone.map((one) => this.#ended({ ...one, ts: now[0]?.ts ?? one.ts }, missed)));
    const ran = await Promise.all(now.map((one) => (one.kind === "block" ? this.#ran(one, missed) : [one])));
    return [...ends.flat(), ...ran.flat()].flatMap((one) => this.heard(one) ?? []);
  }

  async #ended(was: Transition, missed: Missed): Promise<Transition[]> {
    const { why: _, ...rest } = was;
    if (was.kind === "approval") return was.to === "pending" ? [{ ...rest, to: "cancelled" }] : [];
    if (was.kind !== "session") return was.kind === "block" ? [] : [{ ...rest, to: null }];
    const info = await missed.session(was.id);
    if (!info) return [{ ...rest, to: null }];
    const { state: to, exit_code, signal, ended_at } = info;
    const end = { ...rest, ts: ended_at ?? was.ts, to, exit_code, ...(signal ? { why: signal } : {}) };
    return [...(await this.#blocksOf(was, missed)), end];
  }

  /** The commands of a session since the one that we know, which may have ended meanwhile. */
  async #ran(last: Transition, missed: Missed): Promise<Transition[]> {
    const was = this.#all.get(keyOf(last));
    return was?.id === last.id && was.to === last.to ? [last] : this.#blocksOf(last, missed);
  }

  async #blocksOf(of: Transition, missed: Missed): Promise<Transition[]> {
    const { session_id, name } = of;
    if (session_id === null) return [];
    const known = numberOf(this.#all.get(`block ${session_id}`)?.id ?? "_0");
    const all = await missed.blocks(session_id);
    return all
      .filter(({ block_id }) => numberOf(block_id) >= known)
      .map(({ block_id, actor, cmd, state, exit_code, ts_begin, ts_end }) => ({
        ...{ ts: ts_end ?? ts_begin, kind: "block", session_id, name, id: block_id, from: null, to: state, who: actor },
        ...{ why: cmd ?? "", ...(ts_end === null ? {} : { exit_code }) },
      }));
  }
}

/** A session has one last command. */
function keyOf({ kind, id, session_id }: Transition): string {
  return kind === "block" ? `block ${session_id}` : `${kind} ${id}`;
}

function numberOf(block_id: string): number {
  return Number(block_id.split("_").at(-1));
}
