// All viewers of one session. Owns: which are live, which catch up, and which are behind. Viewers that get rows or pictures
// instead of bytes are served by composed.ts. Whose size counts is in sizing.ts.

import { isOwner } from "../../protocol/plain/person-name.ts";
import type { Clock } from "../base/clock.ts";
import { Composed, type Pictures } from "./composed.ts";
import type { Frame, Here, Paint, Viewer } from "./viewer.ts";

/** A cursor not older than this resumes with exactly the missing bytes. */
export const RESUME_WINDOW_BYTES = 1 << 20;
/** How often we check a viewer that fell behind: faster than an eye notices. */
const CATCH_UP_MS = 40;
/** A viewer that was behind gets bytes again when the output has rested for so long. */
const CALM_MS = 200;

/** What viewers need from the session. It answers everything in the same turn, so no gap and no duplicate can exist. */
export interface Source {
  readonly fed: number;
  /** Bytes from `cursor` to `fed`, or undefined when a repaint must replace them. */
  since(cursor: number): Uint8Array | undefined;
  repaint(paint: Paint): Uint8Array;
}

export class Viewers {
  #clock: Clock;
  #source: Source;
  #all = new Set<Viewer>();
  /** The viewers that get bytes. */
  #live = new Map<Viewer, Paint>();
  /** Those that get pictures for now: the output is faster than they are. */
  #behind = new Map<Viewer, Paint>();
  #playedAt = 0;
  #pictures: Pictures;
  #composed: Composed;
  #checking = false;
  #seenAt = 0;
  #onSeen: () => void;

  constructor(clock: Clock, source: Source, pictures: Pictures, onSeen: () => void) {
    [this.#clock, this.#onSeen] = [clock, onSeen];
    [this.#source, this.#pictures] = [source, pictures];
    this.#composed = new Composed(clock, pictures);
  }

  /** In order of arrival. */
  get all(): Iterable<Viewer> {
    return this.#all;
  }

  get count(): number {
    return this.#all.size;
  }

  /** Whether the owner looks at it now. */
  get isWatched(): boolean {
    return [...this.#all].some(isWatched);
  }

  /** A person looked without staying. */
  saw(): void {
    this.#seenAt = this.#clock.now();
    this.#onSeen();
  }

  /** When the owner last looked: now, while they watch. */
  get seenAt(): number {
    if (this.isWatched) this.#seenAt = this.#clock.now();
    return this.#seenAt;
  }

  /** Whether anybody can see it there now. */
  shows(viewer: Viewer, visible: boolean): void {
    if (isWatched(viewer)) this.saw();
    viewer.visible = visible;
    if (isWatched(viewer)) this.saw();
  }

  /** The viewer shows everything before this cursor. */
  shown(viewer: Viewer, cursor: number): void {
    viewer.ack(cursor);
    if (this.#behind.has(viewer)) this.#composed.shown();
    this.catchUp();
  }

  /** The greeting was sent; from here on the viewer gets everything. */
  add(viewer: Viewer, cursor: number | undefined): void {
    this.#all.add(viewer);
    this.#came(viewer);
    this.#tellPresence(viewer);
    if (viewer.paint === "composed") return this.#composed.add(viewer);
    this.#live.set(viewer, viewer.paint);
    this.#bringUp(viewer, cursor, viewer.paint);
  }

  remove(viewer: Viewer): void {
    this.#came(viewer);
    this.#all.delete(viewer);
    this.#live.delete(viewer);
    this.#behind.delete(viewer);
    this.#composed.remove(viewer);
    this.#tellPresence(viewer);
  }

  clear(): void {
    this.#all.clear();
    this.#live.clear();
    this.#behind.clear();
    this.#composed.clear();
  }

  played(bytes: Uint8Array, cursor: number): void {
    this.#composed.touched();
    this.#playedAt = this.#clock.monotonic();
    if (this.#live.size === 0) return;
    let copy: Uint8Array | undefined;
    for (const viewer of this.#live.keys()) {
      if (viewer.sent !== cursor || !viewer.ready) continue;
      // One copy for all, because the feed reuses its buffer in the next slice.
      copy ??= new Uint8Array(bytes);
      viewer.link.bytes(copy);
      viewer.passed(cursor + bytes.length, this.#playedAt);
    }
    this.catchUp();
  }

  tell(frame: Frame): void {
    for (const viewer of this.#all) viewer.link.text(frame);
  }

  /** The screen changed. Its bytes were sent already. */
  looked(): void {
    this.#composed.touched();
  }

  /** Repaints everyone, for example after the engine was rebuilt. */
  repaintAll(): void {
    this.#composed.forget();
    for (const [viewer, paint] of this.#live) {
      if (viewer.ready) this.#repaint(viewer, paint);
      // A viewer with unsent data gets the repaint when it is ready.
      else viewer.sent = undefined;
    }
    this.#checkLater();
  }

  catchUp(): void {
    this.#composed.touched();
    const now = this.#clock.monotonic();
    for (const [viewer, paint] of this.#live) {
      if (
        viewer.isBehind(this.#source.fed, now) ||
        (viewer.floods === "pictures" && viewer.acks && this.#pictures.floods)
      )
        this.#fallBehind(viewer, paint);
      else if (viewer.sent !== this.#source.fed && viewer.ready) this.#bringUp(viewer, viewer.sent, paint);
    }
    if (now - this.#playedAt >= CALM_MS)
      for (const [viewer, paint] of this.#behind) if (viewer.ready) this.#return(viewer, paint);
    this.#checkLater();
  }

  #came(viewer: Viewer): void {
    if (!isWatched(viewer)) return;
    this.saw();
    this.#pictures.came();
  }

  /** Everybody hears who is here when a person comes or goes. */
  #tellPresence({ who }: Viewer): void {
    if (who) this.tell({ type: "presence", here: presenceOf([...this.#all].flatMap((one) => one.who ?? [])) });
  }

  #bringUp(viewer: Viewer, cursor: number | undefined, paint: Paint): void {
    const missing = cursor === undefined ? undefined : this.#source.since(cursor);
    if (!missing) return this.#repaint(viewer, paint);
    if (missing.length > 0) viewer.link.bytes(missing);
    viewer.passed(this.#source.fed, this.#clock.monotonic());
  }

  #repaint(viewer: Viewer, paint: Paint): void {
    viewer.link.text({ type: "snapshot", cursor: this.#source.fed });
    viewer.link.bytes(this.#source.repaint(paint));
    viewer.repainted(this.#source.fed);
  }

  #fallBehind(viewer: Viewer, paint: Paint): void {
    this.#live.delete(viewer);
    this.#behind.set(viewer, paint);
    viewer.fallBehind();
    this.#composed.add(viewer);
  }

  #return(viewer: Viewer, paint: Paint): void {
    this.#behind.delete(viewer);
    this.#composed.remove(viewer);
    this.#live.set(viewer, paint);
    this.#repaint(viewer, paint);
  }

  #checkLater(): void {
    const isDue = [...this.#live.keys()].some((v) => v.visible && v.sent !== this.#source.fed);
    if (this.#checking || !(isDue || [...this.#behind.keys()].some((v) => v.visible))) return;
    this.#checking = true;
    this.#clock.after(CATCH_UP_MS, () => {
      this.#checking = false;
      this.catchUp();
    });
  }
}

/** By the owner, who is elsewhere while its page is hidden. A guest does not see for them. */
function isWatched({ who, visible }: Viewer): boolean {
  return visible && isOwner(who?.actor ?? "");
}

/** Each person once, however many windows they have. */
function presenceOf(all: readonly Here[]): Here[] {
  return [...new Map(all.map((one) => [`${one.actor} ${one.may}`, one])).values()];
}
