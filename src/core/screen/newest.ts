// screen.snapshot.json: the newest whole screen, for programs that only read files. Throttled; written at
// the prompt and at the end in any case.
import type { Clock } from "../base/clock.ts";
import type { SessionFiles } from "../journal/store.ts";
import { TOGETHER_MS } from "./deltas.ts";

/** A file that is replaced four times a second is new enough for a reader and cheap enough for the disk. */
const SNAPSHOT_MS = 250;

export class NewestScreen {
  #files: SessionFiles;
  #clock: Clock;
  #screen: () => object;
  #lastAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #isSoon = false;

  constructor(files: SessionFiles, clock: Clock, screen: () => object) {
    this.#files = files;
    this.#clock = clock;
    this.#screen = screen;
  }

  changed(): void {
    if (this.#cancel) return;
    const wait = Math.max(TOGETHER_MS, this.#lastAt + SNAPSHOT_MS - this.#clock.monotonic());
    this.#cancel = this.#clock.after(wait, () => this.force());
  }

  prompted(): void {
    if (this.#isSoon) return;
    this.#isSoon = true;
    this.#cancel?.();
    this.#cancel = this.#clock.after(TOGETHER_MS, () => this.force());
  }

  force(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isSoon = false;
    this.#lastAt = this.#clock.monotonic();
    this.#files.writeSnapshot(this.#screen());
  }

  /** Writes what is due. */
  stop(): void {
    if (this.#cancel) this.force();
  }
}
