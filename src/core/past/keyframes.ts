// Keeps engine states along a playback, so that any later moment is quick to reach. Owns: when the next state is due.
import type { SessionFiles } from "../journal/store.ts";

/** A state is kept after so much work; the gaps are halved later, so that any moment is reached in less than 50 ms. */
const EVERY_MS = 30;
/** States are never closer than this: many small writes of a full-screen program are slow and short. */
const BYTES_MIN = 128 << 10;

export class Keyframes {
  #files: SessionFiles;
  /** States of earlier playbacks. */
  #earlier: readonly number[];
  #last: number;
  #workMs = 0;

  constructor(files: SessionFiles, start: number) {
    this.#files = files;
    this.#earlier = files.keyframes();
    this.#last = start;
  }

  restart(cursor: number): void {
    this.#last = cursor;
    this.#workMs = 0;
  }

  /** The engine worked so long and has everything before `cursor`. When we keep its state, returns the cursor of the last one. */
  worked(ms: number, cursor: number, snapshot: () => Uint8Array): number | undefined {
    this.#workMs += ms;
    if (this.#workMs < EVERY_MS) return undefined;
    return this.keep(cursor, snapshot);
  }

  /** Keeps the state now, unless one is near. */
  keep(cursor: number, snapshot: () => Uint8Array): number | undefined {
    const last = this.#last;
    if (cursor - last < BYTES_MIN) return undefined;
    this.restart(cursor);
    if (this.#earlier.some((earlier) => Math.abs(earlier - cursor) < BYTES_MIN)) return undefined;
    this.#files.writeKeyframe(cursor, snapshot());
    return last;
  }
}
