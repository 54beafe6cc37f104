// When the engine of a session is in memory. Owns: the playback, and what is remembered while there is none. A session that is
// asleep goes on where it was left, with the same revision, so nobody notices. Refuses: to know viewers and waits.
import type { Clock } from "../base/clock.ts";
import type { JournalRecord } from "../journal/records.ts";
import type { SessionFiles } from "../journal/store.ts";
import { keptBefore } from "../past/past.ts";
import { EngineTrap } from "../screen/engine.ts";
import type { Glance } from "../screen/wait/reads.ts";
import type { Facts, Playback, PlaybackStart } from "./playback.ts";

/** A program that waits for a reply prints nothing after its query. We do not reply late to older queries. */
const LATE_ANSWER_BYTES = 4 << 10;

type Past = Omit<PlaybackStart, "records">;

interface EngineLifeParts {
  readonly files: SessionFiles;
  readonly clock: Clock;
  readonly records: readonly JournalRecord[];
  make(past: Past): Playback;
  /** The output from here on is about to be played. Resolves when all before it is known. */
  begins(cursor: number): Promise<void>;
}

export class EngineLife {
  #parts: EngineLifeParts;
  #playback: Playback | undefined;
  #last: Facts;
  #making: Promise<void> | undefined;
  #whenReady: (() => void)[] = [];
  /** Nobody waits for replies of a program that has ended. */
  #answered = Number.POSITIVE_INFINITY;
  #usedAt = 0;
  #uses = 0;
  /** How many work with the playback over some time. */
  #keepers = 0;
  /** Its engine failed. The next use or output brings another. */
  #isLost = false;
  /** A running session is asleep: its engine was let go where `#last` says. */
  #left: { readonly records: number; readonly glance: Glance } | undefined;

  constructor(parts: EngineLifeParts, first: Facts) {
    this.#parts = parts;
    this.#last = first;
  }

  /** Undefined while no engine is in memory. */
  get playback(): Playback | undefined {
    return this.#playback;
  }
  get facts(): Facts {
    return this.#playback?.facts ?? this.#last;
  }

  get fed(): number {
    return this.#playback?.fed ?? this.#last.fed;
  }
  get isAsleep(): boolean {
    return this.#left !== undefined;
  }
  get glance(): Glance | undefined {
    return this.#playback?.screen.glance() ?? this.#left?.glance;
  }
  /** Somebody works with the playback. */
  get isKept(): boolean {
    return this.#keepers > 0;
  }
  /** How many asked for the playback. */
  get uses(): number {
    return this.#uses;
  }

  /** Makes a playback. It replays the journal up to `cursor` without telling anybody and answers queries from `answerFrom` on. */
  prepare(past: Past): Playback {
    try {
      return this.#prepare(past);
    } catch (error) {
      if (!past.from) throw error;
      // The kept state comes from another engine version. The journal has everything it had.
      return this.#prepare({ ...past, from: undefined });
    }
  }

  #prepare(past: Past): Playback {
    this.dispose();
    const playback = this.#parts.make(past);
    this.#left = undefined;
    this.#isLost = false;
    this.#playback = playback;
    return playback;
  }

  /** It was found running. Its queries up to here were answered. */
  found(answered: number): void {
    this.#answered = answered;
  }

  /** Its program ended. */
  over(): void {
    this.#answered = Number.POSITIVE_INFINITY;
  }

  /** The playback, caught up. We make it from the journal when there is none. */
  async ready(): Promise<Playback> {
    this.#uses += 1;
    this.used();
    if (this.#playback?.isDead) this.lost();
    if (!this.#playback) {
      this.#making ??= (this.#left ? this.#wake(this.#left.records) : this.#make()).finally(() => {
        this.#making = undefined;
      });
      await this.#making;
    }
    if (!this.#playback?.isReady) await new Promise<void>((resolve) => this.#whenReady.push(resolve));
    // A rebuild may have put another playback in its place meanwhile.
    return this.#playback ?? this.ready();
  }

  /** Does this with the playback, which stays until it is over. */
  async keptFor<T>(work: () => Promise<T>): Promise<T> {
    this.#keepers += 1;
    try {
      return await work();
    } finally {
      this.#keepers -= 1;
      this.used();
    }
  }

  /** The playback has caught up. */
  caughtUp(): void {
    for (const run of this.#whenReady.splice(0)) run();
  }

  used(): void {
    this.#usedAt = this.#parts.clock.monotonic();
  }

  async #make(): Promise<void> {
    const { files } = this.#parts;
    const size = files.outputSize();
    const answerFrom = Math.max(this.#answered, size - LATE_ANSWER_BYTES);
    // Queries that still need a reply must be played, so we start from a state before them.
    const from = await keptBefore(files, Math.min(answerFrom, size));
    if (this.#answered < Number.POSITIVE_INFINITY) await this.#parts.begins(from?.cursor ?? 0);
    // It may have started meanwhile. What was printed until now is replayed; what comes later is told.
    if (!this.#playback) this.prepare({ cursor: files.outputSize(), answerFrom, from }).begin();
  }

  /** What came since it was left is told as it would have been. */
  async #wake(records: number): Promise<void> {
    const { fed, seq } = this.#last;
    const from = await keptBefore(this.#parts.files, fed);
    const playback = this.prepare({ cursor: fed, answerFrom: fed, from, left: { seq, records } });
    playback.begin();
    playback.grew(this.#parts.files.outputSize());
  }

  /** It printed. One that is asleep wakes. */
  grew(cursor: number): void {
    if (this.#playback?.isDead) this.lost();
    if (this.#left || this.#isLost) this.#comesBack();
    this.#playback?.grew(cursor);
  }

  /** Whether a new record has to be played, now or when the engine is back. */
  plays(record: JournalRecord): boolean {
    if (!this.#left) return this.#playback !== undefined;
    // Nothing was printed before the end, so there is nothing to see.
    if (record.kind === "exit" && record.cursor === this.#last.fed && !this.#making) return false;
    this.#comesBack();
    return true;
  }

  #comesBack(): void {
    // Where no engine can be made now, the next output tries again.
    this.ready().catch((error: unknown) => {
      if (!(error instanceof EngineTrap)) throw error;
    });
  }

  /** The engine failed. Whoever waits for it gets another, or hears that there is none. */
  lost(): void {
    this.letGo();
    this.#isLost = true;
    this.caughtUp();
  }

  /** Whether a running program was quiet so long that its engine may go. */
  isQuiet(quietMs: number): boolean {
    const { isDone, isDead } = this.#playback ?? { isDone: false, isDead: false };
    return isDone && !isDead && !this.isKept && this.#parts.clock.monotonic() - this.#usedAt >= quietMs;
  }

  /** Lets the engine of a running program go. */
  sleep(): void {
    if (!this.#playback) return;
    this.#playback.keep();
    const left = { records: this.#parts.records.length, glance: this.#playback.screen.glance() };
    this.letGo();
    this.#left = left;
  }

  /** The next reader makes it again. */
  letGo(): void {
    this.#last = this.facts;
    this.dispose();
  }

  dispose(): void {
    this.#playback?.dispose();
    this.#playback = undefined;
  }
}
