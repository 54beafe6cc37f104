// How far a program may run ahead of what was played. Owns: whether it waits, and what the holder was told of it. Who floods is
// known to floods.ts, how fast it was played to backlog.ts.
import type { Clock } from "../../base/clock.ts";
import { Backlog } from "../../journal/backlog.ts";
import type { Holding } from "../../journal/holding.ts";
import type { Flood, Floods } from "./floods.ts";

/** The holder hears how far we have read in steps of this size: rarely, and well within what may be unread. */
const READ_STEP_BYTES = 1 << 20;

export interface FlowParts {
  readonly clock: Clock;
  readonly floods: Floods;
  /** How far its output was played. */
  fed(): number;
  /** Whether a person looks at it. */
  watched(): boolean;
  /** Plays its output up to here. */
  play(cursor: number): void;
}

export class Flow {
  readonly flood: Flood;
  #parts: FlowParts;
  #holding: Holding | undefined;
  #backlog: Backlog;
  #paused = false;
  #toldRead = 0;
  #ahead: number | undefined;

  constructor(parts: FlowParts) {
    this.#parts = parts;
    this.#backlog = new Backlog(parts.clock);
    const { watched, play } = parts;
    this.flood = parts.floods.join({ watched, play, allow: (ahead) => this.#allow(ahead) });
  }

  begin(holding: Holding): void {
    this.#holding = holding;
  }

  end(): void {
    this.#holding = undefined;
    this.flood.end();
  }

  /** What of its output we hear. */
  tell(what: "all" | "nothing"): void {
    if (what === "nothing") this.#holding?.hush();
    else this.#holding?.resume();
  }

  /** Backpressure: the program waits while its output is not yet on the screen. */
  balance(behind: number): void {
    const pause = this.#backlog.isFull(this.#parts.fed(), behind);
    if (pause === this.#paused) return;
    this.#paused = pause;
    if (pause) this.#holding?.pause();
    else this.#holding?.resume();
  }

  /** Its output up to here is on the screen. */
  played(fed: number): void {
    this.flood.played(fed);
    if (fed - this.#toldRead >= READ_STEP_BYTES) this.#tellRead(fed);
  }

  #allow(ahead: number | undefined): void {
    this.#ahead = ahead;
    this.#tellRead(this.#parts.fed());
  }

  #tellRead(fed: number): void {
    this.#toldRead = fed;
    this.#holding?.read(fed, this.#ahead);
  }
}
