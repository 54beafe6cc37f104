// What people and agents see of a session: the playback while an engine is in memory, the waits and the viewers.
// Owns: who is told what of it. Refuses: to type, to know the program's state, to decide when there is an engine (engine-life.ts).
import type { Cancelled } from "../base/cancellation.ts";
import type { Clock } from "../base/clock.ts";
import type { Fault } from "../base/fault.ts";
import { type JournalRecord, sizeBefore } from "../journal/records.ts";
import type { Meta, SessionFiles } from "../journal/store.ts";
import { BlockLines } from "../past/block-lines.ts";
import type { ExportParts } from "../past/export.ts";
import { KeyframeGaps } from "../past/keyframe-gaps.ts";
import { SearchPieces } from "../past/search-pieces.ts";
import type { Size } from "../pty/pty.ts";
import type { Redactor } from "../redact/redactor.ts";
import { Deltas } from "../screen/deltas.ts";
import type { MakeEngine } from "../screen/engine.ts";
import type { ScreenState } from "../screen/facts.ts";
import type { InputSpec } from "../screen/input/input.ts";
import { NewestScreen } from "../screen/newest.ts";
import type { ScreenChange } from "../screen/screen.ts";
import type { WaitSpec } from "../screen/wait/conditions.ts";
import type { Entry, WaitResult } from "../screen/wait/pending.ts";
import { type Marked, Waits } from "../screen/wait/waits.ts";
import { picturesOf } from "../viewer/composed.ts";
import { Sizing } from "../viewer/sizing.ts";
import { readRaw, sourceOf } from "../viewer/source.ts";
import { PAINTS, Viewer, type ViewerSpec } from "../viewer/viewer.ts";
import { Viewers } from "../viewer/viewers.ts";
import { EngineLife } from "./engine-life.ts";
import { type Facts, Playback, type PlaybackStart, type SessionEvents } from "./playback.ts";
import type { Program } from "./program.ts";

type Past = Omit<PlaybackStart, "records">;

export interface DisplayParts {
  readonly meta: Meta;
  readonly files: SessionFiles;
  readonly clock: Clock;
  readonly makeEngine: MakeEngine;
  readonly records: JournalRecord[];
  /** How many lines of history the engine keeps. */
  readonly scrollback: number;
  /** What logs and agents look through. */
  readonly eyes: Redactor;
  readonly program: Pick<Program, "probe">;
  marked(): Marked;
}

export interface DisplayEvents extends SessionEvents {
  /** A turn is over. `behind` bytes are still unread; the screen has all others, and whether there were any. */
  turned(behind: number, printed: boolean): void;
  /** The output from here on is about to be played. Resolves when all before it is known. */
  begins(cursor: number): Promise<void>;
  /** The viewers want the session to have this size. */
  fit(size: Size): void;
}

export class Display {
  #parts: DisplayParts;
  #on: DisplayEvents;
  #life: EngineLife;
  #waits: Waits;
  #newest: NewestScreen;
  #keyframeGaps: KeyframeGaps;
  #pieces: SearchPieces;
  #printed = false;
  readonly viewers: Viewers;
  readonly sizing: Sizing;
  readonly deltas: Deltas;
  readonly eyes: Redactor;
  readonly blockLines: BlockLines;

  constructor(parts: DisplayParts, on: DisplayEvents) {
    this.#parts = parts;
    this.#on = on;
    this.eyes = parts.eyes;
    const { files, clock, program, records } = parts;
    const size = sizeBefore(Number.POSITIVE_INFINITY, records, { cols: parts.meta.cols, rows: parts.meta.rows });
    const first = { seq: 0, title: "", size, fed: files.outputSize() };
    const [make, begins] = [(past: Past) => this.#make(past), (cursor: number) => on.begins(cursor)];
    this.#life = new EngineLife({ files, clock, records, make, begins }, first);
    this.#waits = new Waits({
      clock,
      probe: () => program.probe(),
      marked: parts.marked,
      view: () => this.playback?.view(),
      glance: () => this.glance(),
    });
    this.blockLines = new BlockLines(files, clock);
    this.#pieces = new SearchPieces(files);
    this.deltas = new Deltas({ files, clock, screen: () => this.#shown() });
    const newest = () => ({ session_id: parts.meta.session_id, ...this.#shown(), ts: clock.now() });
    this.#newest = new NewestScreen(files, clock, newest);
    this.viewers = new Viewers(
      parts.clock,
      sourceOf(parts, {
        fed: () => this.facts.fed,
        repaint: (paint) => this.playback?.repaint(PAINTS[paint]) ?? new Uint8Array(0),
      }),
      picturesOf(() => this.playback),
    );
    this.#keyframeGaps = new KeyframeGaps(this.past);
    const isDecided = parts.records.some(({ kind }) => kind === "resize");
    const of = { clock, follows: parts.meta.sizing === "follow", isDecided, now: () => this.facts.size };
    this.sizing = new Sizing({ ...of, seats: () => this.viewers.all, fit: (wanted) => on.fit(wanted) });
  }

  /** Undefined while no engine is in memory. */
  get playback(): Playback | undefined {
    return this.#life.playback;
  }

  get facts(): Facts {
    return this.#life.facts;
  }

  /** Everything needed to show any moment of this session. */
  get past(): ExportParts {
    const { meta, files, clock, makeEngine, records, scrollback } = this.#parts;
    const size = { cols: meta.cols, rows: meta.rows };
    const shared = { blockLines: this.blockLines, pieces: this.#pieces };
    return { meta, files, clock, makeEngine, records, size, scrollback, ...shared, title: this.facts.title };
  }

  #make(past: Past): Playback {
    const playback = new Playback(this.past, { ...past, records: this.#parts.records }, this.#on, {
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
        const printed = this.#printed;
        this.#turned(playback, change);
        this.#on.turned(behind, printed);
      },
      ready: () => {
        this.deltas.continueFrom(playback.screen.seenBy(this.eyes).shown());
        this.#life.caughtUp();
        this.viewers.repaintAll();
      },
      lost: () => this.#letGo(() => this.#life.lost()),
    });
    return playback;
  }

  /** It was found running. Its queries up to here were answered. */
  found(answered: number): void {
    this.#life.found(answered);
  }

  prepare(past: Past): Playback {
    return this.#life.prepare(past);
  }

  /** The playback, caught up. We make it from the journal when there is none. */
  ready(): Promise<Playback> {
    return this.#life.ready();
  }

  /** A running program was quiet, and its engine is not in memory. */
  get isAsleep(): boolean {
    return this.#life.isAsleep;
  }

  /** How many asked for the playback. */
  get uses(): number {
    return this.#life.uses;
  }

  grew(cursor: number): void {
    this.#life.grew(cursor);
  }

  record(record: JournalRecord): void {
    this.#parts.records.push(record);
    // Nobody has read what it printed, so its end need not wait for that.
    if (!this.#life.plays(record) && record.kind === "exit") this.#on.ended(record, record.ts);
    this.playback?.record(record);
    this.playback?.grew(record.cursor);
  }

  wait(spec: WaitSpec, entry: Entry, cancelled?: Cancelled): Promise<WaitResult> | Fault {
    return this.#waits.begin(spec, entry, cancelled);
  }

  /** Somebody is about to type this, and the terminal will show it. */
  typed(input: InputSpec): void {
    if (this.playback) this.#waits.typed(input, this.playback.view());
  }

  /** The shell shows its prompt, so the output before it is complete. */
  prompted(): void {
    this.deltas.prompted();
    this.#newest.prompted();
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
    return this.#life.glance;
  }

  /** Ends all waits. */
  over(): void {
    this.#waits.exited();
  }

  /** The program ended and its last output is on the screen. */
  finish(): void {
    this.#life.over();
    if (this.playback) {
      this.deltas.flush();
      this.#newest.force();
    }
    this.over();
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

  /** A viewer changed: its size, whether it is seen, what it has. */
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
    if (this.playback?.isReady && this.viewers.count === 0) this.#letGo(() => this.#life.letGo());
  }

  /** The same for a program that runs and was quiet so long. Its next output or reader brings the engine back. */
  rest(quietMs: number): boolean {
    const isWanted = this.viewers.count > 0 || this.#waits.count > 0;
    if (isWanted || !this.#life.isQuiet(quietMs)) return false;
    this.#letGo(() => this.#life.sleep());
    return true;
  }

  #letGo(go: () => void): void {
    this.deltas.stop();
    this.#newest.stop();
    go();
  }

  dispose(): void {
    this.sizing.stop();
    this.viewers.clear();
    this.#keyframeGaps.stop();
    this.deltas.stop();
    this.#newest.stop();
    this.#life.dispose();
  }

  #turned(playback: Playback, change: ScreenChange | undefined): void {
    this.#life.used();
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
    if (!this.playback) throw new Error("nobody may ask for the screen of a cold session");
    return this.playback.screen.seenBy(this.eyes).shown();
  }
}
