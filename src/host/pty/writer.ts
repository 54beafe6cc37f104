// Bytes to the master, in order. Owns: the input queue and its retry timer. Refuses: to touch the descriptor after
// `end`, when its number may already be another file (node-pty wrote 1.1 MB of stale input that way), and to spin:
// the kernel holds 4 KiB for a child that does not read, then answers EAGAIN until it does.
import { writeSync } from "node:fs";
import type { Typist } from "../../core/pty/pty.ts";

/** Most input that may wait for a child that does not read. A large paste fits, a runaway sender does not. */
export const INPUT_QUEUE_BYTES_MAX = 4 << 20;
/** EAGAIN is retried after 1, 2, 4, 8, then every 16 ms: a reading child gets 4 MB/s, a sleeping one costs ~0.1 % CPU. */
const RETRY_MS_MIN = 1;
const RETRY_MS_MAX = 16;

const NOTHING = new Uint8Array(0);

export class PtyWriter {
  readonly #fd: number;
  /** One flat buffer, not a list: four million one-byte writes must cost 4 MiB and no more. */
  #held: Uint8Array = NOTHING;
  #start = 0;
  #end = 0;
  /** Whose the queued bytes are, in order. */
  #runs: { readonly by: Typist; length: number }[] = [];
  /** An agent has typed since the last drop. */
  #agentTyped = false;
  #retryMs = RETRY_MS_MIN;
  #retry: NodeJS.Timeout | null = null;
  #ended = false;

  constructor(fd: number) {
    this.#fd = fd;
  }

  get queued(): number {
    return this.#end - this.#start;
  }

  write(bytes: Uint8Array, by: Typist): "queued" | "full" | "ended" {
    if (this.#ended) return "ended";
    const { queued } = this;
    if (by === "agent") this.#agentTyped = true;
    if (queued + bytes.length > INPUT_QUEUE_BYTES_MAX) return "full";
    const taken = queued === 0 ? this.#offer(bytes) : 0;
    // #offer ends the writer on EIO.
    if (this.#ended) return "ended";
    if (taken < bytes.length) {
      this.#hold(bytes.subarray(taken), by);
      this.#schedule();
    }
    return "queued";
  }

  /** Drops what agents have queued. The rest stays, in its order. */
  dropAgents(): void {
    const queued = this.#held.subarray(this.#start, this.#end);
    const runs = this.#runs;
    this.#release();
    this.#agentTyped = false;
    let at = 0;
    for (const { by, length } of runs) {
      if (by === "person") this.#hold(queued.subarray(at, at + length), by);
      at += length;
    }
  }

  /** What the kernel held, once more, before what waits. It does not tell whose it was; a drop would have taken all of it. */
  writeFirst(bytes: Uint8Array): void {
    const waiting = this.#held.slice(this.#start, this.#end);
    const runs = this.#runs;
    this.#release();
    this.write(bytes, this.#agentTyped ? "agent" : "person");
    let at = 0;
    for (const { by, length } of runs) {
      this.write(waiting.subarray(at, at + length), by);
      at += length;
    }
  }

  /** Drops the queue and never touches the descriptor again. */
  end(): void {
    this.#ended = true;
    this.#release();
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
  }

  #schedule(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = null;
      this.#pump();
    }, this.#retryMs);
  }

  #pump(): void {
    const written = this.#offer(this.#held.subarray(this.#start, this.#end));
    if (this.#ended) return;
    this.#start += written;
    this.#forget(written);
    this.#retryMs = written > 0 ? RETRY_MS_MIN : Math.min(this.#retryMs * 2, RETRY_MS_MAX);
    if (this.#start < this.#end) this.#schedule();
    else this.#release();
  }

  /** Copies, as the caller may reuse its buffer. */
  #hold(bytes: Uint8Array, by: Typist): void {
    const last = this.#runs.at(-1);
    if (last?.by === by) last.length += bytes.length;
    else this.#runs.push({ by, length: bytes.length });
    if (this.#end + bytes.length > this.#held.length) {
      const queued = this.#held.subarray(this.#start, this.#end);
      const needed = queued.length + bytes.length;
      // Doubling keeps many small writes linear; the queue's limit bounds it at twice 4 MiB.
      const roomy = new Uint8Array(needed * 2);
      roomy.set(queued);
      this.#held = roomy;
      this.#start = 0;
      this.#end = queued.length;
    }
    this.#held.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** So many are written. */
  #forget(bytes: number): void {
    for (let left = bytes; this.#runs[0] && left > 0; ) {
      const [first] = this.#runs;
      const gone = Math.min(left, first.length);
      first.length -= gone;
      left -= gone;
      if (first.length === 0) this.#runs.shift();
    }
  }

  #release(): void {
    this.#runs = [];
    this.#held = NOTHING;
    this.#start = 0;
    this.#end = 0;
    this.#retryMs = RETRY_MS_MIN;
  }

  /** Writes until the kernel takes no more; returns how much it took. */
  #offer(bytes: Uint8Array): number {
    let written = 0;
    while (written < bytes.length) {
      try {
        written += writeSync(this.#fd, bytes, written);
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code;
        if (code === "EAGAIN") return written;
        // The terminal is hung up; the exit follows and tells the session.
        if (code === "EIO") {
          this.end();
          return written;
        }
        throw error;
      }
    }
    return written;
  }
}
