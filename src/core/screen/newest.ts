// screen.snapshot.json: the newest whole screen, for programs that only read files. Throttled; forced at prompt and end.
import type { Clock } from "../base/clock.ts";
import type { SessionFiles } from "../journal/store.ts";

/** A file that is replaced four times a second is new enough for a reader and cheap enough for the disk. */
const SNAPSHOT_MS = 250;

export class NewestScreen {
  #files: SessionFiles;
  #clock: Clock;
  #screen: () => object;
  #lastAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(files: SessionFiles, clock: Clock, screen: () => object) {
    this.#files = files;
    this.#clock = clock;
    this.#screen = screen;
  }

  changed(): void {
    if (this.#cancel) return;
    const wait = Math.max(0, this.#lastAt + SNAPSHOT_MS - this.#clock.monotonic());
    this.#cancel = this.#clock.after(wait, () => this.force());
  }

  force(): void {
    this.stop();
    this.#lastAt = this.#clock.monotonic();
    this.#files.writeSnapshot(this.#screen());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
