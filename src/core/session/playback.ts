// Plays a session's journal into its screen: engine, screen and the feed that drives them. It can be deleted and made
// again at any time. Owns: the engine, also a new one after a trap. Refuses: to know viewers or PTYs.
import { type JournalRecord, sizeBefore } from "../journal/records.ts";
import { Keyframes } from "../past/keyframes.ts";
import type { PastParts } from "../past/past.ts";
import type { ExitStatus, Size } from "../pty/pty.ts";
import { type Engine, type RepaintOptions, trapIn } from "../screen/engine.ts";
import { type Attention, PacedScreen } from "../screen/paced-screen.ts";
import type { Screen, ScreenChange } from "../screen/screen.ts";
import type { ScreenView } from "../screen/wait/view.ts";
import { Feed } from "./feed.ts";

/** While somebody waits for text, no more lines may pass between two checks than the engine surely keeps (1,000). */
const CLOSE_BYTES_MAX = 2 << 10;
type PlaybackParts = Omit<PastParts, "records">;

/** What a playback begins with. */
export interface PlaybackStart {
  readonly records: JournalRecord[];
  /** Up to here the journal is replayed without telling anybody. */
  readonly cursor: number;
  /** Queries before this were answered. */
  readonly answerFrom: number;
  /** A kept engine state to start from instead of the beginning. */
  readonly from?: { readonly cursor: number; readonly state: Uint8Array } | undefined;
  /** It was here when its engine was let go: its revision, and the count of records that it had played. */
  readonly left?: { readonly seq: number; readonly records: number } | undefined;
}

/** What is shown, in numbers. */
export interface Facts {
  readonly size: Size;
  readonly title: string;
  readonly seq: number;
  /** The cursor up to which the journal is on the screen. */
  readonly fed: number;
}

/** What the session hears, whether somebody watches or not. */
export interface SessionEvents {
  /**
   * Exact bytes at an exact cursor, before the engine gets them. Returns how many of them came from a command that
   * ended within them.
   */
  scan(bytes: Uint8Array, cursor: number): number;
  /** Reads what the program says of itself, and returns the answer to its question whether we do. */
  status(bytes: Uint8Array, cursor: number): Uint8Array;
  /** The reply to a query of the program. */
  replied(bytes: Uint8Array, cursor: number): void;
  /** The engine failed; it was rebuilt without these bytes. */
  trapped(cursor: number, bytes: number): void;
  ended(status: ExitStatus, ts: number): void;
}

/** What the display hears, and what it is asked. */
interface PlaybackEvents extends Attention {
  /** The engine has these bytes; viewers may get them. They are only valid during the call. */
  played(bytes: Uint8Array, cursor: number): void;
  resized(size: Size): void;
  /** An engine state was kept at `cursor`; the last one before it is at `from`. */
  kept(from: number, cursor: number): void;
  /** Whether these bytes may hold text that somebody waits for. */
  mayMatch(bytes: Uint8Array): boolean;
  /** A turn is over. */
  turned(change: ScreenChange | undefined, behind: number): void;
  /** The replay has reached the point where the session was. */
  ready(): void;
  /** The engine failed, and no other could be made, or not at this place. This playback is over. */
  lost(): void;
}

export class Playback {
  #parts: PlaybackParts;
  #session: SessionEvents;
  #on: PlaybackEvents;
  #engine: Engine;
  #feed: Feed;
  #screen: PacedScreen;
  /** Up to here the journal is only replayed: we tell nobody and answer nothing. */
  #quietUntil: number;
  #answerFrom: number;
  #records: JournalRecord[];
  #poison: { from: number; to: number }[] = [];
  #isReady = false;
  #keyframes: Keyframes;
  #start: number;
  #left: PlaybackStart["left"];
  #gone = false;

  constructor(parts: PlaybackParts, past: PlaybackStart, session: SessionEvents, on: PlaybackEvents) {
    this.#parts = parts;
    this.#session = session;
    this.#on = on;
    this.#records = past.records;
    this.#quietUntil = past.cursor;
    this.#answerFrom = past.answerFrom;
    this.#start = past.from?.cursor ?? 0;
    this.#left = past.left;
    this.#engine = this.#newEngine(past.from?.state);
    const late = () => this.#whole(() => this.#turned(this.behind));
    this.#screen = new PacedScreen(this.#engine, parts.clock, on, late);
    this.#feed = new Feed(parts.files, parts.clock, {
      size: () => this.#engine.size(),
      pieceBytesMax: () => (this.#on.closely() ? CLOSE_BYTES_MAX : Number.POSITIVE_INFINITY),
      slice: (bytes, cursor) => this.#slice(bytes, cursor),
      played: (bytes, cursor) => {
        if (this.#isReady && cursor >= this.#quietUntil) on.played(bytes, cursor);
      },
      turned: (behind) => this.#turned(behind),
      whole: (turn) => this.#whole(turn),
    });
    this.#feed.restart(this.#start);
    this.#keyframes = new Keyframes(parts.files, this.#start);
    this.#plan();
  }

  /** Starts to play. The constructor does not, so that no event arrives before the owner has this object. */
  begin(): void {
    this.#feed.grew(this.#quietUntil);
    this.#feed.begin();
  }

  get screen(): Screen {
    return this.#screen.now;
  }
  get fed(): number {
    return this.#feed.fed;
  }
  get behind(): number {
    return this.#feed.behind;
  }
  /** It has caught up, and all records were played. */
  get isDone(): boolean {
    return this.#isReady && this.#feed.isDone;
  }
  /** Its engine failed while somebody asked it something. */
  get isDead(): boolean {
    return this.#engine.isDead;
  }
  get isReady(): boolean {
    return this.#isReady;
  }
  get size(): Size {
    return this.#engine.size();
  }
  get facts(): Facts {
    return { seq: this.screen.seq, title: this.screen.title, size: this.size, fed: this.fed };
  }

  view(): ScreenView {
    return this.screen.view();
  }

  /** Also the lines that scrolled by between two checks, as far as the engine still has them. */
  viewSince(top: number): ScreenView {
    const view = this.view();
    const kept = this.#engine.historyCount();
    const count = Math.min(kept, view.top - top);
    if (view.alt_screen || count <= 0) return view;
    const rows = this.#engine.history({ from: kept - count, count });
    return { ...view, passed: { first: view.top - count, rows } };
  }

  /** What a wait begins with. It includes the text under the alternate screen, which is not new when it comes back. */
  baseline(): ScreenView {
    const view = this.view();
    return view.alt_screen ? { ...view, under: this.#engine.underneath() } : view;
  }

  repaint(options: RepaintOptions): Uint8Array {
    return this.#engine.repaint(options);
  }

  modes() {
    return this.#engine.modes();
  }

  grew(cursor: number): void {
    this.#feed.grew(cursor);
  }

  /** A new record was added to the list. */
  record(record: JournalRecord): void {
    this.#schedulePoint(record);
  }

  /** Keeps the state, so that the next playback has little to replay. */
  keep(): void {
    // A kept state comes before the records at its cursor, and these were played.
    if (!this.#records.some(({ cursor }) => cursor === this.fed))
      this.#keyframes.keep(this.fed, () => this.#engine.snapshot());
  }

  dispose(): void {
    this.#gone = true;
    this.#screen.stop();
    this.#feed.stop();
    this.#engine.dispose();
  }

  #newEngine(state?: Uint8Array): Engine {
    const { size, scrollback, makeEngine } = this.#parts;
    return makeEngine({ ...sizeBefore(this.#start, this.#records, size), scrollback }, state);
  }

  #plan(): void {
    // A kept state comes before the records at its cursor. Those that were played before it was left come before the cuts.
    const due = this.#records.filter(({ cursor }) => cursor >= this.#start);
    const old = this.#left ? due.length - (this.#records.length - this.#left.records) : 0;
    for (const record of due.slice(0, old)) this.#schedulePoint(record);
    // We cut here, so that a slice is wholly on one side of each of these points.
    const cuts = [this.#quietUntil, this.#answerFrom, ...this.#poison.flatMap(({ from, to }) => [from, to])];
    for (const cut of cuts) this.#feed.at(cut, () => this.#passed());
    for (const record of due.slice(old)) this.#schedulePoint(record);
  }

  #schedulePoint(record: JournalRecord): void {
    if (record.kind === "resize") this.#feed.at(record.cursor, () => this.#resize(record));
    if (record.kind === "exit") {
      this.#feed.at(record.cursor, () => {
        if (this.#isReady) this.#on.turned(this.#screen.look(), 0);
        this.#session.ended(record, record.ts);
      });
    }
  }

  #resize({ cols, rows }: Size): void {
    if (trapIn(() => this.#engine.resize({ cols, rows }))) {
      // A replay would fail at the same place again. The program draws its screen anew at this size.
      this.#replace(this.#parts.makeEngine({ cols, rows, scrollback: this.#parts.scrollback }));
      this.#session.trapped(this.fed, 0);
    }
    if (this.#isReady) this.#on.resized(this.#engine.size());
  }

  #passed(): void {
    if (this.#isReady || this.#feed.fed < this.#quietUntil) return;
    this.#screen.look();
    // Every revision takes at least one byte or one resize, so no earlier revision can be above this.
    this.screen.continueAbove(this.#left ? this.#left.seq - 1 : this.#quietUntil + this.#records.length);
    this.#isReady = true;
    this.#on.ready();
  }

  #slice(bytes: Uint8Array, cursor: number): void {
    const last = this.#session.scan(bytes, cursor);
    // A command that has ended gets no reply, because the reply would be typed into the shell's next line.
    if (last > 0) this.#play(bytes.subarray(0, last), cursor, "over");
    if (last < bytes.length && this.#feed.fed >= cursor + bytes.length)
      this.#play(bytes.subarray(last), cursor + last, "there");
  }

  #play(bytes: Uint8Array, cursor: number, asker: "there" | "over"): void {
    const end = cursor + bytes.length;
    const began = this.#parts.clock.monotonic();
    const isPoison = this.#poison.some((range) => cursor < range.to && end > range.from);
    if (!isPoison && trapIn(() => this.#engine.feed(bytes, cursor))) return this.#trapped(cursor, end);
    const workMs = this.#parts.clock.monotonic() - began;
    const keptBefore = this.#keyframes.worked(workMs, end, () => this.#engine.snapshot());
    if (keptBefore !== undefined) this.#on.kept(keptBefore, end);
    // This answer goes first: a program that gets the engine's before it takes that for a no.
    const replies = Uint8Array.from([...this.#session.status(bytes, cursor), ...this.#engine.takeReplies()]);
    if (replies.length > 0 && end > this.#answerFrom && asker === "there") this.#session.replied(replies, end);
    if (this.#isReady && this.#on.mayMatch(bytes)) this.#turned(0);
  }

  /** The engine died. A new one replays the journal without the slice that killed it. */
  #trapped(from: number, to: number): void {
    this.#poison.push({ from, to });
    this.#start = 0;
    this.#replace(this.#newEngine());
    this.#quietUntil = Math.max(to, this.#quietUntil);
    this.#answerFrom = Math.max(to, this.#answerFrom);
    this.#isReady = false;
    this.#keyframes.restart(0);
    this.#feed.restart(0);
    this.#plan();
    this.#session.trapped(from, to - from);
  }

  #replace(engine: Engine): void {
    this.#engine.dispose();
    this.#engine = engine;
    this.#screen.replace(engine);
  }

  /** Where an engine fails that cannot be replaced here, another playback has to be made. */
  #whole(turn: () => void): void {
    if (this.isDead || trapIn(turn)) this.#on.lost();
  }

  #turned(behind: number): void {
    if (!this.#isReady || this.#gone) return;
    this.#on.turned(this.#screen.turned(behind), behind);
  }
}
