// All sessions of one daemon, running and ended. Owns: their names, and how many ended ones keep an engine in memory.
import { advice } from "../base/advice.ts";
import { type Fault, fault, isFault } from "../base/fault.ts";
import type { BoxSummary } from "../box/plan.ts";
import { type Actor, actorName } from "../gate/actor.ts";
import { type AgentLimits, DEFAULT_LIMITS, heldBy, refusesMore, sessionShare } from "../gate/shares.ts";
import type { Holder, Survivor } from "../journal/holding.ts";
import type { Meta } from "../journal/store.ts";
import type { PtyCommand } from "../pty/pty.ts";
import { takenBy } from "../recipe/conversations.ts";
import type { Recipe } from "../recipe/recipe.ts";
import type { SessionParts } from "./assembly.ts";
import { Floods } from "./flow/floods.ts";
import { Session } from "./session.ts";

/** Engines of ended sessions kept for the next reader. They take 1–4 MB each, so we keep few. */
const WARM_ENDED_MAX = 4;
/** Engines of running sessions. When there are more, those that were used longest ago need not be quiet so long. */
const AWAKE_MAX = 100;
const CROWDED_QUIET_MS = 2_000;
/** While it catches up in the background, the daemon rests three times as long as it works: calls come first. */
const REST_RATIO = 3;

export interface OpenSpec extends Pick<Meta, "name" | "env_names" | "sizing" | "integration" | "recipe"> {
  /** Its worktree, and its task. */
  readonly about?: Pick<Meta, "worktree" | "provision" | "task">;
  readonly id: string;
  readonly command: PtyCommand;
  readonly box: BoxSummary | null;
  /** The agent CLI that it is opened for. */
  readonly agent?: Pick<Meta, "agent" | "agent_args" | "agent_session_id">;
  /** What was asked for, where the command has words of our own. */
  readonly asked?: readonly string[];
  readonly actor: Actor;
  readonly start: "now" | "at first use";
}

interface SessionsParts extends Omit<SessionParts, "command" | "floods"> {
  readonly limits?: AgentLimits;
  /** How to start a pending session whose environment was lost with an earlier daemon. */
  commandOf(meta: Meta): PtyCommand;
}

export class Sessions {
  #parts: SessionsParts;
  #floods: Floods;
  /** Those that were read. */
  #all = new Map<string, Session>();
  /** On disk and not read yet, with what the holder says of those that run. The newest of these is last. */
  #unread = new Map<string, Survivor | undefined>();
  #damaged = new Map<string, string>();
  #woken: Promise<void> | undefined;

  constructor(parts: SessionsParts) {
    [this.#parts, this.#floods] = [parts, new Floods(parts.clock)];
  }

  /** Finds what is on disk, and returns what runs in the holder. Each becomes a session at its first use, or in `wake`. */
  async load(holder: Holder): Promise<ReadonlySet<string>> {
    // We ask the holder first. A program that ends later still tells us, and one that ended before has recorded it.
    const survivors = await holder.survivors();
    for (const id of this.#parts.store.ids()) this.#unread.set(id, undefined);
    for (const survivor of survivors) {
      const id = survivor.session_id;
      if (this.#unread.delete(id)) this.#unread.set(id, survivor);
    }
    return new Set(survivors.map(({ session_id }) => session_id));
  }

  /** Reads what nobody has used yet and catches up with running programs, in the background. One that is used is awake sooner. */
  wake(): Promise<void> {
    this.#woken ??= this.#wakeAll();
    return this.#woken;
  }

  async #wakeAll(): Promise<void> {
    // The newest is the one that somebody most likely works in.
    for (const id of [...this.#unread.keys()].reverse()) await this.#inBackground(() => this.#read(id));
    for (const session of this.live.reverse())
      await this.#inBackground(() => this.#alone(session.id, () => this.#wake(session)));
  }

  async #wake(session: Session): Promise<void> {
    const isUsed = session.display.life.uses > 0;
    // Whoever uses it may still be reading it. All are caught up when we are done.
    await session.awake();
    if (isUsed) return;
    await session.commands.meet();
    // Nobody but us wanted it. Anybody else may still work with its engine.
    if (session.display.life.uses === 1) session.rest(0);
  }

  /** One at a time, with a rest after it. */
  async #inBackground(work: () => Promise<void> | void): Promise<void> {
    const { clock } = this.#parts;
    const began = clock.monotonic();
    await work();
    const took = clock.monotonic() - began;
    await new Promise<void>((resolve) => clock.after(took * REST_RATIO, resolve));
  }

  /** Makes the session that is on disk under this name, if nobody has. Its program is ours when it runs. */
  #read(id: string): void {
    const survivor = this.#unread.get(id);
    if (!this.#unread.delete(id)) return;
    try {
      const meta = this.#parts.store.meta(id);
      if (meta?.session_id !== id) throw new Error("its meta.json is damaged");
      const session = this.#make(meta, () => this.#parts.commandOf(meta));
      if (survivor) session.revive(survivor);
      this.#all.set(id, session);
    } catch (error) {
      this.#broken(id, error);
    }
  }

  #readAll(): void {
    for (const id of [...this.#unread.keys()]) this.#read(id);
  }

  /** Frees the engines of running sessions that were quiet so long. One that was not read has none. */
  rest(quietMs: number): void {
    const awake = [...this.#all.values()].filter(({ display }) => display.playback);
    const crowded = Math.min(quietMs, CROWDED_QUIET_MS);
    for (const [i, session] of awake.entries()) session.rest(i < awake.length - AWAKE_MAX ? crowded : quietMs);
  }

  /** As `find`, with its screen and commands caught up with its program. */
  async awake(ref: string): Promise<Session | Fault> {
    const session = this.find(ref);
    if (!isFault(session)) await session.awake();
    return session;
  }

  /** Sessions whose files cannot be read, and why. Nothing of them is deleted. */
  get damaged(): ReadonlyMap<string, string> {
    this.#readAll();
    return this.#damaged;
  }

  list(): Session[] {
    this.#readAll();
    const rank = (session: Session) => (session.over ? 1 : 0);
    return [...this.#all.values()].sort((a, b) => rank(a) - rank(b) || a.meta.created_at - b.meta.created_at);
  }

  get live(): Session[] {
    return this.list().filter((session) => !session.over);
  }

  async open(spec: OpenSpec): Promise<Session | Fault> {
    const refused = this.#refuse(spec);
    if (refused) return refused;
    const { file, args, cwd, cols, rows } = spec.command;
    const { name, env_names, sizing, integration, box } = spec;
    const meta: Meta = {
      session_id: spec.id,
      ...{ name, env_names, cwd, cols, rows, sizing, integration, box },
      command: spec.asked ?? [file, ...args],
      actor: actorName(spec.actor),
      created_at: this.#parts.clock.now(),
      ...spec.agent,
      ...spec.about,
      ...(spec.recipe ? { recipe: spec.recipe } : {}),
    };
    this.#parts.store.writeMeta(meta);
    const session = this.#make(meta, () => spec.command);
    this.#all.set(spec.id, session);
    let begun: Fault | undefined | "no" = "no";
    try {
      begun = spec.start === "now" ? await session.start() : undefined;
    } finally {
      if (begun !== undefined) this.#forget(session);
      this.#parts.onNews(spec.id, { kind: "changed" });
    }
    return begun ?? session;
  }

  /** It could not start, so it never was. */
  #forget(session: Session): void {
    this.#all.delete(session.id);
    session.dispose();
    this.#parts.store.remove(session.id);
  }

  /** By id, by the name of a running session, by the name of an ended one, or by a unique prefix of the id. */
  find(ref: string): Session | Fault {
    this.#read(ref);
    const exact = this.#all.get(ref) ?? this.list().find((session) => session.meta.name === ref);
    if (exact) return this.#used(exact);
    const matches = this.list().filter(({ id }) => id.startsWith(ref) || id.startsWith(`s_${ref}`));
    if (matches.length > 1) {
      const ids = matches.slice(0, 5).map((session) => session.id);
      return fault(
        "session.ambiguous",
        `"${ref}" matches ${matches.length} sessions: ${ids.join(", ")}`,
        "Write more of the id.",
      );
    }
    if (matches[0]) return this.#used(matches[0]);
    const why = this.#damaged.get(ref);
    if (why) return fault("session.not_found", `session ${ref} cannot be read: ${why}`, advice("sessions"));
    return fault("session.not_found", `no session is called "${ref}"`, advice("sessions"));
  }

  /** One that was read, by its id. Nobody uses it by this. */
  known(session_id: string): Session | undefined {
    return this.#all.get(session_id);
  }

  has(session_id: string): boolean {
    return this.#all.has(session_id) || this.#unread.has(session_id);
  }

  rename(session: Session, name: string | null): Fault | undefined {
    const taken = this.live.some((other) => other !== session && name !== null && other.meta.name === name);
    if (taken) return fault("input.invalid", `a running session is already called "${name}"`, advice("another_name"));
    this.note(session, { name });
    return undefined;
  }

  /** How the agent in a session calls its own conversation. */
  agentSession(session: Session, agent_session_id: string): Fault | undefined {
    const taken = takenBy(session, agent_session_id, this.list());
    if (!taken && session.meta.agent_session_id !== agent_session_id) this.note(session, { agent_session_id });
    return taken;
  }

  /** Says when an ended session leaves the disk. Null: it stays. */
  announce(session: Session, leaves_at: number | null): void {
    if ((session.meta.leaves_at ?? null) !== leaves_at) this.note(session, { leaves_at });
  }

  /** Something changed that matters when it is started again. */
  noteRecipe(session: Session, change: Partial<Recipe>): void {
    const { recipe } = session.meta;
    if (recipe) this.note(session, { recipe: { ...recipe, ...change } });
  }

  /** Something that its files keep has changed. */
  note(session: Session, change: Partial<Meta>): void {
    session.note(change);
  }

  /** Deletes an ended session with all that it printed. */
  async remove(session: Session): Promise<void> {
    this.#all.delete(session.id);
    session.dispose();
    await session.display.past.files.settled();
    this.#parts.store.remove(session.id);
    this.#parts.onNews(session.id, { kind: "changed" });
  }

  /** Resolves when all pending writes are on the disk. */
  async dispose(): Promise<void> {
    const all = [...this.#all.values()];
    for (const session of all) session.dispose();
    await Promise.all(all.map(({ display }) => display.past.files.settled()));
  }

  #make(meta: Meta, command: () => PtyCommand): Session {
    return new Session(meta, { ...this.#parts, floods: this.#floods, command });
  }

  /** What is wrong with one session costs that one only. */
  async #alone(id: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#broken(id, error);
    }
  }

  #broken(id: string, error: unknown): void {
    this.#all.delete(id);
    this.#damaged.set(id, error instanceof Error ? error.message : String(error));
  }

  #used(session: Session): Session {
    // The most recently used one is last. The oldest warm ones free their engines.
    this.#all.delete(session.id);
    this.#all.set(session.id, session);
    const warm = [...this.#all.values()].filter((other) => other.over && other.display.playback && other !== session);
    for (const other of warm.slice(0, Math.max(0, warm.length - WARM_ENDED_MAX))) other.cool();
    return session;
  }

  #refuse(spec: OpenSpec): Fault | undefined {
    const live = this.live;
    const actor = actorName(spec.actor);
    const owners = live.map((session) => session.meta.actor);
    const { limits = DEFAULT_LIMITS } = this.#parts;
    const full = refusesMore(sessionShare(limits), actor, heldBy(actor, owners, limits));
    if (full) return full;
    if (spec.name !== null && live.some((session) => session.meta.name === spec.name)) {
      return fault("input.invalid", `a running session is already called "${spec.name}"`, advice("another_name"));
    }
    return undefined;
  }
}
