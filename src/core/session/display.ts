// What people and agents see of a session: the playback while an engine is in memory, the waits and the viewers.
// Owns: when the engine is in memory. Refuses: to type, to know the program's state.

import type { Cancelled } from "../base/cancellation.ts";
import type { Clock } from "../base/clock.ts";
import type { Fault } from "../base/fault.ts";
import { type JournalRecord, sizeBefore } from "../journal/records.ts";
import type { Meta, SessionFiles } from "../journal/store.ts";
import { BlockLines } from "../past/block-lines.ts";
import type { ExportParts } from "../past/export.ts";
import { KeyframeGaps } from "../past/keyframe-gaps.ts";
import { engineAt, keptBefore } from "../past/past.ts";
import type { Size } from "../pty/pty.ts";
import { Deltas } from "../screen/deltas.ts";
import type { MakeEngine } from "../screen/engine.ts";
import type { InputSpec } from "../screen/input/input.ts";
import { NewestScreen } from "../screen/newest.ts";
import { Screen, type ScreenChange, type ScreenState } from "../screen/screen.ts";
import type { WaitSpec } from "../screen/wait/conditions.ts";
import type { Entry, WaitResult } from "../screen/wait/pending.ts";
import { type Marked, Waits } from "../screen/wait/waits.ts";
import { picturesOf } from "../viewer/composed.ts";
import { Sizing } from "../viewer/sizing.ts";
import { readRaw, sourceOf } from "../viewer/source.ts";
import { PAINTS, Viewer, type ViewerSpec } from "../viewer/viewer.ts";
import { Viewers } from "../viewer/viewers.ts";
import { type Facts, Playback, type PlaybackStart, type SessionEvents } from "./playback.ts";
import type { Program } from "./program.ts";

interface DisplayParts {
  readonly meta: Meta;
  readonly files: SessionFiles;
  readonly clock: Clock;
  readonly makeEngine: MakeEngine;
  readonly records: JournalRecord[];
  readonly scrollback: number;
  readonly program: Pick<Program, "probe">;
  marked(): Marked;
}

export interface DisplayEvents extends SessionEvents {
  /** A turn is over. `behind` bytes are still unread; the screen has all others. */
  turned(behind: number): void;
  /** The viewers want the session to have this size. */
  fit(size: Size): void;
}

export class Display {
  #parts: DisplayParts;
  #on: DisplayEvents;
  #playback: Playback | undefined;
  #waits: Waits;
  #whenReady: (() => void)[] = [];
  #last: Facts;
  #newest: NewestScreen;
  #keyframeGaps: KeyframeGaps;
  #printed = false;
  readonly viewers: Viewers;
  readonly sizing: Sizing;
  readonly deltas: Deltas;
  readonly blockLines: BlockLines;

  constructor(parts: DisplayParts, on: DisplayEvents) {
    this.#parts = parts;
    this.#on = on;
    const { files, clock, program } = parts;
    this.#waits = new Waits({
      clock,
      probe: () => program.probe(),
      marked: parts.marked,
      view: () => this.#playback?.view(),
      glance: () => this.glance(),
    });
    this.blockLines = new BlockLines(files, clock);
    this.deltas = new Deltas({ files, clock, screen: () => this.#shown() });
    this.#newest = new NewestScreen(files, clock, () => ({
      session_id: parts.meta.session_id,
      ...this.#shown(),
      ts: clock.now(),
    }));
    this.viewers = new Viewers(
      parts.clock,
      sourceOf(parts, {
        fed: () => this.facts.fed,
        repaint: (paint) => this.#playback?.repaint(PAINTS[paint]) ?? new Uint8Array(0),
      }),
      picturesOf(() => this.#playback),
    );
    const size = sizeBefore(Number.POSITIVE_INFINITY, parts.records, { cols: parts.meta.cols, rows: parts.meta.rows });
    this.#last = { seq: 0, title: "", size, fed: parts.files.outputSize() };
    this.#keyframeGaps = new KeyframeGaps(this.past);
    const isDecided = parts.records.some(({ kind }) => kind === "resize");
    const of = { clock, follows: parts.meta.sizing === "follow", isDecided, now: () => this.facts.size };
    this.sizing = new Sizing({ ...of, seats: () => this.viewers.all, fit: (wanted) => on.fit(wanted) });
  }

  /** Undefined while no engine is in memory. */
  get playback(): Playback | undefined {
    return this.#playback;
  }

  get facts(): Facts {
    return this.#playback?.facts ?? this.#last;
  }

  /** Everything needed to show any moment of this session. */
  get past(): ExportParts {
    const { meta, files, clock, makeEngine, records, scrollback } = this.#parts;
    const size = { cols: meta.cols, rows: meta.rows };
    const { blockLines } = this;
    return { meta, files, clock, makeEngine, records, size, scrollback, blockLines, title: this.facts.title };
  }

  /** Makes a playback. It replays the journal up to `cursor` without telling anybody and answers queries from `answerFrom` on. */
  prepare(past: Omit<PlaybackStart, "records">): Playback {
    try {
      return this.#prepare(past);
    } catch (error) {
      if (!past.from) throw error;
      // The kept state comes from another engine version. The journal has everything it had.
      return this.#prepare({ ...past, from: undefined });
    }
  }

  #prepare(past: Omit<PlaybackStart, "records">): Playback {
    this.#playback?.dispose();
    const { meta, files, clock, makeEngine, records, scrollback } = this.#parts;
    const size = { cols: meta.cols, rows: meta.rows };
    const playback = new Playback({ files, clock, makeEngine, size, scrollback }, { ...past, records }, this.#on, {
      played: (bytes, at) => {
        this.#printed = true;
        this.viewers.played(bytes, at);
      },
      resized: (now) => {
        this.viewers.tell({ type: "resize", ...now });
        // No two terminals re-wrap old lines in the same way, so everybody gets our picture.
        this.viewers.repaintAll();
        this.#waits.resized(playback.baseline());
      },
      kept: (from, to) => this.#keyframeGaps.add(from, to),
      closely: () => this.#waits.wantsText,
      mayMatch: (bytes) => this.#waits.mayMatch(bytes),
      turned: (change, behind) => {
        this.#turned(playback, change);
        this.#on.turned(behind);
      },
      ready: () => {
        this.deltas.continueFrom(playback.screen.shown());
        for (const run of this.#whenReady.splice(0)) run();
        this.viewers.repaintAll();
      },
    });
    this.#playback = playback;
    return playback;
  }

  /** The playback, caught up. We make it again from the journal when it was let go. */
  async ready(): Promise<Playback> {
    if (!this.#playback) {
      const cursor = this.#parts.files.outputSize();
      const from = await keptBefore(this.#parts.files, cursor);
      // Another caller may have made it meanwhile.
      if (!this.#playback) this.prepare({ cursor, answerFrom: Number.POSITIVE_INFINITY, from }).begin();
    }
    const playback = this.#playback;
    if (!playback?.isReady) await new Promise<void>((resolve) => this.#whenReady.push(resolve));
    // A rebuild may have put another playback in its place meanwhile.
    return this.#playback ?? this.ready();
  }

  record(record: JournalRecord): void {
    this.#parts.records.push(record);
    this.#playback?.record(record);
    this.#playback?.grew(record.cursor);
  }

  /** What a wait begins with: the screen now, or the screen at an earlier cursor and what came since. */
  async entry(since: number | undefined): Promise<Omit<Entry, "follows">> {
    const playback = await this.ready();
    if (since === undefined || since >= playback.fed) {
      const before = playback.baseline();
      return { before, now: before };
    }
    const engine = await engineAt(this.past, { cursor: since });
    try {
      const then = new Screen(engine).view();
      const before = then.alt_screen ? { ...then, under: engine.underneath() } : then;
      // The engine may have been let go meanwhile.
      return { before, now: (await this.ready()).viewSince(before.top) };
    } finally {
      engine.dispose();
    }
  }

  wait(spec: WaitSpec, entry: Entry, cancelled?: Cancelled): Promise<WaitResult> | Fault {
    return this.#waits.begin(spec, entry, cancelled);
  }

  /** Somebody is about to type this, and the terminal will show it. */
  typed(input: InputSpec): void {
    if (this.#playback) this.#waits.typed(input, this.#playback.view());
  }

  /** The shell shows its prompt, so the output before it is complete. */
  prompted(): void {
    this.#flush();
    this.#waits.prompted();
  }

  blockEnded(): void {
    this.#waits.blockEnded();
  }

  /** A person took the keyboard from an agent. */
  held(from: string): void {
    this.#waits.held(from);
  }

  glance() {
    return this.#playback?.screen.glance();
  }

  /** Ends all waits. */
  over(): void {
    this.#waits.exited();
  }

  /** The program ended and its last output is on the screen. */
  finish(): void {
    this.#flush();
    this.over();
  }

  #flush(): void {
    if (!this.#playback) return;
    this.deltas.flush();
    this.#newest.force();
  }

  watch(spec: ViewerSpec): Viewer {
    const viewer = new Viewer(spec);
    this.viewers.add(viewer, spec.cursor);
    return viewer;
  }

  leave(viewer: Viewer): void {
    this.viewers.remove(viewer);
    this.sizing.changed();
  }

  /** A viewer sent its size, was hidden or shown, or acknowledged bytes. */
  viewerChanged(): void {
    this.sizing.changed();
    this.viewers.catchUp();
  }

  readRaw(from: number, length: number): { bytes: Uint8Array; total: number } {
    return readRaw(this.#parts.files, from, length);
  }

  /** Lets the engine go; the next reader brings it back. */
  cool(): void {
    // Not while somebody waits for a rebuild or watches.
    if (!this.#playback?.isReady || this.viewers.count > 0) return;
    this.#last = this.facts;
    this.deltas.stop();
    this.#newest.stop();
    this.#playback.dispose();
    this.#playback = undefined;
  }

  dispose(): void {
    this.sizing.stop();
    this.viewers.clear();
    this.#keyframeGaps.stop();
    this.deltas.stop();
    this.#newest.stop();
    this.#playback?.dispose();
    this.#playback = undefined;
  }

  #turned(playback: Playback, change: ScreenChange | undefined): void {
    if (this.#printed) this.#waits.printed();
    if (this.#printed) this.#keyframeGaps.busy();
    this.#printed = false;
    if (!change) return;
    this.viewers.looked();
    this.#waits.changed(change, this.#waits.wantsText ? playback.viewSince(change.top_before) : playback.view());
    this.deltas.changed();
    this.#newest.changed();
  }

  #shown(): ScreenState {
    if (!this.#playback) throw new Error("nobody may ask for the screen of a cold session");
    return this.#playback.screen.shown();
  }
}
