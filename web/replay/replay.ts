// The past of the shown session, played in its own time. Owns: the position, the speed, and what is shown. Refuses: to
// draw and to know keys. The target that shows it comes and goes; without one nothing is read.
import { type Accessor, batch, createMemo, createSignal } from "solid-js";
import { createStore } from "solid-js/store";
import { isFault } from "../wire/api.ts";
import type { Size } from "../wire/write-queue.ts";
import { type Axis, axisOf, type Pauses } from "./axis.ts";
import { RecordedBytes, type Recording, readRecording } from "./recording.ts";

const SPEEDS = [0.25, 0.5, 1, 1.5, 2, 4, 8, 16] as readonly number[];
/** A tab that was hidden continues where it was. */
const TICK_MS_MAX = 100;
/** With more bytes than this between two frames we show the end's picture, which is faster and looks the same. */
const LEAP_BYTES = 512 << 10;

export interface ReplayTarget {
  /** Resolves after drawing. */
  paint(bytes: Uint8Array, size: Size, cursor: number): Promise<void>;
  bytes(bytes: Uint8Array): Promise<void>;
}

interface ReplayFacts {
  readonly playing: boolean;
  readonly speed: number;
  readonly pauses: Pauses;
  /** The wanted moment in milliseconds since the epoch. Undefined means the end. */
  readonly at: number | undefined;
  /** Bytes shown, or undefined while nothing is. */
  readonly cursor: number | undefined;
  readonly busy: boolean;
  readonly failure: string | undefined;
}

export class Replay {
  readonly facts: ReplayFacts;
  readonly recording: Accessor<Recording | undefined>;
  readonly axis: Accessor<Axis | undefined>;
  #session: string;
  #set: (facts: Partial<ReplayFacts>) => void;
  #setRecording: (recording: Recording) => void;
  #source: RecordedBytes;
  #target: ReplayTarget | undefined;
  #wanted: number | undefined;
  #showing: Promise<void> | undefined;

  constructor(session: string) {
    const first: ReplayFacts = {
      playing: false,
      speed: 1,
      pauses: "short",
      at: undefined,
      cursor: undefined,
      busy: false,
      failure: undefined,
    };
    const [facts, set] = createStore(first);
    const [recording, setRecording] = createSignal<Recording>();
    [this.facts, this.#set, this.recording, this.#setRecording] = [facts, set, recording, setRecording];
    this.axis = createMemo(() => {
      const known = recording();
      return known && axisOf(known.timeline, facts.pauses);
    });
    this.#session = session;
    this.#source = new RecordedBytes(session);
  }

  /** Loads the timeline, again when more was printed since. */
  async load(): Promise<void> {
    const answer = await readRecording(this.#session);
    if (isFault(answer)) this.#set({ failure: answer.message, playing: false });
    else
      batch(() => {
        this.#setRecording(answer);
        this.#set({ failure: undefined });
      });
  }

  /** Shows the replay in this target until the caller removes it. */
  async show(target: ReplayTarget): Promise<void> {
    this.#target = target;
    this.#set({ cursor: undefined });
    await this.load();
    if (this.#target !== target) return;
    this.#wanted ??= this.#cursorNow();
    void this.#catchUp();
    if (this.facts.playing) void this.#run();
  }

  hide(): void {
    this.#target = undefined;
    this.#wanted = undefined;
    this.#showing = undefined;
    this.#set({ playing: false, at: undefined, cursor: undefined, busy: false });
  }

  get at(): number {
    const axis = this.axis();
    return this.facts.at ?? axis?.end ?? 0;
  }

  goTo(ts: number): void {
    const axis = this.axis();
    this.#set({ at: axis ? Math.min(axis.end, Math.max(axis.start, ts)) : ts });
    this.#want(this.#cursorNow());
  }

  /** Goes exactly after this byte, for example after a search match. */
  async goToCursor(cursor: number): Promise<void> {
    if (!this.axis()) await this.load();
    this.#set({ playing: false, at: this.axis()?.timeOf(cursor) });
    this.#want(cursor);
  }

  /** Moves ahead or back in playing time. */
  jump(played_ms: number): void {
    const axis = this.axis();
    if (axis) this.goTo(axis.moment(axis.played(this.at) + played_ms));
  }

  step(towards: "next" | "previous"): void {
    const axis = this.axis();
    if (!axis) return;
    const shown = this.#wanted ?? this.facts.cursor ?? 0;
    const { frames } = axis;
    const to =
      towards === "next"
        ? frames.find(({ cursor }) => cursor > shown)
        : frames.findLast(({ cursor }) => cursor < shown);
    this.#set({ playing: false, at: to?.ts ?? (towards === "next" ? axis.end : axis.start) });
    this.#want(to?.cursor ?? this.#cursorNow());
  }

  play(): void {
    if (this.facts.playing) return;
    const axis = this.axis();
    if (!axis || this.at >= axis.end) this.goTo(axis?.start ?? 0);
    this.#set({ playing: true });
    if (axis && this.#target) void this.#run();
  }

  pause(): void {
    this.#set({ playing: false });
  }

  faster(by: 1 | -1): void {
    const now = SPEEDS.indexOf(this.facts.speed);
    this.#set({ speed: SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, now + by))] ?? 1 });
  }

  setPauses(pauses: Pauses): void {
    this.#set({ pauses });
  }

  #cursorNow(): number {
    const axis = this.axis();
    return axis ? (this.at >= axis.end ? (axis.frames.at(-1)?.cursor ?? 0) : axis.cursorAt(this.at)) : 0;
  }

  #want(cursor: number): void {
    this.#wanted = cursor;
    if (this.axis()) void this.#catchUp();
  }

  /** Shows one thing at a time. Of several requests meanwhile only the last counts. */
  #catchUp(): Promise<void> {
    const target = this.#target;
    if (!target) return Promise.resolve();
    if (this.#showing) return this.#showing;
    const showing = this.#showAll(target).then(() => {
      if (this.#showing === showing) this.#showing = undefined;
      return this.#wanted === undefined ? undefined : this.#catchUp();
    });
    this.#showing = showing;
    return showing;
  }

  async #showAll(target: ReplayTarget): Promise<void> {
    for (let to = this.#wanted; to !== undefined && this.#target === target; to = this.#wanted) {
      this.#wanted = undefined;
      if (to === this.facts.cursor) continue;
      this.#set({ busy: true });
      await this.#showOne(target, to);
    }
    if (this.#target === target) this.#set({ busy: false });
  }

  async #showOne(target: ReplayTarget, to: number): Promise<void> {
    const from = this.facts.cursor;
    const isNear = from !== undefined && to > from && to - from <= LEAP_BYTES && !this.#resizedWithin(from, to);
    const picture = isNear ? undefined : await this.#source.picture(to);
    if (picture && isFault(picture)) return this.#failed(picture.message);
    if (this.#target !== target) return;
    if (picture) await target.paint(picture.bytes, picture.size, picture.cursor);
    for (let at = picture?.cursor ?? from ?? to; at < to; ) {
      const bytes = await this.#source.read(at, to);
      if (isFault(bytes)) return this.#failed(bytes.message);
      if (bytes.length === 0 || this.#target !== target) return;
      await target.bytes(bytes);
      at += bytes.length;
    }
    if (this.#target === target) this.#set({ cursor: to, failure: undefined });
  }

  /** The engine rewraps lines in its own way, so after a resize we show its picture. */
  #resizedWithin(from: number, to: number): boolean {
    return this.recording()?.timeline.resizes.some(({ cursor }) => cursor > from && cursor <= to) ?? false;
  }

  #failed(failure: string): void {
    this.#set({ failure, playing: false });
  }

  async #run(): Promise<void> {
    const target = this.#target;
    while (this.facts.playing && this.#target === target) {
      const passed = await nextFrame();
      const axis = this.axis();
      if (!axis || !this.facts.playing || this.#target !== target) return;
      const played = axis.played(this.at) + passed * this.facts.speed;
      this.#set({ at: axis.moment(played) });
      this.#want(this.#cursorNow());
      await this.#catchUp();
      if (played >= axis.length_ms && this.at >= axis.end && !(await this.#grew(axis.end))) this.pause();
    }
  }

  /** A running session may have printed more meanwhile. */
  async #grew(end: number): Promise<boolean> {
    const before = this.recording()?.timeline.total_bytes ?? 0;
    await this.load();
    const more = (this.recording()?.timeline.total_bytes ?? 0) > before;
    this.#set({ at: more ? end : undefined });
    return more;
  }
}

/** Milliseconds until the next frame. A hidden page waits. */
function nextFrame(): Promise<number> {
  const began = performance.now();
  return new Promise((resolve) =>
    requestAnimationFrame(() => resolve(Math.min(TICK_MS_MAX, performance.now() - began))),
  );
}
