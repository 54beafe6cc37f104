// A viewer's input on its way to the daemon. Owns: what the daemon has not confirmed yet. What is typed without a connection is kept
// in order and sent once there is one again. Each piece has a number, and what was typed before is not typed again.
// To another machine nothing is kept and nothing is sent again: a key that comes late is typed into another program.

/** The beginning of a report: where the mouse is, whether the window has the focus. Nobody pressed a key. */
const REPORT = /\x1b\[(?:<[\d;]*[Mm]|M.{3}|[IO])/gs;
/** An arrow, or Alt and a letter. Everything else is a letter by itself. */
const KEY = /\x1b(?:\[[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]|O.|[^\x1b])?|./gs;
/** Bytes after the first one of a letter in UTF-8. */
const isInside = (byte: number) => (byte & 0xc0) === 0x80;
/** A connection that is away for this much typing is away for good. */
const KEPT_BYTES_MAX = 16 << 10;
/** Viewers choose a number at random, of eight digits at most. The holder packs it with a count into 53 bits. */
const VIEWER_NUMBERS = 10 ** 8;

type Bytes = Uint8Array<ArrayBuffer>;

/** kept: sent again after a lost connection. once: never again; what may be lost is told. */
export type Sending = "kept" | "once";

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
  #sending: Sending;

  constructor(send: (bytes: Bytes) => void, sending: Sending = "kept") {
    [this.#send, this.#sending] = [send, sending];
  }

  /** What waits for a connection. */
  get waiting(): Bytes {
    return joined(this.#pieces.slice(this.#sent));
  }

  /** refused: it goes to another machine, and there is no connection. */
  type(bytes: Bytes): "sent" | "kept" | "full" | "refused" {
    if (!this.#isOpen && this.#sending === "once") return "refused";
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

  /** There is no connection. Returns what may not have arrived and will not be sent again. */
  lost(): Bytes {
    this.#isOpen = false;
    if (this.#sending === "kept") return new Uint8Array();
    const left = this.#pieces.splice(0);
    // Their numbers are used up. Should they arrive yet, after newer ones, they count as typed before.
    this.#confirmed += left.length;
    this.#sent = 0;
    return joined(left);
  }

  /** The person does not want it typed any more. */
  discard(): void {
    this.#pieces.splice(this.#sent);
  }
}

function joined(pieces: readonly Bytes[]): Bytes {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** How many keys these bytes are to a person. What was pasted counts by its letters. */
export function keysIn(bytes: Uint8Array): number {
  let text = "";
  for (const byte of bytes) if (!isInside(byte)) text += String.fromCharCode(byte);
  return text.replace(REPORT, "").match(KEY)?.length ?? 0;
}

export function lostKeysWords(keys: number, host: string): string {
  return `${keys} ${keys === 1 ? "key" : "keys"} may not have been typed on ${host}.`;
}
