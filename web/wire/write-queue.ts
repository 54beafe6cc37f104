// Bytes from the wire on their way into the terminal, in order. Owns: the queue and how far it was parsed.
// One write is under way at a time. What queued up meanwhile goes in as one. Refuses: to know sockets.

/** The server's window is 512 KiB: an answer every eighth of it keeps bytes coming. */
const ACK_EVERY_BYTES = 64 << 10;
/** One write to the terminal; xterm yields to the page between writes. */
const WRITE_BYTES_MAX = 256 << 10;

/** CAN and RIS. They go into the stream, because a reset call would show an empty screen before the picture. */
const RESET = Uint8Array.of(0x18, 0x1b, 0x63);

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

export interface WriteTarget {
  /** `from`: the cursor of the first byte. A picture ends at its cursor, because it may end with what is unfinished there. */
  write(bytes: Uint8Array, from: number, onParsed: () => void): void;
  resize(size: Size): void;
}

type Step =
  | { readonly do: "mark"; readonly cursor: number; readonly onReached: (shown: number) => void }
  | { readonly do: "bytes"; readonly bytes: Uint8Array }
  | { readonly do: "repaint"; readonly bytes: Uint8Array; readonly cursor: number }
  | { readonly do: "resize"; readonly size: Size };

export class WriteQueue {
  #target: WriteTarget;
  #onParsed: (cursor: number) => void;
  #steps: Step[] = [];
  #writing = false;
  #parsed = 0;
  #acked = 0;
  #marks: { readonly cursor: number; readonly onReached: (shown: number) => void }[] = [];

  constructor(target: WriteTarget, onParsed: (cursor: number) => void) {
    this.#target = target;
    this.#onParsed = onParsed;
  }

  bytes(bytes: Uint8Array): void {
    this.#push({ do: "bytes", bytes });
  }

  /** Drops what was not shown yet, because the picture that follows contains it. */
  repaint(bytes: Uint8Array, cursor: number, part: "whole" | "screen" = "whole"): void {
    this.#steps = this.#steps.filter((step) => step.do === "resize");
    // At once: a newer one replaces it, if this page is slower than they come.
    if (part === "screen") this.#onParsed(cursor);
    this.#push({ do: "repaint", bytes: part === "whole" ? joined([RESET, bytes]) : bytes, cursor });
  }

  resize(size: Size): void {
    this.#push({ do: "resize", size });
  }

  /** Runs when exactly the bytes before this cursor were shown: what follows begins on that row. Later, when more was
   * shown already: `shown` says how much. */
  mark(cursor: number, onReached: (shown: number) => void): void {
    this.#push({ do: "mark", cursor, onReached });
  }

  #push(step: Step): void {
    this.#steps.push(step);
    this.#pump();
  }

  #pump(): void {
    while (!this.#writing) {
      const step = this.#steps.shift();
      if (!step) return;
      switch (step.do) {
        case "resize":
          this.#target.resize(step.size);
          break;
        case "repaint":
          this.#write(step.bytes, step.cursor, () => {
            this.#parsed = step.cursor;
            this.#reached();
            this.#ack();
          });
          break;
        case "mark":
          this.#marks.push(step);
          this.#reached();
          break;
        case "bytes":
          this.#writeAll(step.bytes);
          break;
        default:
          step satisfies never;
      }
    }
  }

  #writeAll(first: Uint8Array): void {
    const parts = [first];
    let total = first.length;
    for (let next = this.#steps[0]; next?.do === "bytes" && total < WRITE_BYTES_MAX; next = this.#steps[0]) {
      parts.push(next.bytes);
      total += next.bytes.length;
      this.#steps.shift();
    }
    const bytes = joined(parts);
    const until = this.#nextMark();
    if (until !== undefined && until < total) {
      this.#steps.unshift({ do: "bytes", bytes: bytes.subarray(until) });
      return this.#writeOne(bytes.subarray(0, until));
    }
    this.#writeOne(bytes);
  }

  /** How many bytes from here the next mark is. */
  #nextMark(): number | undefined {
    const ahead = this.#marks.map(({ cursor }) => cursor - this.#parsed).filter((bytes) => bytes > 0);
    return ahead.length === 0 ? undefined : Math.min(...ahead);
  }

  #reached(): void {
    const due = this.#marks.filter(({ cursor }) => cursor <= this.#parsed);
    this.#marks = this.#marks.filter(({ cursor }) => cursor > this.#parsed);
    for (const { onReached } of due) onReached(this.#parsed);
  }

  #writeOne(bytes: Uint8Array): void {
    const total = bytes.length;
    this.#write(bytes, this.#parsed + total, () => {
      this.#parsed += total;
      this.#reached();
      if (this.#parsed - this.#acked >= ACK_EVERY_BYTES) this.#ack();
    });
  }

  #ack(): void {
    this.#acked = this.#parsed;
    this.#onParsed(this.#parsed);
  }

  #write(bytes: Uint8Array, end: number, onParsed: () => void): void {
    this.#writing = true;
    this.#target.write(bytes, end - bytes.length, () => {
      this.#writing = false;
      onParsed();
      this.#pump();
    });
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const all = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
