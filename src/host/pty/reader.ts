// Bytes from the master, batched. Owns: the read stream, its buffer and, through the stream, the master descriptor.
// Refuses: to know the child; its owner says when to drain. A batch is one wake-up: libuv's read, then plain read() until
// EAGAIN. Measured, 60 MB raw: 205-293 MB/s, 0.17 s CPU, 600-800 events; libuv alone 149-255, 0.22 s, 10,000 events.
import { ReadStream } from "node:tty";
import { libc } from "./libc.ts";

/** One event carries at most this: half a millisecond of reading, so that no session starves the others. */
const BATCH_BYTES_MAX = 128 * 1024;
/** After the exit a background writer may go on for ever (`yes &`); this much is still delivered. */
const DRAIN_BYTES_MAX = 1 << 20;
/** The longest drain, once we have read all that the kernel can have held at the exit. */
const DRAIN_MS_MAX = 50;
/** Far more than a Linux pty holds: 8 KiB of flip buffers and 4 KiB of line discipline; 13.6 KB were seen. */
const KERNEL_BUFFER_BYTES_MAX = 128 * 1024;

interface Drain {
  bytes: number;
  /** Everything that the child left was delivered, or the limits are reached. */
  over: boolean;
  readonly sinceMs: number;
  readonly done: () => void;
}

export class PtyReader {
  readonly #fd: number;
  readonly #buffer = Buffer.allocUnsafeSlow(BATCH_BYTES_MAX);
  readonly #stream: ReadStream;
  readonly #sink: (chunk: Uint8Array) => void;
  #paused = false;
  /** How many bytes may come before it pauses by itself. */
  #room = Number.POSITIVE_INFINITY;
  #open = true;
  /** Bytes at the start of the buffer that came despite a pause. */
  #held = 0;
  #drain: Drain | null = null;
  #turn: NodeJS.Immediate | null = null;

  constructor(fd: number, sink: (chunk: Uint8Array) => void) {
    this.#fd = fd;
    this.#sink = sink;
    const callback = (read: number): boolean => this.#readable(read);
    // tty.ReadStream hands its options to net.Socket, whose `onread` @types/node does not list here.
    const options = { onread: { buffer: this.#buffer, callback } } as ConstructorParameters<typeof ReadStream>[1];
    this.#stream = new ReadStream(fd, options);
    // We hold the slave, so we expect no EIO or EOF. If one comes, Node has already closed the descriptor
    // and its number may be another file's, so nothing may touch it any more. The exit follows by itself.
    this.#stream.on("error", () => this.#released());
    this.#stream.on("close", () => this.#released());
    this.#stream.resume();
  }

  /** False once the descriptor is closed and its number may belong to somebody else. */
  get open(): boolean {
    return this.#open;
  }

  pause(): void {
    this.#paused = true;
    if (this.#open) this.#stream.pause();
  }

  resume(bytes = Number.POSITIVE_INFINITY): void {
    this.#room = bytes;
    if (!this.#paused) return;
    this.#paused = false;
    if (this.#drain !== null || this.#held > 0) this.#nextBatch();
    else this.#restart();
  }

  /** What the kernel has for us now. EAGAIN is final here, too: whatever was written before this call has been read. */
  readAll(): "all" | "more" {
    if (!this.#open) return "all";
    if (this.#paused || this.#held > 0 || this.#drain !== null) return "more";
    const size = this.#fill(0);
    if (size > 0) this.#sink(this.#buffer.subarray(0, size));
    return size < BATCH_BYTES_MAX ? "all" : "more";
  }

  /** Reads what is left, then calls `done` once; a pause holds it up. */
  drain(done: () => void): void {
    if (this.#open) this.#stream.pause();
    this.#drain = { bytes: 0, over: false, sinceMs: performance.now(), done };
    this.#nextBatch();
  }

  /** Closes the master. */
  destroy(): void {
    this.#released();
    this.#stream.destroy();
  }

  /** libuv has put `first` bytes into the buffer. Reads what else is there. Returning false stops libuv. */
  #readable(first: number): boolean {
    if (this.#paused) {
      // After a resume and a pause in one tick, Readable still starts to read in the next tick.
      this.#held = first;
      return false;
    }
    const size = this.#fill(first, Math.min(this.#room, BATCH_BYTES_MAX));
    this.#room -= size;
    this.#sink(this.#buffer.subarray(0, size));
    // The sink may have made room.
    if (this.#room <= 0) this.pause();
    return !this.#paused;
  }

  #fill(start: number, max = BATCH_BYTES_MAX): number {
    let used = start;
    while (this.#open && used < max) {
      const read = libc().read(this.#fd, this.#buffer.subarray(used));
      if (read === 0) break;
      used += read;
    }
    return used;
  }

  /** Never runs inside resume() or drain(), because their callers are not ready for an event. */
  #nextBatch(): void {
    this.#turn ??= setImmediate(() => {
      this.#turn = null;
      if (!this.#paused) this.#batch();
    });
  }

  /** Delivers what libuv did not: bytes held during a pause, and the drain. */
  #batch(): void {
    const drain = this.#drain;
    const size = drain?.over ? 0 : this.#fill(this.#held);
    this.#held = 0;
    if (drain !== null) {
      drain.bytes += size;
      // Short of full means EAGAIN, which is final: n_tty flushes its pending work before a non-blocking read says so.
      drain.over ||= size < BATCH_BYTES_MAX || spent(drain);
    }
    if (size > 0) this.#sink(this.#buffer.subarray(0, size));
    // The sink may have paused. Then the rest, or the end, waits for its resume.
    if (this.#paused) return;
    if (drain === null) this.#restart();
    else if (drain.over) this.#finish(drain);
    else this.#nextBatch();
  }

  #restart(): void {
    if (this.#open && this.#drain === null) this.#stream.resume();
  }

  #finish(drain: Drain): void {
    this.#drain = null;
    drain.done();
  }

  #released(): void {
    this.#open = false;
  }
}

function spent(drain: Drain): boolean {
  if (drain.bytes >= DRAIN_BYTES_MAX) return true;
  return drain.bytes >= KERNEL_BUFFER_BYTES_MAX && performance.now() - drain.sinceMs >= DRAIN_MS_MAX;
}
