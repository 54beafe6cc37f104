// What a host says of frames for a stream that it does not know, for example after it was started anew. Owns: how often. Nobody can
// make it say more than that, whatever comes.
import type { Clock } from "../../base/clock.ts";
import { unknownFrame } from "../frame.ts";

/** A forgotten stream is told this often: its device asks every five seconds. */
const EVERY_MS = 1_000;
/** And so many of them: as many streams as a host has. */
const STREAMS_MAX = 256;

export class UnknownHints {
  #clock: Clock;
  #since = Number.NEGATIVE_INFINITY;
  #told = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The frame to send, or nothing. `stream`: what tells it from all others, such as its subject. */
  of(stream: string): Uint8Array | undefined {
    const now = this.#clock.monotonic();
    if (now - this.#since >= EVERY_MS) {
      this.#since = now;
      this.#told.clear();
    }
    if (this.#told.has(stream) || this.#told.size >= STREAMS_MAX) return undefined;
    this.#told.add(stream);
    return unknownFrame();
  }
}
