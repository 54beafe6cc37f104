// The engine's answers to what programs ask the terminal, on their way to the gate. Owns: those that wait. A command that
// asked and ended before it was answered gets none: the answer would be typed into the shell's next line.
import type { Clock } from "../base/clock.ts";
import type { Asked, Probe } from "../journal/holding.ts";

/** A shell that asked, or has more to say than we have heard, is looked at again after this time. */
const AGAIN_MS = 20;
/** A shell that asked and reads nothing for so many looks wants no answer. */
const LOOKS_MAX = 150;

export interface RepliesParts {
  readonly clock: Clock;
  /** Whether a command of a shell that marks them runs: then it is known when it ends. */
  running(): boolean;
  probe(): Promise<Probe>;
  /** The session's first program. */
  leader(): number | null;
  send(bytes: Uint8Array, to: Asked): void;
}

interface Reply {
  readonly bytes: Uint8Array;
  readonly cursor: number;
}

export class Replies {
  #parts: RepliesParts;
  #waiting: Reply[] = [];
  #looking = false;

  constructor(parts: RepliesParts) {
    this.#parts = parts;
  }

  add(bytes: Uint8Array, cursor: number): void {
    if (!this.#parts.running() && this.#waiting.length === 0) return this.#parts.send(bytes, { cursor, asker: null });
    this.#waiting.push({ bytes: bytes.slice(), cursor });
  }

  /** A command ended; what it asked is of no use to anyone. */
  ended(): void {
    this.#waiting = [];
  }

  /** So much output is not looked at yet, and may tell of an end. */
  turned(behind: number): void {
    if (behind === 0 && this.#waiting.length > 0 && !this.#looking) void this.#look();
  }

  async #look(): Promise<void> {
    this.#looking = true;
    try {
      for (let looks = 0; looks < LOOKS_MAX && this.#waiting.length > 0; looks += 1) {
        const { cursor, foreground, activity } = await this.#parts.probe();
        const isShell = foreground !== null && foreground.pid === this.#parts.leader();
        // A shell that reads has said before that a command ended. We have heard it, where all was printed before the look.
        const reads = activity.reading !== "no" && cursor !== null;
        if (!isShell || reads) return this.#sendAll(foreground?.pid ?? null);
        await new Promise<void>((resolve) => void this.#parts.clock.after(AGAIN_MS, resolve));
      }
      this.#waiting = [];
    } finally {
      this.#looking = false;
    }
  }

  #sendAll(asker: number | null): void {
    for (const { bytes, cursor } of this.#waiting.splice(0)) this.#parts.send(bytes, { cursor, asker });
  }
}
