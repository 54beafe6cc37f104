// When new output is read. What a program prints all the time while nobody cares gathers for a moment, and the holder does not
// tell of each piece: thirty agents at work then cost little. Owns: whether it gathers. Whoever asks for the screen ends that first.
import type { Clock } from "../base/clock.ts";
import type { SessionFiles } from "../journal/store.ts";

/** Output gathers no longer than this, so the list of what needs a person is no more behind. */
const GATHER_MS_MAX = 150;
/** Sessions are read at multiples of this, many of them at one waking: reading the ones before delays no timer of the others. */
const TOGETHER_MS = 50;
const TIMER_MS = 10;
/** A program prints all the time when it has done so this long … */
const STEADY_MS = 1_000;
/** … without such a pause. What comes after one is read at once: an echo, an answer, a prompt. */
const PAUSE_MS = 500;
/** More than this is a flood, which is read as it comes. */
const GATHERED_BYTES_MAX = 16 << 10;

interface GatheringParts {
  readonly clock: Clock;
  readonly files: Pick<SessionFiles, "outputSize">;
  readonly program: {
    /** Of what the holder tells: all output from now on, also what came while it told nothing; or nothing. */
    tell(what: "all" | "nothing"): void;
  };
  /** Up to here it was read. */
  fed(): number;
  /** Whether somebody watches, or waits for anything. */
  attended(): boolean;
  read(cursor: number): void;
}

export class Gathering {
  #parts: GatheringParts;
  #grewAt = Number.NEGATIVE_INFINITY;
  #steadyFrom = 0;
  /** Set while it gathers. */
  #cancel: (() => void) | undefined;

  constructor(parts: GatheringParts) {
    this.#parts = parts;
  }

  /** The holder tells. One of an earlier version does so all the time. */
  grew(cursor: number): void {
    const now = this.#parts.clock.monotonic();
    if (now - this.#grewAt > PAUSE_MS) this.#steadyFrom = now;
    this.#grewAt = now;
    if (this.#cancel) return;
    if (!this.#mayGather(cursor)) return this.#parts.read(cursor);
    this.#parts.program.tell("nothing");
    this.#readLater();
  }

  /** Somebody typed. The answer is read at once. */
  typed(): void {
    this.#steadyFrom = this.#parts.clock.monotonic();
    this.end();
  }

  /** Reads all there is. */
  catchUp(): void {
    const { files, fed, read } = this.#parts;
    const cursor = this.#cancel ? files.outputSize() : 0;
    if (cursor > fed()) read(cursor);
  }

  /** Somebody cares from now on. */
  end(): void {
    if (!this.#cancel) return;
    this.#cancel();
    this.catchUp();
    this.#cancel = undefined;
    this.#parts.program.tell("all");
  }

  #readLater(): void {
    const now = this.#parts.clock.monotonic();
    const due = Math.floor((now + GATHER_MS_MAX) / TOGETHER_MS) * TOGETHER_MS;
    this.#cancel = this.#parts.clock.after(Math.ceil((due - now) / TIMER_MS) * TIMER_MS, () => this.#look());
  }

  #look(): void {
    const { clock, files, fed } = this.#parts;
    const cursor = files.outputSize();
    if (cursor > fed()) this.#grewAt = clock.monotonic();
    if (clock.monotonic() - this.#grewAt > PAUSE_MS || !this.#mayGather(cursor)) return this.end();
    this.#readLater();
    this.catchUp();
  }

  #mayGather(cursor: number): boolean {
    const { clock, fed, attended } = this.#parts;
    return clock.monotonic() - this.#steadyFrom >= STEADY_MS && cursor - fed() < GATHERED_BYTES_MAX && !attended();
  }
}
