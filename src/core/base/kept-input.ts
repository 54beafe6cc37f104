// A viewer's input on its way to the daemon. Owns: what the daemon has not confirmed yet. What is typed without a connection is kept
// in order and sent once there is one again. Each piece has a number, and what was typed before is not typed again.

/** A connection that is away for this much typing is away for good. */
const KEPT_BYTES_MAX = 16 << 10;
/** Viewers choose a number at random, of eight digits at most. The holder packs it with a count into 53 bits. */
const VIEWER_NUMBERS = 10 ** 8;

type Bytes = Uint8Array<ArrayBuffer>;

export function viewerNumber(random: number): number {
  return 1 + Math.floor(random * (VIEWER_NUMBERS - 1));
}

export class KeptInput {
  #send: (bytes: Bytes) => void;
  /** Not confirmed. The first has the number after the last confirmed one. */
  #pieces: Bytes[] = [];
  #confirmed = 0;
  /** How many of them were sent at least once. */
  #sent = 0;
  #isOpen = false;

  constructor(send: (bytes: Bytes) => void) {
    this.#send = send;
  }

  /** What waits for a connection. */
  get waiting(): Bytes {
    const pieces = this.#pieces.slice(this.#sent);
    const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const piece of pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }

  type(bytes: Bytes): "sent" | "kept" | "full" {
    if (!this.#isOpen && this.waiting.length + bytes.length > KEPT_BYTES_MAX) return "full";
    this.#pieces.push(bytes);
    if (!this.#isOpen) return "kept";
    this.#sent = this.#pieces.length;
    this.#send(bytes);
    return "sent";
  }

  /** Whether the daemon has all that was typed. */
  get isConfirmed(): boolean {
    return this.#pieces.length === 0;
  }

  /** The number of the first piece that a new connection gets. */
  get from(): number {
    return this.#confirmed + 1;
  }

  /** There is a connection. All that is not confirmed goes there: the daemon leaves out what it has. */
  opened(): void {
    this.#isOpen = true;
    for (const piece of this.#pieces) this.#send(piece);
    this.#sent = this.#pieces.length;
  }

  confirm(confirmed: number): void {
    const count = Math.max(0, confirmed - this.#confirmed);
    this.#pieces.splice(0, count);
    this.#sent = Math.max(0, this.#sent - count);
    this.#confirmed = Math.max(confirmed, this.#confirmed);
  }

  lost(): void {
    this.#isOpen = false;
  }

  /** The person does not want it typed any more. */
  discard(): void {
    this.#pieces.splice(this.#sent);
  }
}
