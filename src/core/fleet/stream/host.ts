// The host's end of a stream: the socket of one viewer on another machine. Owns: its life. It beats, so that the device sees at once
// what was lost, and it ends when the device is silent. Refuses: keys out of turn. What is lost is told and never typed later.
import type { ToViewer } from "../../../protocol/stream.ts";
import { utf8 } from "../../base/utf8.ts";
import { BODY_BYTES_MAX, type Closing, readClosing, type State, writeClosing } from "../frame.ts";
import { Alarm } from "./alarm.ts";
import { type Came, isTooLarge } from "./inbox.ts";
import { Line } from "./line.ts";
import type { Posted } from "./outbox.ts";
import { endOf, type StreamEnd, type StreamParts, type Why, WINDOW_BYTES } from "./side.ts";

/** A viewer leaves the list then, and its size counts no more: three of its leases. */
const SILENT_MS = 15_000;
/** A loss at the end of some output shows only by the next frame: this is it. */
const BEAT_MS = 1_000;
/** What was typed is confirmed soon, but not each key by itself. */
const CONFIRM_MS = 50;
/** A viewer that is told goodbye may take what was sent before for so long. */
const LINGER_MS = 5_000;

interface HostStreamParts<Bytes> extends StreamParts {
  /** How much may be on its way. */
  readonly window?: number;
  /** Typed bytes that did not arrive: told, or sent again by whoever typed them. Default: told. */
  readonly lost?: "told" | "sent_again";
  /** What is heard, as its listener wants it: a Buffer, for example. */
  bytesOf(data: Uint8Array<ArrayBuffer>): Bytes;
  /** Nothing more is sent or heard. */
  onEnd?(end: StreamEnd): void;
}

export class HostStream<Bytes extends Uint8Array = Uint8Array> {
  #parts: HostStreamParts<Bytes>;
  #line: Line;
  #alarm: Alarm;
  #life: "open" | "closing" | "over" = "open";
  #closing: Closing = { code: 0, reason: "" };
  #lingersUntil = Number.POSITIVE_INFINITY;
  #heardAt: number;
  #beatAt = Number.POSITIVE_INFINITY;
  #unconfirmed = 0;
  #onMessage: ((data: Bytes, binary: boolean) => void) | undefined;
  #closers: (() => void)[] = [];

  constructor(parts: HostStreamParts<Bytes>) {
    this.#parts = parts;
    const { send, seals, window = WINDOW_BYTES } = parts;
    this.#line = new Line({ send, seals, window, side: "host" });
    this.#heardAt = parts.clock.monotonic();
    this.#alarm = new Alarm(parts.clock, (now) => this.#due(now));
    this.#alarm.by(this.#heardAt + SILENT_MS);
  }

  get isOpen(): boolean {
    return this.#life === "open";
  }

  /** What was given to us and is not confirmed. */
  get bufferedAmount(): number {
    return this.#line.outbox.buffered;
  }

  /** What is on its way: never more than the window, or one body. */
  get inFlight(): number {
    return this.#line.outbox.inFlight;
  }

  /** Nobody asks when it has left: no machine is reached through a third. */
  send(data: Uint8Array | string): void {
    if (!this.isOpen) return;
    const kind = typeof data === "string" ? "text" : "bytes";
    const bytes = typeof data === "string" ? utf8(data) : data;
    if (isTooLarge(kind, bytes.length)) return this.#lose("large");
    this.#posted(this.#line.outbox.post(kind, bytes));
  }

  /** The other side takes what was sent before, and then sees this code. */
  close(code: number, reason = ""): void {
    if (!this.isOpen) return;
    this.#life = "closing";
    this.#closing = { code, reason };
    this.#leave();
    if (!this.#line.outbox.isWaiting) return this.#goodbye({ why: "closed", code, reason });
    this.#lingersUntil = this.#now() + LINGER_MS;
    this.#alarm.by(this.#lingersUntil);
  }

  /** At once. The other side is told if it can be. */
  terminate(): void {
    this.#lose("cut");
  }

  /** Undefined: what is still heard reaches nobody. */
  onMessage(run: ((data: Bytes, binary: boolean) => void) | undefined): void {
    this.#onMessage = run;
  }

  /** Called in a later turn, once. */
  onClose(run: () => void): void {
    if (this.isOpen) this.#closers.push(run);
    else this.#parts.clock.soon(run);
  }

  /** A frame of the device. */
  heard(frame: Uint8Array): void {
    if (this.#life === "over") return;
    const came = this.#line.heard(frame);
    if (came.is === "old" || came.is === "unknown") return;
    if (came.is === "broken") return this.#lose("broken");
    this.#heardAt = this.#now();
    if (came.is === "state") this.#state(came.state);
    else if (came.is === "gap") this.#gap(came.typed);
    else this.#came(came);
  }

  #came(came: Extract<Came, { is: "message" | "part" }>): void {
    if (came.is === "part") return this.#confirm(BODY_BYTES_MAX);
    const { kind, data } = came;
    if (kind === "close") {
      const closing = readClosing(data);
      return closing ? this.#over({ why: "closed", ...closing }) : this.#lose("broken");
    }
    if (this.isOpen) this.#onMessage?.(this.#parts.bytesOf(data), kind === "input");
    this.#confirm(data.length);
  }

  /** What was taken is confirmed by a beat. Much of it at once: its sender waits for credit. */
  #confirm(bytes: number): void {
    if (!this.isOpen) return;
    this.#unconfirmed += bytes;
    if (this.#unconfirmed >= BODY_BYTES_MAX) return this.#beat();
    this.#beatBy(this.#now() + CONFIRM_MS);
  }

  #state({ said, taken, typed, asks }: State): void {
    if (said > this.#line.inbox.taken) return this.#gap(this.#line.inbox.missing(typed));
    this.#posted(this.#line.outbox.confirm(taken));
    if (this.#life === "closing" && !this.#line.outbox.isWaiting)
      return this.#goodbye({ why: "closed", ...this.#closing });
    if (asks === "beat") this.#beat();
  }

  /** Words were lost on the way here. Keys among them are told, because nobody types them again. */
  #gap(typed: number): void {
    if (typed === 0 || this.#parts.lost === "sent_again") return this.#lose("missing");
    const reason = typed === 1 ? "1 key was not typed" : `${typed} keys were not typed`;
    const message = `${reason}: the connection lost ${typed === 1 ? "it" : "them"}. Look at the screen before you type again.`;
    const notice: ToViewer = { type: "notice", message };
    this.#line.outbox.last("text", utf8(JSON.stringify(notice)));
    this.#goodbye({ ...endOf("keys"), reason });
  }

  #posted(posted: Posted): void {
    if (posted !== "ok") return this.#lose(posted);
    if (this.#line.outbox.inFlight > 0) this.#beatBy(this.#now() + BEAT_MS);
  }

  #beatBy(at: number): void {
    this.#beatAt = Math.min(this.#beatAt, at);
    this.#alarm.by(this.#beatAt);
  }

  /** While it says goodbye nothing that still comes is taken, so nothing is confirmed. */
  #beat(): void {
    [this.#beatAt, this.#unconfirmed] = [Number.POSITIVE_INFINITY, 0];
    if (!this.isOpen) return;
    const told = this.#line.tell("nothing", this.#line.inbox.taken);
    if (told !== "ok") this.#lose(told);
  }

  #due(now: number): number | undefined {
    if (now >= this.#lingersUntil) this.#goodbye({ why: "closed", ...this.#closing });
    else if (now >= this.#heardAt + SILENT_MS) this.#lose("silent");
    else if (now >= this.#beatAt) this.#beat();
    if (this.#life === "over") return undefined;
    return Math.min(this.#lingersUntil, this.#heardAt + SILENT_MS, this.#beatAt);
  }

  #lose(why: Exclude<Why, "closed">): void {
    this.#goodbye(endOf(why));
  }

  #goodbye(end: StreamEnd): void {
    if (this.#life === "over") return;
    // Without a broker nobody hears it.
    if (end.why !== "away") this.#line.outbox.last("close", writeClosing(end));
    this.#over(end);
  }

  #over(end: StreamEnd): void {
    this.#life = "over";
    this.#alarm.stop();
    this.#leave();
    this.#parts.clock.soon(() => this.#parts.onEnd?.(end));
  }

  #leave(): void {
    for (const run of this.#closers.splice(0)) this.#parts.clock.soon(run);
  }

  #now(): number {
    return this.#parts.clock.monotonic();
  }
}
