// What one end of a stream says, on its way. Owns: the numbers, what waits for credit, what is not confirmed, and the window that it
// never exceeds. Refuses: to send anything a second time.
import {
  BODY_BYTES_MAX,
  counted,
  type Kind,
  kindByte,
  type Part,
  partOf,
  SAID_NUMBER_MAX,
  type Seal,
  writeFrame,
} from "../frame.ts";
import type { Side } from "./side.ts";

/** Small frames cost a broker more than their bytes: this many are as heavy as a window. */
const FRAMES_IN_FLIGHT_MAX = 4_096;
/** Whoever leaves more than this waiting is gone, or so far behind that a new picture is quicker: the largest message. */
const WAITING_BYTES_MAX = 16 << 20;
/** The same for words to somebody who takes nothing: a busy session says a few a second. */
const WAITING_FRAMES_MAX = 20_000;

/** away: the bus took nothing. full: too much waits. worn: the numbers are used up. */
export type Posted = "ok" | "away" | "full" | "worn";

interface Piece {
  readonly kind: Kind;
  readonly part: Part;
  readonly body: Uint8Array;
}

interface InFlight {
  readonly number: number;
  readonly bytes: number;
  /** The length of the typed message that ends with it. */
  readonly typed: number | undefined;
}

interface OutboxParts {
  send(frame: Uint8Array): "sent" | "away";
  readonly seal: Seal;
  readonly window: number;
  readonly side: Side;
}

export class Outbox {
  #parts: OutboxParts;
  #waiting: Piece[] = [];
  #waitingBytes = 0;
  #inFlight: InFlight[] = [];
  #inFlightBytes = 0;
  #newest = 0;
  #typed = 0;
  #message = 0;
  #unconfirmed = { frames: 0, bytes: 0 };

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** The number of the newest frame that was sent. */
  get newest(): number {
    return this.#newest;
  }

  /** How many typed bytes were sent. */
  get typed(): number {
    return this.#typed;
  }

  /** Sent and not confirmed. */
  get inFlight(): number {
    return this.#inFlightBytes;
  }

  /** Given to us and not confirmed. */
  get buffered(): number {
    return this.#inFlightBytes + this.#waitingBytes;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** What was typed and may not have arrived. */
  get unconfirmed(): { readonly frames: number; readonly bytes: number } {
    return { ...this.#unconfirmed };
  }

  /** What waits is copied: whoever says something may use its bytes again. */
  post(kind: Kind, message: Uint8Array): Posted {
    if (this.#waitingBytes > WAITING_BYTES_MAX || this.#waiting.length > WAITING_FRAMES_MAX) return "full";
    if (kind === "input") {
      this.#unconfirmed.frames += 1;
      this.#unconfirmed.bytes += message.length;
    }
    for (let at = 0; at === 0 || at < message.length; at += BODY_BYTES_MAX) {
      const end = Math.min(message.length, at + BODY_BYTES_MAX);
      const piece: Piece = {
        kind,
        part: partOf(at === 0 ? "begins" : "goes on", end < message.length ? "more" : "ends"),
        body: message.subarray(at, end),
      };
      if (this.isWaiting || !this.#mayFly(piece)) this.#wait(piece);
      else {
        const done = this.#fly(piece);
        if (done !== "ok") return done;
      }
    }
    return "ok";
  }

  /** The last words: they come before what waits, and need no credit. */
  last(kind: Kind, body: Uint8Array): Posted {
    [this.#waiting, this.#waitingBytes] = [[], 0];
    return this.#fly({ kind, part: "whole", body });
  }

  /** The other side has taken everything up to this number. */
  confirm(number: number): Posted {
    const next = this.#inFlight.findIndex((frame) => frame.number > number);
    for (const { bytes, typed } of this.#inFlight.splice(0, next < 0 ? this.#inFlight.length : next)) {
      this.#inFlightBytes -= bytes;
      if (typed === undefined) continue;
      this.#unconfirmed.frames -= 1;
      this.#unconfirmed.bytes -= typed;
    }
    let gone = 0;
    let done: Posted = "ok";
    for (const piece of this.#waiting) {
      if (!this.#mayFly(piece)) break;
      gone += 1;
      this.#waitingBytes -= piece.body.length;
      done = this.#fly(piece);
      if (done !== "ok") break;
    }
    this.#waiting.splice(0, gone);
    return done;
  }

  #wait(piece: Piece): void {
    this.#waiting.push({ ...piece, body: piece.body.slice() });
    this.#waitingBytes += piece.body.length;
  }

  /** One body may always be on its way, however small the window is. */
  #mayFly({ body }: Piece): boolean {
    if (this.#inFlight.length === 0) return true;
    const isLight = this.#inFlight.length < FRAMES_IN_FLIGHT_MAX;
    return isLight && this.#inFlightBytes + body.length <= this.#parts.window;
  }

  #fly({ kind, part, body }: Piece): Posted {
    if (this.#newest >= SAID_NUMBER_MAX) return "worn";
    const { send, seal, side } = this.#parts;
    const number = this.#newest + 1;
    this.#newest = number;
    const whole = side === "device" ? counted(this.#typed, body) : body;
    const isTyped = kind === "input";
    if (isTyped) {
      this.#typed += body.length;
      this.#message += body.length;
    }
    const isEnd = part === "whole" || part === "last";
    const typed = isTyped && isEnd ? this.#message : undefined;
    if (typed !== undefined) this.#message = 0;
    this.#inFlight.push({ number, bytes: body.length, typed });
    this.#inFlightBytes += body.length;
    return send(writeFrame({ kind, part, number, sealed: seal.seal(kindByte(kind, part), number, whole) })) === "sent"
      ? "ok"
      : "away";
  }
}
