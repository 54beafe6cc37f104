// The device's end of a stream: a socket, as clients know it. Owns: its life, and what it acks. It asks for beats, and when anything
// is wrong it ends: whoever uses it attaches anew, with the cursor. Refuses: to send anything again. What was typed and not
// confirmed is told at the end.
import { Utf8, utf8 } from "../../base/utf8.ts";
import { BODY_BYTES_MAX, readClosing, type State, writeClosing } from "../frame.ts";
import { Alarm } from "./alarm.ts";
import { type Came, isTooLarge } from "./inbox.ts";
import { Line } from "./line.ts";
import type { Posted } from "./outbox.ts";
import { endOf, type StreamEnd, type StreamParts, type Why, WINDOW_BYTES } from "./side.ts";

/** It asks for a beat this often, and so the host knows that somebody is here. */
const LEASE_MS = 5_000;
/** A host that answered neither of two leases. */
const SILENT_MS = 10_000;
/** The sender's window is 512 KiB: an answer every eighth of it keeps bytes coming. */
const ACK_BYTES = 64 << 10;
const ACK_MS = 50;
/** Somebody says that the host has forgotten this stream. Anybody can say that: the host has so long to disprove it. */
const DOUBT_MS = 2_000;
/** So often it is asked because of a hint. */
const HINT_MS = 5_000;
/** What was typed before a goodbye may still go, and be confirmed, for so long. */
const LINGER_MS = 5_000;
/** As on a WebSocket. */
const OPEN = 1;
const CLOSING = 2;
const CLOSED = 3;
const NORMAL = 1000;

export interface DeviceStreamParts extends StreamParts {
  /** taken: what was handed over needs no credit any more when `taken` says so. Default: at once. */
  readonly flow?: "at_once" | "taken";
  /** Nothing more is sent or heard. */
  onEnd?(end: DeviceEnd): void;
}

export interface DeviceEnd extends StreamEnd {
  /** What was typed and may not have been. */
  readonly unconfirmed: { readonly frames: number; readonly bytes: number };
}

export class DeviceStream {
  binaryType = "arraybuffer";
  onopen: (() => void) | null = null;
  onmessage: ((event: { readonly data: string | ArrayBuffer }) => void) | null = null;
  onclose: ((event: DeviceEnd) => void) | null = null;
  #parts: DeviceStreamParts;
  #line: Line;
  #alarm: Alarm;
  #state = OPEN;
  #closing: StreamEnd = endOf("cut");
  #lingersUntil = Number.POSITIVE_INFINITY;
  #heardAt: number;
  #leaseAt: number;
  #ackAt = Number.POSITIVE_INFINITY;
  #doubtedUntil = Number.POSITIVE_INFINITY;
  #hintedAt = Number.NEGATIVE_INFINITY;
  /** What was handed over and not taken, in order. */
  #untaken: { readonly number: number; readonly bytes: number; readonly size: number }[] = [];
  #took = 0;
  /** Everything up to this frame was taken. */
  #ackable = 0;
  #unacked = 0;

  constructor(parts: DeviceStreamParts) {
    this.#parts = parts;
    const { send, seals, clock } = parts;
    this.#line = new Line({ send, seals, window: WINDOW_BYTES, side: "device" });
    [this.#heardAt, this.#leaseAt] = [clock.monotonic(), clock.monotonic()];
    this.#alarm = new Alarm(clock, (now) => this.#due(now));
    this.#alarm.by(this.#leaseAt);
    clock.soon(() => (this.#state === OPEN ? this.onopen?.() : undefined));
  }

  get readyState(): number {
    return this.#state;
  }

  /** What was typed and may not have been, up to now. */
  get unconfirmed(): DeviceEnd["unconfirmed"] {
    return this.#line.outbox.unconfirmed;
  }

  /** Bytes are what somebody typed. */
  send(data: string | Uint8Array): void {
    if (this.#state !== OPEN) return;
    const kind = typeof data === "string" ? "text" : "input";
    const bytes = typeof data === "string" ? utf8(data) : data;
    if (isTooLarge(kind, bytes.length)) return this.#lose("large");
    this.#posted(this.#line.outbox.post(kind, bytes));
  }

  close(code: number = NORMAL, reason = ""): void {
    if (this.#state !== OPEN) return;
    this.#state = CLOSING;
    this.#closing = { why: "closed", code, reason };
    if (!this.#isOwed) return this.#goodbye(this.#closing);
    this.#lingersUntil = this.#now() + LINGER_MS;
    this.#alarm.by(this.#lingersUntil);
  }

  /** At once, for example when the broker is away: frames may have been lost. */
  terminate(why: "cut" | "away" = "cut"): void {
    this.#lose(why);
  }

  /** So many bytes of messages have gone on, words too: a drawn screen is words. */
  taken(bytes: number): void {
    this.#took += bytes;
    this.#advance();
  }

  /** A frame of the host. */
  heard(frame: Uint8Array): void {
    if (this.#state === CLOSED) return;
    const came = this.#line.heard(frame);
    if (came.is === "old") return;
    if (came.is === "unknown") return this.#hinted();
    if (came.is === "broken") return this.#lose("broken");
    if (came.is === "gap") return this.#lose("missing");
    this.#heardAt = this.#now();
    this.#doubtedUntil = Number.POSITIVE_INFINITY;
    if (came.is === "state") this.#stands(came.state);
    else this.#came(came);
  }

  #came(came: Extract<Came, { is: "message" | "part" }>): void {
    const number = this.#line.inbox.taken;
    if (came.is === "part") return this.#arrived({ number, bytes: 0, size: BODY_BYTES_MAX });
    const { kind, data } = came;
    if (kind === "close") {
      const closing = readClosing(data);
      return closing ? this.#over({ why: "closed", ...closing }) : this.#lose("broken");
    }
    const held = this.#parts.flow === "taken" ? data.length : 0;
    if (this.#state === OPEN) this.onmessage?.({ data: kind === "text" ? textOf(data) : data.buffer });
    this.#arrived({ number, bytes: held, size: Math.min(data.length, BODY_BYTES_MAX) });
  }

  #arrived(frame: { readonly number: number; readonly bytes: number; readonly size: number }): void {
    this.#untaken.push(frame);
    this.#advance();
  }

  #advance(): void {
    if (this.#state !== OPEN) return;
    let count = 0;
    for (const { number, bytes, size } of this.#untaken) {
      if (bytes > this.#took) break;
      count += 1;
      this.#took -= bytes;
      this.#ackable = number;
      this.#unacked += size;
    }
    if (count === 0) return;
    this.#untaken.splice(0, count);
    if (this.#unacked >= ACK_BYTES) return this.#tell("nothing");
    this.#ackAt = Math.min(this.#ackAt, this.#now() + ACK_MS);
    this.#alarm.by(this.#ackAt);
  }

  #tell(asks: State["asks"]): void {
    [this.#ackAt, this.#unacked] = [Number.POSITIVE_INFINITY, 0];
    const told = this.#line.tell(asks, this.#ackable);
    if (told !== "ok") this.#lose(told);
  }

  /** Where the host stands. What it said and we do not have was lost. */
  #stands({ said, taken }: State): void {
    if (said > this.#line.inbox.taken) return this.#lose("missing");
    this.#posted(this.#line.outbox.confirm(taken));
    if (this.#state === CLOSING && !this.#isOwed) this.#goodbye(this.#closing);
  }

  #hinted(): void {
    const now = this.#now();
    if (this.#state !== OPEN || now - this.#hintedAt < HINT_MS) return;
    this.#hintedAt = now;
    this.#doubtedUntil = now + DOUBT_MS;
    this.#alarm.by(this.#doubtedUntil);
    this.#tell("beat");
  }

  #due(now: number): number | undefined {
    if (now >= this.#lingersUntil) this.#goodbye(this.#closing);
    else if (now >= this.#heardAt + SILENT_MS) this.#lose("silent");
    else if (now >= this.#doubtedUntil) this.#lose("unknown");
    else if (now >= this.#leaseAt) {
      this.#leaseAt = now + LEASE_MS;
      this.#tell("beat");
    } else if (now >= this.#ackAt) this.#tell("nothing");
    if (this.#state === CLOSED) return undefined;
    return Math.min(this.#lingersUntil, this.#heardAt + SILENT_MS, this.#doubtedUntil, this.#leaseAt, this.#ackAt);
  }

  /** Whether the host has not confirmed all that was typed. */
  get #isOwed(): boolean {
    return this.#line.outbox.isWaiting || this.unconfirmed.frames > 0;
  }

  #posted(posted: Posted): void {
    if (posted !== "ok") this.#lose(posted);
  }

  #lose(why: Exclude<Why, "closed">): void {
    this.#goodbye(endOf(why));
  }

  /** The host is told if it can be, so that nobody seems to watch who does not. */
  #goodbye(end: StreamEnd): void {
    if (this.#state === CLOSED) return;
    if (end.why !== "away") this.#line.outbox.last("close", writeClosing(end));
    this.#over(end);
  }

  /** Heard in a later turn, as from any socket. */
  #over(end: StreamEnd): void {
    this.#state = CLOSED;
    this.#alarm.stop();
    const told: DeviceEnd = { ...end, unconfirmed: this.unconfirmed };
    this.#parts.clock.soon(() => {
      this.onclose?.(told);
      this.#parts.onEnd?.(told);
    });
  }

  #now(): number {
    return this.#parts.clock.monotonic();
  }
}

function textOf(bytes: Uint8Array): string {
  const utf8 = new Utf8();
  return utf8.text(bytes) + utf8.end();
}
