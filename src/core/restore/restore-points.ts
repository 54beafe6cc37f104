// Keeps the files of workspaces before agents change them, and brings them back for a person. Owns: the order of work in each
// workspace (one call at a time), and the time that an agent's input may wait for a point. Refuses: to know git and disks.
import { Cancel } from "../base/cancellation.ts";
import type { Clock } from "../base/clock.ts";
import { ConcurrencyLimit } from "../base/concurrency-limit.ts";
import { type Fault, fault, isFault } from "../base/fault.ts";
import type { Before, ListedPoint, Undo, UndoAsk } from "./asked.ts";
import { chosenPoint } from "./chosen-point.ts";
import { isDue, type Looks } from "./due.ts";
import { changesIn, planBack } from "./plan.ts";
import type { FileState, Shadow, StoredPoint, Wanted } from "./state.ts";
import { POINTS_MAX, type Room, spare, toTidy } from "./thin.ts";

/** Points say which files they lack. The whole list is with the state. */
const LEFT_OUT_SHOWN = 20;
/** As much of a line as a list of points shows. */
const TEXT_CHARS_MAX = 500;
/** A full store is searched for what nobody needs, which takes minutes of a processor, not more often than this. */
const MAKE_ROOM_GAP_MS = 600_000;

export interface RestoreSettings {
  readonly on: boolean;
  /** How long an agent's input waits for its point. */
  readonly budget_ms: number;
  /** How many points a workspace keeps. */
  readonly keep: number;
}

interface RestoreParts {
  readonly clock: Clock;
  settings(): RestoreSettings;
  newId(): string;
  /** The folder whose files are kept for a session that is here, or why none are. */
  workspaceOf(cwd: string): string | { readonly none: string };
  shadow(workspace: string): Shadow;
  told(before: Before, point: StoredPoint, workspace: string): void;
}

interface Kept {
  readonly shadow: Shadow;
  readonly turns: ConcurrencyLimit;
  looks: Looks;
  /** Gives up the packing of the store, because somebody waits. */
  tidying: Cancel | undefined;
  /** The last point that was found to hold something alone. */
  thinned: string | undefined;
  madeRoomAt: number;
}

interface Looked {
  /** It looked at files, which takes time. */
  readonly took: boolean;
  /** What is kept now, or why it is not. */
  readonly state: FileState | string;
}

export class RestorePoints {
  #parts: RestoreParts;
  #all = new Map<string, Kept>();

  constructor(parts: RestoreParts) {
    this.#parts = parts;
  }

  workspaceOf(cwd: string): string | { readonly none: string } {
    if (!this.#parts.settings().on) return { none: "restore points are switched off" };
    return this.#parts.workspaceOf(cwd);
  }

  /** Resolves when the files are kept, or when the time for it is over. True when it looked at files, which takes time. */
  async before(what: Before): Promise<boolean> {
    const workspace = this.workspaceOf(what.cwd);
    return typeof workspace === "string" && (await this.#look(this.#of(workspace), what)).took;
  }

  /** Keeps the files. Says what of the wanted no point has then, or why there is no point. Undefined: all of it is kept. */
  async lacks(what: Before, wanted: readonly Wanted[]): Promise<string | undefined> {
    const workspace = this.workspaceOf(what.cwd);
    if (typeof workspace !== "string") return workspace.none;
    const kept = this.#of(workspace);
    const { state } = await this.#look(kept, { ...what, input: "line" });
    if (typeof state === "string") return state;
    const lacks = await kept.turns.run(() => kept.shadow.lacks(state, wanted));
    return isFault(lacks) ? lacks.message : (lacks ?? undefined);
  }

  async #look(kept: Kept, what: Before): Promise<Looked> {
    const { clock, settings } = this.#parts;
    const due = isDue(what.input, kept.looks, clock.monotonic());
    if (due === "shared") return { took: false, state: "nobody looked" };
    if (due !== "now") return { took: false, state: await this.#skip(kept, what, due.skip) };
    const { budget_ms } = settings();
    kept.tidying?.end();
    const attempt = { late: false };
    const work = kept.turns.run(() => this.#keep(kept, what, attempt));
    return new Promise<Looked>((resolve, reject) => {
      const cancel = clock.after(budget_ms, () => {
        attempt.late = true;
        kept.looks = { ...kept.looks, late: kept.looks.late + 1, goesOn: true };
        const why = `it took longer than ${budget_ms} ms (restore.budget_ms); reading went on for the next point`;
        this.#skip(kept, what, why).then((state) => resolve({ took: true, state }), reject);
      });
      work
        .then((state) => !attempt.late && resolve({ took: true, state }), reject)
        .finally(() => {
          cancel();
          kept.looks = { ...kept.looks, goesOn: false };
        });
    });
  }

  /** Oldest first. */
  points(workspace: string): Promise<StoredPoint[]> {
    return this.#of(workspace).shadow.points();
  }

  /** Oldest first, with what came after each. */
  async listed(workspace: string): Promise<ListedPoint[]> {
    const { shadow } = this.#of(workspace);
    const points = await shadow.points();
    const held = points.filter(({ state }) => state);
    const steps = await shadow.steps(held);
    const changed = new Map(isFault(steps) ? [] : steps.map((step, i) => [held[i], changesIn(step)]));
    return points.map((point) => ({ point, changed: changed.get(point) ?? null }));
  }

  /** What going back would change and, if it is to be applied, what it changed. */
  undo(ask: UndoAsk): Promise<Undo | Fault> {
    const kept = this.#of(ask.workspace);
    kept.tidying?.end();
    return kept.turns.run(() => this.#undo(kept, ask));
  }

  #of(workspace: string): Kept {
    const known = this.#all.get(workspace);
    if (known) return known;
    const kept: Kept = {
      shadow: this.#parts.shadow(workspace),
      turns: new ConcurrencyLimit(1),
      looks: { endedAt: Number.NEGATIVE_INFINITY, late: 0, goesOn: false },
      tidying: undefined,
      thinned: undefined,
      madeRoomAt: Number.NEGATIVE_INFINITY,
    };
    this.#all.set(workspace, kept);
    return kept;
  }

  async #keep(kept: Kept, what: Before, attempt: { readonly late: boolean }): Promise<FileState | string> {
    // Its time was over before its turn came.
    if (attempt.late) return "too late";
    const { shadow } = kept;
    const state = await shadow.look();
    const { late } = attempt;
    kept.looks = { ...kept.looks, endedAt: this.#parts.clock.monotonic(), late: late ? kept.looks.late : 0 };
    // Files that were read after the agent went on are no state that ever was.
    if (late) return "too late";
    const points = await shadow.points();
    if (isFault(state)) {
      if (state.code === "restore.full") this.#makeRoom(kept, points);
      return this.#skip(kept, what, state.message);
    }
    if (points.findLast((point) => point.state)?.state?.key === state.key) return state;
    if (points.length >= POINTS_MAX) {
      this.#makeRoom(kept, points);
      return this.#skip(kept, what, `there are ${POINTS_MAX} points of this folder, each with a file that only it has`);
    }
    const point = await this.#add(shadow, what, state, points);
    if (isFault(point)) return this.#skip(kept, what, point.message);
    this.#parts.told(what, point, shadow.workspace);
    this.#tidyLater(kept, [...points, point], "enough");
    return state;
  }

  #add(
    shadow: Shadow,
    { actor, session_id, text }: Omit<Before, "cwd" | "input">,
    state: FileState,
    points: readonly StoredPoint[],
  ): Promise<StoredPoint | Fault> {
    const { left_out } = state.more;
    const facts = {
      ...this.#facts({ actor, session_id, text }, points),
      skipped: null,
      left_out: left_out.slice(0, LEFT_OUT_SHOWN),
      left_out_total: left_out.length,
    };
    return shadow.add(facts, state);
  }

  /** Time goes on between two points, whatever the clock says. */
  #facts({ actor, session_id, text }: Omit<Before, "cwd" | "input">, points: readonly StoredPoint[]) {
    const ts = Math.max(this.#parts.clock.now(), (points.at(-1)?.ts ?? 0) + 1);
    return { point_id: this.#parts.newId(), ts, actor, session_id, text: text.slice(0, TEXT_CHARS_MAX) };
  }

  /** Says that nothing was kept. The same reason again replaces the last entry, so that it fills no list. */
  async #skip({ shadow }: Kept, what: Before, skipped: string): Promise<string> {
    const points = await shadow.points();
    const last = points.at(-1);
    const own = this.#facts(what, points);
    const point_id = last?.skipped === skipped ? last.point_id : own.point_id;
    const point = { ...own, point_id, skipped, left_out: [], left_out_total: 0 };
    // A disk that takes no files takes no note, either. The event says it.
    await shadow.add(point, null);
    this.#parts.told(what, { ...point, state: null }, shadow.workspace);
    return skipped;
  }

  /** Without room no new point is made. What has had its time goes, and what no point holds. */
  #makeRoom(kept: Kept, points: readonly StoredPoint[]): void {
    const now = this.#parts.clock.monotonic();
    if (now - kept.madeRoomAt < MAKE_ROOM_GAP_MS) return;
    kept.madeRoomAt = now;
    this.#tidyLater(kept, points, "none");
  }

  /** Nobody waits for it. */
  #tidyLater(kept: Kept, points: readonly StoredPoint[], room: Room): void {
    const { settings, clock } = this.#parts;
    const tidying = toTidy(points, { keep: settings().keep, now: clock.now(), room, thinned: kept.thinned });
    if (!tidying) return;
    const cancel = new Cancel();
    kept.tidying = cancel;
    void kept.turns.run(async () => {
      const forget = [...tidying.forget, ...(await this.#thinOut(kept, tidying.chain))];
      return kept.shadow.tidy(forget, forget.length > 0 || room === "none" ? "prune" : "pack", cancel);
    });
  }

  /** Points of a chain that hold nothing alone. */
  async #thinOut(kept: Kept, chain: readonly StoredPoint[]): Promise<string[]> {
    const steps = await kept.shadow.steps(chain);
    if (isFault(steps)) return [];
    const ids = chain.map(({ point_id }) => point_id);
    const goes = new Set(spare(steps).map((i) => ids[i] ?? ""));
    // The last one is decided when its next neighbour is there for good.
    kept.thinned = ids.slice(0, -1).findLast((id) => !goes.has(id)) ?? kept.thinned;
    return [...goes];
  }

  async #undo({ shadow }: Kept, ask: UndoAsk): Promise<Undo | Fault> {
    const since = this.#parts.clock.now();
    const state = await shadow.look();
    if (isFault(state)) return state;
    const points = await shadow.points();
    const point = chosenPoint(points, ask.to, state);
    if (isFault(point)) return point;
    if (ask.seen !== undefined && ask.seen !== `${point.point_id}.${state.key}`)
      return fault("restore.changed", "the files have changed since you looked", "Look at the difference again.");
    const compared = await shadow.compare(state, point);
    if (isFault(compared)) return compared;
    const plan = planBack(compared, ask.paths, ask.in_way);
    const diff = await shadow.diff(compared, [...plan.writes.map(({ path }) => path), ...plan.deletes]);
    if (isFault(diff)) return diff;
    const shown = { point, compared, plan, diff };
    if (!ask.apply) return { ...shown, left_alone: plan.left_alone, moved: [], saved_as: null };
    const { actor, session_id } = ask;
    const saved = await this.#add(shadow, { actor, session_id, text: `undo to ${point.point_id}` }, state, points);
    if (isFault(saved)) return saved;
    const done = await shadow.bringBack(plan, since);
    if (isFault(done)) return done;
    const left_alone = [...plan.left_alone, ...done.left_alone];
    return { ...shown, left_alone, moved: done.moved, saved_as: saved.point_id };
  }
}
