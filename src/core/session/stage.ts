// A session's screen being played from its journal: engine, screen and the feed that drives them. Deletable and
// rebuildable at any time. Owns: the engine's life, including its rebirth after a trap. Refuses: to know viewers or PTYs.
import type { Clock } from "../base/clock.ts";
import type { JournalRecord } from "../journal/records.ts";
import type { SessionFiles } from "../journal/store.ts";
import type { ExitStatus, Size } from "../pty/pty.ts";
import { type Engine, EngineTrap, type MakeEngine, type RepaintOptions } from "../screen/engine.ts";
import { Screen, type ScreenChange } from "../screen/screen.ts";
import type { Sight } from "../screen/seen.ts";
import { Feed } from "./feed.ts";

export interface StageParts {
  readonly files: SessionFiles;
  readonly clock: Clock;
  readonly makeEngine: MakeEngine;
  /** The size the session was opened with; later ones are in the records. */
  readonly size: Size;
  readonly scrollback: number;
}

export interface StageEvents {
  /** Exact bytes at an exact cursor, before the engine sees them: the place for scanners. */
  scan(bytes: Uint8Array, cursor: number): void;
  /** The engine has them; for viewers. Only valid during the call. */
  played(bytes: Uint8Array, cursor: number): void;
  replied(bytes: Uint8Array, cursor: number): void;
  resized(size: Size): void;
  /** A turn is over. */
  turned(change: ScreenChange | undefined, behind: number): void;
  /** The rebuild has caught up with where the session was. */
  ready(): void;
  trapped(cursor: number, bytes: number): void;
  ended(status: ExitStatus): void;
}

export class Stage {
  #parts: StageParts;
  #on: StageEvents;
  #engine: Engine;
  #feed: Feed;
  screen: Screen;
  /** Up to here the journal is only replayed: nobody is told, nothing is answered. */
  #quietUntil: number;
  #answerFrom: number;
  #records: JournalRecord[];
  #poison: { from: number; to: number }[] = [];
  #isReady = false;

  constructor(
    parts: StageParts,
    past: { records: JournalRecord[]; cursor: number; answerFrom: number },
    on: StageEvents,
  ) {
    this.#parts = parts;
    this.#on = on;
    this.#records = past.records;
    this.#quietUntil = past.cursor;
    this.#answerFrom = past.answerFrom;
    this.#engine = this.#newEngine();
    this.screen = new Screen(this.#engine);
    this.#feed = new Feed(parts.files, parts.clock, {
      slice: (bytes, cursor) => this.#slice(bytes, cursor),
      turned: (behind) => this.#turned(behind),
    });
    this.#plan();
  }

  /** Starts playing. Apart from the constructor, so that events never arrive before the owner has us. */
  begin(): void {
    this.#feed.grew(this.#quietUntil);
    this.#feed.begin();
  }

  get fed(): number {
    return this.#feed.fed;
  }
  get behind(): number {
    return this.#feed.behind;
  }
  get isReady(): boolean {
    return this.#isReady;
  }
  get size(): Size {
    return this.#engine.size();
  }

  sight(): Sight {
    return { rows: this.screen.rows, alt_screen: this.screen.altScreen, top: this.#engine.scrolled() };
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

  /** A new line of the list we were given. */
  record(record: JournalRecord): void {
    this.#schedulePoint(record);
  }

  dispose(): void {
    this.#feed.stop();
    this.#engine.dispose();
  }

  #newEngine(): Engine {
    return this.#parts.makeEngine({ ...this.#parts.size, scrollback: this.#parts.scrollback });
  }

  #plan(): void {
    // Cut here, so that what a slice answers, shows or skips lies wholly on one side.
    const cuts = [this.#quietUntil, this.#answerFrom, ...this.#poison.flatMap(({ from, to }) => [from, to])];
    for (const cut of cuts) this.#feed.at(cut, () => this.#passed());
    for (const record of this.#records) this.#schedulePoint(record);
  }

  #schedulePoint(record: JournalRecord): void {
    if (record.kind === "resize") this.#feed.at(record.cursor, () => this.#resize(record));
    if (record.kind === "exit") {
      this.#feed.at(record.cursor, () => {
        this.#turned(0);
        this.#on.ended({ code: record.code, signal: record.signal });
      });
    }
  }

  #resize(size: Size): void {
    this.#engine.resize({ cols: size.cols, rows: size.rows });
    if (this.#isReady) this.#on.resized(this.#engine.size());
  }

  #passed(): void {
    if (this.#isReady || this.#feed.fed < this.#quietUntil) return;
    this.screen.advance();
    // Every revision cost at least one byte or one resize, so nothing given out earlier can be above this.
    this.screen.continueAbove(this.#quietUntil + this.#records.length);
    this.#isReady = true;
    this.#on.ready();
  }

  #slice(bytes: Uint8Array, cursor: number): void {
    this.#on.scan(bytes, cursor);
    const end = cursor + bytes.length;
    if (!this.#poison.some((range) => cursor < range.to && end > range.from)) {
      try {
        this.#engine.feed(bytes);
      } catch (error) {
        if (!(error instanceof EngineTrap)) throw error;
        return this.#trapped(cursor, end);
      }
    }
    const replies = this.#engine.takeReplies();
    if (replies.length > 0 && end > this.#answerFrom) this.#on.replied(replies, end);
    if (this.#isReady) this.#on.played(bytes, cursor);
  }

  /** The engine is gone. A new one replays the journal without the slice that killed it. */
  #trapped(from: number, to: number): void {
    this.#poison.push({ from, to });
    this.#engine.dispose();
    this.#engine = this.#newEngine();
    const seq = this.screen.seq;
    this.screen = new Screen(this.#engine);
    this.screen.continueAbove(seq);
    this.#quietUntil = Math.max(to, this.#quietUntil);
    this.#answerFrom = Math.max(to, this.#answerFrom);
    this.#isReady = false;
    this.#feed.restart();
    this.#plan();
    this.#on.trapped(from, to - from);
  }

  #turned(behind: number): void {
    if (!this.#isReady) return;
    this.#on.turned(this.screen.advance(), behind);
  }
}
