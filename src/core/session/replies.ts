// The engine's replies to programs' queries, on their way to the gate. Owns: the waiting replies. A command that
// asked and ended before its reply gets none, because the reply would be typed into the shell's next line.
import type { Clock } from "../base/clock.ts";
import type { Gate } from "../gate/gate.ts";
import type { Marked } from "../screen/wait/waits.ts";
import type { Program } from "./program.ts";

/** The pause before we probe a shell again that asked, or that printed more than we have read. */
const AGAIN_MS = 20;
/** A shell that asked and does not read for this many probes gets no reply. */
const PROBES_MAX = 150;

interface RepliesParts {
  readonly clock: Clock;
  readonly program: Pick<Program, "probe" | "pid">;
  readonly gate: Pick<Gate, "reply">;
  /** While a marked command runs, we know when it ends. */
  marked(): Marked;
}

interface Reply {
  readonly bytes: Uint8Array;
  readonly cursor: number;
}

export class Replies {
  #parts: RepliesParts;
  #waiting: Reply[] = [];
  #probing = false;

  constructor(parts: RepliesParts) {
    this.#parts = parts;
  }

  add(bytes: Uint8Array, cursor: number): void {
    const { gate, marked } = this.#parts;
    if (marked() !== "running" && this.#waiting.length === 0) return gate.reply(bytes, { cursor, asker: null });
    this.#waiting.push({ bytes: new Uint8Array(bytes), cursor });
  }

  /** A command ended, so its replies are of no use. */
  ended(): void {
    this.#waiting = [];
  }

  /** This much output is not read yet and may contain a command's end. */
  turned(behind: number): void {
    if (behind === 0 && this.#waiting.length > 0 && !this.#probing) void this.#probeShell();
  }

  async #probeShell(): Promise<void> {
    this.#probing = true;
    try {
      for (let probes = 0; probes < PROBES_MAX && this.#waiting.length > 0; probes += 1) {
        const { cursor, foreground, activity } = await this.#parts.program.probe();
        const isShell = foreground !== null && foreground.pid === this.#parts.program.pid;
        // A shell that reads has already marked the command's end. We have read it if all output came before the probe.
        const reads = activity.reading !== "no" && cursor !== null;
        if (!isShell || reads) return this.#sendAll(foreground?.pid ?? null);
        await new Promise<void>((resolve) => void this.#parts.clock.after(AGAIN_MS, resolve));
      }
      this.#waiting = [];
    } finally {
      this.#probing = false;
    }
  }

  #sendAll(asker: number | null): void {
    for (const { bytes, cursor } of this.#waiting.splice(0)) this.#parts.gate.reply(bytes, { cursor, asker });
  }
}
