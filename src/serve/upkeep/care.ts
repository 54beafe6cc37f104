// Lets ended sessions leave the disk, as a person configured it, and compresses what the others printed long ago. Owns: when
// that happens. What a person opened is announced first and stays for a while; what agents opened leaves at once. Refuses: to
// let go what runs or is watched.
import type { Clock } from "../../core/base/clock.ts";
import { leaving, type Retention } from "../../core/journal/retention.ts";
import type { Store } from "../../core/journal/store.ts";
import { Timeline } from "../../core/journal/timeline.ts";
import type { Session } from "../../core/session/session.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import { nodeClock } from "../../host/clock.ts";
import { isOwner } from "../../protocol/plain/person-name.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";

/** How often we look. Ages are counted in days. */
const LOOK_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Less is not worth looking at while it runs. */
const RUNNING_BYTES_MIN = 2 << 20;

interface CareParts {
  readonly sessions: Sessions;
  readonly store: Pick<Store, "diskUse" | "pack">;
  readonly clock: Clock;
  /** How long ago a session ended, or something was printed in one that runs, when it is compressed. Null: never. */
  readonly packAfterDays: number | null;
  /** A session could not be compressed, for no reason that we know. It is as it was. */
  failed(session_id: string, error: unknown): void;
  readonly keep: Retention & {
    /** How long a person's session stays after it was announced. */
    readonly warn_days: number;
  };
}

interface Leaver {
  readonly session: Session;
  readonly bytes: number;
  readonly why: string;
}

export class Care {
  #parts: CareParts;
  #cancel: (() => void) | undefined;

  /** As it is configured. */
  static of(sessions: Sessions, store: Store, { journal }: Config, log: Log): Care {
    const failed = (session_id: string, error: unknown) =>
      log.say("error", "a session's output was not compressed", { session_id, error: String(error) });
    const { keep, pack_after_days: packAfterDays } = journal;
    return new Care({ sessions, store, clock: nodeClock, keep, packAfterDays, failed });
  }

  constructor(parts: CareParts) {
    this.#parts = parts;
  }

  /** Looks now and from time to time. */
  async begin(): Promise<void> {
    this.#cancel = this.#parts.clock.after(LOOK_MS, () => void this.begin());
    await this.look();
  }

  stop(): void {
    this.#cancel?.();
  }

  get keep(): Retention {
    return this.#parts.keep;
  }

  diskUse(session: Session): number {
    return this.#parts.store.diskUse(session.id);
  }

  /** What leaves by these rules, the oldest first. */
  leavers(keep: Retention): Leaver[] {
    const { sessions, clock } = this.#parts;
    const all = new Map(sessions.list().map((session) => [session.id, session]));
    const kept = [...all.values()].map((session) => ({
      session_id: session.id,
      ended_at: endOf(session),
      bytes: this.diskUse(session),
    }));
    return leaving(kept, keep, clock.now()).flatMap(({ session_id, bytes, why }) => {
      const session = all.get(session_id);
      return session && session.display.viewers.count === 0 ? [{ session, bytes, why }] : [];
    });
  }

  async look(): Promise<void> {
    await this.#leave();
    await this.#pack();
  }

  /** One after the other: nobody waits for it. */
  async #pack(): Promise<void> {
    const { sessions, clock, packAfterDays, failed } = this.#parts;
    if (packAfterDays === null) return;
    const before = clock.now() - packAfterDays * DAY_MS;
    for (const session of sessions.list())
      await this.#packOne(session, before).catch((error: unknown) => failed(session.id, error));
  }

  async #packOne(session: Session, before: number): Promise<void> {
    const { store } = this.#parts;
    const endedAt = endOf(session);
    if (endedAt !== null) return void (endedAt <= before && (await store.pack(session.id)));
    const { meta, display } = session;
    const { files, clock } = display.past;
    // To know when something was printed, all its times are read.
    if (meta.created_at > before || files.outputSize() < RUNNING_BYTES_MIN) return;
    const timeline = new Timeline(meta.created_at);
    await timeline.update(files, clock);
    await store.pack(session.id, timeline.cursorAt(before, files.outputSize()));
  }

  async #leave(): Promise<void> {
    const { sessions, clock, keep } = this.#parts;
    const { warn_days, ...rules } = keep;
    if (Object.values(rules).every((rule) => rule === null)) return;
    const leavers = new Set(this.leavers(keep).map(({ session }) => session));
    for (const session of sessions.list()) {
      const { actor, leaves_at = null } = session.meta;
      if (!leavers.has(session)) sessions.announce(session, null);
      else if (!isOwner(actor) || (leaves_at !== null && leaves_at <= clock.now())) await sessions.remove(session);
      else if (leaves_at === null) sessions.announce(session, clock.now() + warn_days * DAY_MS);
    }
  }
}

/** Null while it runs. */
function endOf(session: Session): number | null {
  return session.over ? (session.info().ended_at ?? session.meta.created_at) : null;
}
