// The screen as rows instead of the program's bytes: for viewers that draw it into a part of their own terminal, and as a
// picture for those that are behind its bytes. Owns: the rows each of them got last, so that nothing is sent twice. Nothing is
// queued: a viewer that is behind gets the newest state later. Refuses: to parse; the owner of the engine makes the picture.
import type { Paint as PaintFrame } from "../../protocol/stream.ts";
import type { Clock } from "../base/clock.ts";
import type { DeepReadonly } from "../base/deep-readonly.ts";
import type { Size } from "../pty/pty.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { EngineModes } from "../screen/engine.ts";
import type { Screen } from "../screen/screen.ts";
import { rowAnsi } from "./row-ansi.ts";
import { screenAnsi } from "./screen-ansi.ts";
import type { Viewer } from "./viewer.ts";

/** How soon we look again whether a frame is complete. */
const PAINT_MS = 16;
/** A frame (mode 2026) that takes longer than this is shown unfinished: a program may have died in it. */
const FRAME_MS_MAX = 150;
/** How often we check a viewer that fell behind: faster than an eye notices. */
const CATCH_UP_MS = 40;
/** A viewer is behind when its transport still holds this much: a full screen in colour. */
const DEBT_BYTES_MAX = 64 << 10;

/** All rows; a frame has those that differ. */
interface Picture extends DeepReadonly<Omit<PaintFrame, "type" | "rows">> {
  readonly rows: readonly string[];
  /** How much of the output it shows. */
  readonly fed: number;
}

export interface Pictures {
  /** Undefined while there is no screen, for example during a rebuild. */
  picture(eyes: Redactor | undefined): Picture | undefined;
  /** Whether the program draws a frame and asks us to wait. */
  held(): boolean;
  /** How long after a picture, which took so long, the next one comes. */
  pictureMs(tookMs: number): number;
  /** Whether the output is more than anybody reads. */
  readonly floods: boolean;
  /** A person begins or ends to watch. */
  came(): void;
}

export class Composed {
  #clock: Clock;
  #source: Pictures;
  #painted = new Map<Viewer, Picture | undefined>();
  #cancel: (() => void) | undefined;
  #paintedAt = Number.NEGATIVE_INFINITY;
  #tookMs = 0;
  #dueAt = 0;
  #heldSince: number | undefined;

  constructor(clock: Clock, source: Pictures) {
    this.#clock = clock;
    this.#source = source;
  }

  add(viewer: Viewer): void {
    this.#painted.set(viewer, undefined);
    this.#paint();
  }

  remove(viewer: Viewer): void {
    this.#painted.delete(viewer);
    if (this.#painted.size === 0) this.#stop();
  }

  clear(): void {
    this.#painted.clear();
    this.#stop();
  }

  /** Something may look different. */
  touched(): void {
    if (this.#painted.size === 0) return;
    // The frame is complete. We paint now, before the next one begins.
    if (this.#heldSince !== undefined && !this.#source.held()) return this.#paint();
    const dueAt = this.#paintedAt + this.#source.pictureMs(this.#tookMs);
    this.#paintIn(Math.max(0, dueAt - this.#clock.monotonic()));
  }

  /** A viewer may be ready again. */
  shown(): void {
    if (this.#painted.size === 0) return;
    this.#stop();
    this.touched();
  }

  /** Everyone gets all rows again. */
  forget(): void {
    for (const viewer of this.#painted.keys()) this.#painted.set(viewer, undefined);
    this.touched();
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #paintIn(ms: number): void {
    const dueAt = this.#clock.monotonic() + ms;
    // A key makes it sooner.
    if (this.#cancel && dueAt >= this.#dueAt) return;
    this.#stop();
    this.#dueAt = dueAt;
    this.#cancel = this.#clock.after(ms, () => {
      this.#cancel = undefined;
      this.#paint();
    });
  }

  #paint(): void {
    this.#stop();
    const ready = [...this.#painted.keys()].filter(isReady);
    if (ready.length === 0) return this.#checkLater();
    if (this.#isHeld()) return this.#paintIn(PAINT_MS);
    const began = this.#clock.monotonic();
    // One for all who see everything, and one for those who see no secrets.
    const pictures = new Map<Redactor | undefined, Picture | undefined>();
    for (const { eyes } of ready) if (!pictures.has(eyes)) pictures.set(eyes, this.#source.picture(eyes));
    for (const viewer of ready) {
      const picture = pictures.get(viewer.eyes);
      // Without a screen there is nothing to send. When it returns, everyone is painted.
      if (!picture) return;
      const message = paintOf(this.#painted.get(viewer), picture);
      this.#painted.set(viewer, picture);
      if (message && viewer.paint === "composed") viewer.link.text(message);
      else if (message) draw(viewer, picture);
    }
    [this.#paintedAt, this.#tookMs] = [began, this.#clock.monotonic() - began];
    if (ready.length < this.#painted.size) this.#checkLater();
  }

  #checkLater(): void {
    if ([...this.#painted.keys()].some((viewer) => viewer.visible && !isReady(viewer))) this.#paintIn(CATCH_UP_MS);
  }

  #isHeld(): boolean {
    if (!this.#source.held()) {
      this.#heldSince = undefined;
      return false;
    }
    const now = this.#clock.monotonic();
    this.#heldSince ??= now;
    if (now - this.#heldSince < FRAME_MS_MAX) return true;
    this.#heldSince = undefined;
    return false;
  }
}

/** The rows that differ from what was painted before; undefined when nothing does. */
function paintOf(before: Picture | undefined, now: Picture): DeepReadonly<PaintFrame> | undefined {
  const same = before?.cols === now.cols && before.rows_count === now.rows_count ? before : undefined;
  const rows = now.rows.flatMap((ansi, row) => (same?.rows[row] === ansi ? [] : [{ row, ansi }]));
  const { rows: all, fed, ...facts } = now;
  if (same && rows.length === 0 && factsOf(same) === factsOf(now)) return undefined;
  return { type: "paint", rows, ...facts };
}

/** All rows: what the viewer shows may be another part of the output. */
function draw(viewer: Viewer, picture: Picture): void {
  viewer.link.text({ type: "snapshot", cursor: picture.fed, part: "screen" });
  viewer.link.drawing(screenAnsi(picture));
  viewer.pictured(picture.fed);
}

/** The owner of the engine; a Playback has this shape. */
interface EngineOwner {
  readonly fed: number;
  readonly isReady: boolean;
  readonly screen: Pick<Screen, "state" | "styled" | "seenBy">;
  readonly size: Size;
  modes(): EngineModes;
}

/** Which session is drawn how often. */
type Pace = Pick<Pictures, "pictureMs" | "floods" | "came">;

export function picturesOf(playback: () => EngineOwner | undefined, pace: Pace): Pictures {
  return {
    pictureMs: (tookMs) => pace.pictureMs(tookMs),
    came: () => pace.came(),
    get floods() {
      return pace.floods;
    },
    held: () => playback()?.modes().synchronized === true,
    picture: (eyes) => {
      const now = playback();
      return now?.isReady ? pictureOf(now, eyes) : undefined;
    },
  };
}

function pictureOf(playback: EngineOwner, eyes: Redactor | undefined): Picture {
  const { size } = playback;
  const screen = eyes ? playback.screen.seenBy(eyes) : playback.screen;
  const { cursor, title } = screen.state();
  const { alt_screen, synchronized, ...rest } = playback.modes();
  const rows = screen.styled({ history: 0 }).map(rowAnsi);
  return { fed: playback.fed, rows, cursor, title, alt_screen, modes: rest, cols: size.cols, rows_count: size.rows };
}

function factsOf({ rows, fed, ...facts }: Picture): string {
  return JSON.stringify(facts);
}

function isReady(viewer: Viewer): boolean {
  return viewer.ready && viewer.link.buffered() <= DEBT_BYTES_MAX;
}
