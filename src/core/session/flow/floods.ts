// Programs that print without end, and who of all goes first. What they print is more than anybody reads, so while a person is
// there they print no more than can be shown: the machine is for whoever types. Owns: which sessions flood, how far each may print
// ahead, and how often its picture is drawn. Refuses: to touch a program or a viewer; it only answers, and tells `allow`.
import type { Clock } from "../../base/clock.ts";

/** Who prints so much within this time floods: six thousand lines a second. */
const FLOOD_BYTES = 64 << 10;
const MEASURE_MS = 100;
/** Floods may print a piece at these times: a frame of the screen. */
const TICK_MS = 16;
/** All floods together while a person watches: 16 MB a second, half of what the engine can do. */
const WATCHED_BYTES = 256 << 10;
/** While a person types, their session's flood, and all others together, print 1 MB a second each. Two cores have time for the page then. */
const TYPED_BYTES = 16 << 10;
/** Somebody who paused for so long does not type. */
const TYPED_MS = 1_000;
/** A page that opens, or loads again, is there within this time. Its first key would wait for all of that. */
const CAME_MS = 3_000;
/** After a key its session prints 8 MB a second, in short pieces: its echo stands behind some 50 KB that it has printed. */
const FIRST_MS = 100;
const FIRST_TICK_MS = 4;
const FIRST_BYTES = 32 << 10;
/** How often a picture is drawn. A screen shows sixty a second; of a flood at once who waits for an echo, else slower than a film. */
const PICTURE_MS = { calm: 16, echo: 8, typed: 80, other: 200, beside: 400 };
/** After a slow picture we rest this many times as long, so that pictures take a fifth of a core at most. */
const PICTURE_REST = 5;

interface Member {
  /** Whether a person looks at it. */
  watched(): boolean;
  /** Its output up to here may be played now. */
  play(cursor: number): void;
  /** It prints no more than so much beyond what was played, until the next call. Undefined: as much as it likes. */
  allow(ahead: number | undefined): void;
}

export class Floods {
  #clock: Clock;
  #flooding = new Set<Flood>();
  #typed: Flood | undefined;
  #typedAt = Number.NEGATIVE_INFINITY;
  /** A person comes or types until then. */
  #busyUntil = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #hurries = false;
  #tickedAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  join(member: Member): Flood {
    return new Flood(this.#clock, member, {
      typed: (flood) => {
        this.#typed = flood;
        this.#typedAt = this.#clock.monotonic();
        this.#busy(TYPED_MS);
        this.#hurry();
      },
      came: () => this.#busy(CAME_MS),
      began: (flood) => {
        this.#flooding.add(flood);
        this.#tickLater();
      },
      ended: (flood) => void this.#flooding.delete(flood),
      typedMs: () => this.#clock.monotonic() - this.#typedAt,
      isTyped: (flood) => this.#typed === flood,
      isBusy: () => this.#isBusy,
    });
  }

  get #isBusy(): boolean {
    return this.#clock.monotonic() < this.#busyUntil;
  }

  #busy(ms: number): void {
    this.#busyUntil = Math.max(this.#busyUntil, this.#clock.monotonic() + ms);
  }

  /** What waits for the next frame is too late for an echo. */
  #hurry(): void {
    if (this.#hurries) return;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#tickLater();
  }

  #tickLater(): void {
    if (this.#cancel || this.#flooding.size === 0) return;
    this.#hurries = this.#typed?.hurries === true;
    this.#cancel = this.#clock.after(this.#hurries ? FIRST_TICK_MS : TICK_MS, () => {
      this.#cancel = undefined;
      // The person may be elsewhere by now, where nothing floods.
      if (this.#typed?.hurries) this.#typed.goFirst();
      this.#hurries = false;
      const now = this.#clock.monotonic();
      if (now - this.#tickedAt >= TICK_MS - 1) this.#tick(now);
      this.#tickLater();
    });
  }

  #tick(now: number): void {
    this.#tickedAt = now;
    const all = [...this.#flooding];
    const paced = this.#isBusy ? all : all.filter((flood) => flood.isWatched);
    const share = Math.ceil((this.#isBusy ? TYPED_BYTES : WATCHED_BYTES) / paced.length);
    for (const flood of all)
      if (this.#isBusy && flood === this.#typed) flood.tick(TYPED_BYTES);
      else flood.tick(paced.includes(flood) ? share : undefined);
  }
}

interface All {
  typed(flood: Flood): void;
  began(flood: Flood): void;
  ended(flood: Flood): void;
  /** How long ago a person typed, and whether it was here. */
  typedMs(): number;
  isTyped(flood: Flood): boolean;
  came(): void;
  /** Whether a person comes or types now. */
  isBusy(): boolean;
}

/** One session. */
export class Flood {
  #clock: Clock;
  #member: Member;
  #all: All;
  #since = { at: Number.NEGATIVE_INFINITY, fed: 0 };
  #fed = 0;
  /** It has printed up to here, and that is not played before the next tick. */
  #later = 0;
  #floods = false;
  /** It may print up to here. */
  #until = Number.POSITIVE_INFINITY;
  #wasFull = false;

  constructor(clock: Clock, member: Member, all: All) {
    [this.#clock, this.#member, this.#all] = [clock, member, all];
  }

  get floods(): boolean {
    return this.#floods;
  }

  get isWatched(): boolean {
    return this.#member.watched();
  }

  /** How long after a picture, which took so long, the next one comes. */
  pictureMs(tookMs: number): number {
    if (this.hurries) return PICTURE_MS.echo;
    const others = this.#all.isBusy() ? PICTURE_MS.beside : PICTURE_MS.other;
    const least = this.#all.isTyped(this) ? PICTURE_MS.typed : others;
    return Math.max(this.#floods ? least : PICTURE_MS.calm, PICTURE_REST * tookMs);
  }

  /** A person begins or ends to watch. Whoever loads a page again does both. */
  came(): void {
    this.#all.came();
  }

  /** A person has pressed a key. */
  typed(): void {
    this.#all.typed(this);
    if (this.#floods) this.goFirst();
  }

  /** It has printed up to here. Shells print line by line; a piece is played as one, or each line would cost a turn. */
  grew(cursor: number): void {
    if (this.#until === Number.POSITIVE_INFINITY) this.#member.play(cursor);
    else this.#later = cursor;
  }

  /** Everything before this was played. */
  played(fed: number): void {
    this.#fed = fed;
    const now = this.#clock.monotonic();
    if (now - this.#since.at >= MEASURE_MS) this.#since = { at: now, fed };
    if (!this.#floods && fed - this.#since.fed > FLOOD_BYTES) this.#began();
    if (fed >= this.#until) this.#wasFull = true;
  }

  /** Its next piece. Undefined: as much as it likes. */
  tick(bytes: number | undefined): void {
    this.#playLater();
    if (this.#isOver()) this.end();
    else if (!this.isFirst) this.#allow(bytes);
  }

  /** It is over, or rests. */
  end(): void {
    this.#all.ended(this);
    this.#floods = false;
    this.#allow(undefined);
    this.#playLater();
  }

  #playLater(): void {
    const cursor = this.#later;
    this.#later = 0;
    if (cursor > this.#fed) this.#member.play(cursor);
  }

  #began(): void {
    this.#floods = true;
    this.#all.began(this);
  }

  /** Its person has just pressed a key. */
  get isFirst(): boolean {
    return this.#all.isTyped(this) && this.#all.typedMs() < FIRST_MS;
  }

  /** Its output is wanted now. */
  get hurries(): boolean {
    return this.#floods && this.isFirst;
  }

  goFirst(): void {
    this.#playLater();
    this.#allow(FIRST_BYTES);
  }

  #isOver(): boolean {
    const now = this.#clock.monotonic();
    if (now - this.#since.at < MEASURE_MS) return false;
    const isOver = !this.#wasFull && this.#fed - this.#since.fed < FLOOD_BYTES / 2;
    this.#since = { at: now, fed: this.#fed };
    this.#wasFull = false;
    return isOver;
  }

  #allow(bytes: number | undefined): void {
    const until = bytes === undefined ? Number.POSITIVE_INFINITY : this.#fed + bytes;
    if (until === this.#until) return;
    this.#until = until;
    this.#member.allow(bytes);
  }
}
