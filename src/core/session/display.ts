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
import { ByteEyes } from "../screen/byte-eyes.ts";
import type { MakeEngine } from "../screen/engine.ts";
import { Gathering } from "../screen/gathering.ts";
import type { HiddenScreen } from "../screen/hidden-screen.ts";
import type { InputSpec } from "../screen/input/input.ts";
import type { Screen, ScreenChange } from "../screen/screen.ts";
import { ScreenFiles } from "../screen/screen-files.ts";
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
  readonly program: Pick<Program, "probe" | "flow">;
  marked(): Marked;
  /** Whether somebody waits for what the shell marks. */
  awaited(): boolean;
}

export interface DisplayEvents extends SessionEvents {
  /** A turn is over. `behind` bytes are still unread; the screen has all others, and whether there were any. */
  turned(behind: number, printed: boolean): void;
  /** The output from here on is about to be played. Resolves when all before it is known. */
  begins(cursor: number): Promise<void>;
  seen(): void;
  /** The viewers want the session to have this size. */
  fit(size: Size): void;
}

export class Display {
  #parts: DisplayParts;
  #on: DisplayEvents;
  readonly life: EngineLife;
  readonly gathering: Gathering;
  #keyframeGaps: KeyframeGaps;
  #pieces: SearchPieces;
  #printed = false;
  readonly waits: Waits;
  readonly viewers: Viewers;
  readonly sizing: Sizing;
  readonly screenFiles: ScreenFiles;
  readonly eyes: Redactor;
  readonly byteEyes: ByteEyes;
  readonly blockLines: BlockLines;

  constructor(parts: DisplayParts, on: DisplayEvents) {
    [this.#parts, this.#on] = [parts, on];
    this.eyes = parts.eyes;
    const screen = () => this.#shown();
    this.byteEyes = new ByteEyes(parts.eyes, screen);
    const { files, clock, program, records } = parts;
    const size = sizeBefore(Number.POSITIVE_INFINITY, records, { cols: parts.meta.cols, rows: parts.meta.rows });
    const first = { seq: 0, title: "", size, fed: files.outputSize() };
    const [make, begins] = [(past: Past) => this.#make(past), (cursor: number) => on.begins(cursor)];
    this.life = new EngineLife({ files, clock, records, make, begins }, first);
    const [fed, attended] = [() => this.fed, () => this.#isAttended || parts.awaited()];
    const gathers = { clock, files, program: program.flow, fed, attended };
    this.gathering = new Gathering({ ...gathers, read: (cursor) => this.life.grew(cursor) });
    this.waits = new Waits({
      clock,
      probe: () => program.probe(),
      marked: parts.marked,
      view: () => this.playback?.view(),
      glance: () => this.glance(),
    });
    this.blockLines = new BlockLines(files, clock);
    this.#pieces = new SearchPieces(files);
    this.screenFiles = new ScreenFiles({ session_id: parts.meta.session_id, files, clock, screen });
    this.viewers = new Viewers(
      clock,
      sourceOf(parts, {
        fed,
        repaint: (paint) => this.playback?.repaint(PAINTS[paint]) ?? new Uint8Array(0),
      }),
      picturesOf(() => this.playback, program.flow.flood),
      () => on.seen(),
    );
    this.#keyframeGaps = new KeyframeGaps(this.past);
    const isDecided = parts.records.some(({ kind }) => kind === "resize");
    const of = { clock, follows: parts.meta.sizing === "follow", isDecided, now: () => this.facts.size };
    this.sizing = new Sizing({ ...of, seats: () => this.viewers.all, fit: (wanted) => on.fit(wanted) });
  }

  /** Undefined while no engine is in memory. */
  get playback(): Playback | undefined {
    return this.life.playback;
  }

  get facts(): Facts {
    return this.life.facts;
  }

  get fed(): number {
    return this.life.fed;
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
        this.waits.resized(playback.baseline());
      },
      kept: (from, to) => this.#keyframeGaps.add(from, to),
      closely: () => this.waits.wantsText,
      attended: () => this.waits.count > 0 || (this.viewers.count > 0 && !this.#parts.program.flow.flood.floods),
      looked: (change) => this.#changed(playback, change),
      mayMatch: (bytes) => this.waits.mayMatch(bytes),
      turned: (change, behind) => {
        const printed = this.#printed;
        this.#turned(playback, change);
        this.#on.turned(behind, printed);
      },
      ready: () => {
        this.screenFiles.continueFrom(playback.screen.seenBy(this.eyes).picture());
        this.life.caughtUp();
        this.viewers.repaintAll();
      },
      lost: () => this.#letGo(() => this.life.lost()),
    });
    return playback;
  }

  /** The playback, caught up. We make it from the journal when there is none. */
  ready(): Promise<Playback> {
    this.gathering.catchUp();
    return this.life.ready();
  }

  /** A running program was quiet, and its engine is not in memory. */
  get isAsleep(): boolean {
    return this.life.isAsleep;
  }

  record(record: JournalRecord): void {
    this.gathering.end();
    this.#parts.records.push(record);
    // Nobody has read what it printed, so its end need not wait for that.
    if (!this.life.plays(record) && record.kind === "exit") this.#on.ended(record, record.ts);
    this.playback?.record(record);
    this.playback?.grew(record.cursor);
  }

  wait(spec: WaitSpec, entry: Entry, cancelled?: Cancelled): Promise<WaitResult> | Fault {
    const result = this.waits.begin(spec, entry, cancelled);
    this.gathering.end();
    return result;
  }

  /** Somebody is about to type this, and the terminal will show it. */
  typed(input: InputSpec): void {
    if (this.playback) this.waits.typed(input, this.playback.view());
  }

  /** The shell shows its prompt, so the output before it is complete. */
  prompted(): void {
    this.screenFiles.prompted();
    this.waits.prompted();
  }

  glance() {
    return this.life.glance;
  }

  over(): void {
    this.waits.exited();
  }

  /** The program ended and its last output is on the screen. */
  finish(): void {
    this.life.over();
    if (this.playback) this.screenFiles.finish();
    this.over();
  }

  watch(spec: ViewerSpec): Viewer {
    const viewer = new Viewer(spec);
    this.viewers.add(viewer, spec.cursor);
    this.gathering.end();
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
    if (this.playback?.isReady && this.viewers.count === 0 && !this.life.isKept) this.#letGo(() => this.life.letGo());
  }

  /** The same for a program that runs and was quiet so long. Its next output or reader brings the engine back. */
  rest(quietMs: number): boolean {
    if (this.#isAttended || !this.life.isQuiet(quietMs)) return false;
    this.#letGo(() => this.life.sleep());
    return true;
  }

  get #isAttended(): boolean {
    return this.viewers.count > 0 || this.waits.count > 0;
  }

  #letGo(go: () => void): void {
    // What was put off is read and looked at now.
    this.gathering.end();
    this.glance();
    this.screenFiles.stop();
    go();
  }

  dispose(): void {
    this.sizing.stop();
    this.viewers.clear();
    this.#keyframeGaps.stop();
    this.#letGo(() => this.life.dispose());
  }

  #turned(playback: Playback, change: ScreenChange | undefined): void {
    if (this.#printed) {
      this.life.used();
      this.waits.printed();
      this.#keyframeGaps.busy();
    }
    this.#printed = false;
    if (change) this.#changed(playback, change);
  }

  #changed(playback: Playback, change: ScreenChange): void {
    this.viewers.looked();
    this.waits.changed(change, this.waits.wantsText ? playback.viewSince(change.top_before) : playback.view());
    this.screenFiles.changed();
  }

  /** Undefined while there is none that is whole: without an engine, while one catches up, after it failed. */
  get screen(): Screen | undefined {
    const { playback } = this;
    return playback?.isReady && !playback.isDead ? playback.screen : undefined;
  }

  #shown(): HiddenScreen | undefined {
    const shown = this.screen?.seenBy(this.eyes);
    return shown && this.byteEyes.saw(shown);
  }
}
