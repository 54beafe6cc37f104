// Who watches and types on the device: the real client logic of cursors over device ends. It checks every byte that it is given, and
// that every byte which was typed and lost is told. What it types is never sent again.
import type { SocketLike } from "../../../src/client/connection.ts";
import { TerminalStream } from "../../../src/client/stream.ts";
import { type DeviceEnd, DeviceStream } from "../../../src/core/fleet/stream/device.ts";
import type { Seals } from "../../../src/core/fleet/stream/side.ts";
import type { SimBroker } from "./broker.ts";
import { CountedClock, ProcessClock, type SimTime } from "./clock.ts";
import { type Owner, paintOf, type Typing } from "./owner.ts";
import { INPUT } from "./pool.ts";
import { Outstanding, simSeal } from "./seal.ts";
import { takesWords } from "./words.ts";

/** A page answers so often. */
const ACK_BYTES = 64 << 10;
/** A body and the last words above the window. */
const ABOVE_WINDOW_BYTES = 65 << 10;

export interface WatcherParts {
  readonly time: SimTime;
  readonly broker: SimBroker;
  readonly owner: Owner;
  readonly random: () => number;
  readonly window: number;
  /** How fast it takes bytes: all at once, or so many each time. */
  readonly takes: number | undefined;
}

export class Watcher {
  readonly clock: ProcessClock;
  readonly ends: DeviceEnd[] = [];
  /** Each stream that there was. */
  readonly typings = new Map<string, Typing>();
  device: DeviceStream | undefined;
  /** Everything before it was shown. Undefined: what it shows is only a picture. */
  shown: number | undefined;
  attaches = 0;
  notices = 0;
  #parts: WatcherParts;
  #stream: TerminalStream;
  #id = "";
  #outstanding = new Outstanding();
  #typed = 0;
  #acked = 0;
  #untaken: { device: DeviceStream | undefined; bytes: number; cursor: number | undefined; isPaint: boolean }[] = [];
  #isTaking = false;
  #isRetrying = false;
  #isOver = false;

  constructor(parts: WatcherParts) {
    this.#parts = parts;
    this.clock = new ProcessClock(parts.time);
    parts.broker.listeners.device = {
      enter: (run) => this.clock.enter(run),
      heard: (id, frame) => (id === this.#id ? this.device?.heard(frame) : undefined),
    };
    this.#stream = new TerminalStream(() => this.#open(), {
      onPhase: (phase) => phase === "reconnecting" && this.#again(),
      onMessage: (message) => {
        if (message.type === "hello") this.#stream.send({ type: "ack", cursor: this.shown ?? message.cursor });
        if (message.type === "notice") this.#noticed(message.message);
      },
      onBytes: (bytes, cursor) => this.#bytes(bytes, cursor),
      onRepaint: (bytes, cursor, part) => this.#repaint(bytes, cursor, part),
      onRefused: () => undefined,
    });
  }

  /** False: there is no stream, which is told at once. */
  type(bytes: number): boolean {
    const typing = this.typings.get(this.#id);
    if (!typing || this.device?.readyState !== 1) return false;
    typing.sent.push(bytes);
    typing.sentBytes += bytes;
    const from = this.#typed;
    this.#typed += bytes;
    // Whoever types may use the bytes again.
    const keys = INPUT.slice(from, this.#typed);
    this.device.send(keys);
    keys.fill(0xdd);
    return true;
  }

  say(): void {
    this.#stream.send({ type: "visible", visible: true });
  }

  /** For the laws: what is on its way is never more than the window. */
  check(): void {
    const { window } = this.#parts;
    if (this.#outstanding.most > Math.max(window, 64 << 10) + ABOVE_WINDOW_BYTES)
      throw new Error(`${this.#outstanding.most} bytes are on their way in a window of ${window}`);
  }

  /** The broker is away: whoever owns the streams ends them. */
  lose(): void {
    this.device?.terminate("away");
  }

  close(): void {
    this.#isOver = true;
    this.#stream.close();
  }

  #again(): void {
    if (this.#isOver || this.#isRetrying) return;
    this.#isRetrying = true;
    this.clock.after(100 + this.#parts.random() * 2_000, () => {
      this.#isRetrying = false;
      if (!this.#isOver) this.#stream.hurry();
    });
  }

  #open(): SocketLike {
    const { broker, owner, random, time } = this.#parts;
    const refused = broker.isAway("host") || broker.isAway("device") || random() < broker.faults.drop;
    if (refused) return this.#refusedSocket();
    const instead = this.#id;
    this.attaches += 1;
    const id = `${this.attaches}`;
    const typing: Typing = { from: this.#typed, sent: [], sentBytes: 0, typed: 0, typedBytes: 0 };
    this.typings.set(id, typing);
    this.#outstanding = new Outstanding();
    const { outstanding, acks } = { outstanding: this.#outstanding, acks: this.#outstanding };
    const seals = (watch: object): Seals => ({
      in: simSeal(2 * this.attaches, watch),
      out: simSeal(2 * this.attaches + 1, { outstanding }),
    });
    const clock = new CountedClock(this.clock);
    const device = new DeviceStream({
      send: (frame) => broker.publish("device", id, frame),
      seals: seals({}),
      clock,
      flow: this.#parts.takes === undefined ? "at_once" : "taken",
      onEnd: (end) => {
        if (clock.timers > 0) throw new Error("a device end has a timer after its end");
        this.#ended(end, typing);
      },
    });
    [this.device, this.#id] = [device, id];
    const { window } = this.#parts;
    const cursor = this.shown;
    // The host's part happens there, in its own time.
    time.soon(() =>
      owner.clock.enter(() => owner.attach(id, { cursor, instead, seals: seals({ acks }), window, typing })),
    );
    return this.#parts.takes === undefined ? device : takesWords(device);
  }

  #refusedSocket(): SocketLike {
    const socket: SocketLike = { ...NO_SOCKET };
    this.clock.soon(() => (socket.onclose as ((event: { code: number }) => void) | null)?.({ code: 1006 }));
    return socket;
  }

  /** The law of lost keys: what was not typed is among what may not have been typed. */
  #ended(end: DeviceEnd, typing: Typing): void {
    this.ends.push(end);
    const { frames, bytes } = end.unconfirmed;
    if (typing.typed < typing.sent.length - frames || typing.typedBytes < typing.sentBytes - bytes)
      throw new Error(
        `${typing.sentBytes - typing.typedBytes} bytes were not typed, and ${bytes} are told (${end.why})`,
      );
  }

  #noticed(message: string): void {
    const count = /^(\d+) keys? w/.exec(message)?.[1];
    if (count === undefined) return;
    const typing = this.typings.get(this.#id);
    const lost = typing ? typing.sentBytes - typing.typedBytes : 0;
    if (Number(count) > lost) throw new Error(`${count} keys are told as lost, and ${lost} are`);
    this.notices += 1;
  }

  #bytes(bytes: Uint8Array, cursor: number): void {
    if (this.shown === undefined) throw new Error("bytes came after what was only a picture");
    const wanted = this.#parts.owner.journal(this.shown, this.shown + bytes.length);
    const isSame = cursor === this.shown + bytes.length && Buffer.compare(bytes, wanted) === 0;
    if (!isSame) throw new Error(`a silent gap: bytes from ${this.shown} to ${cursor} are not the journal's`);
    this.shown = cursor;
    this.#take(bytes.length, cursor, false);
  }

  #repaint(bytes: Uint8Array, cursor: number, part: "whole" | "screen"): void {
    if (part === "whole") {
      const isSame = Buffer.compare(bytes, paintOf(cursor, bytes.length)) === 0;
      if (!isSame) throw new Error(`a repaint at ${cursor} is not whole`);
    }
    this.shown = part === "whole" ? cursor : undefined;
    this.#take(bytes.length, cursor, true);
  }

  #take(bytes: number, cursor: number | undefined, isPaint: boolean): void {
    const { takes } = this.#parts;
    const { device } = this;
    if (takes === undefined) return this.#took(cursor ?? 0, isPaint);
    this.#untaken.push({ device, bytes, cursor, isPaint });
    this.#takeLater();
  }

  #takeLater(): void {
    if (this.#isTaking) return;
    this.#isTaking = true;
    this.clock.after(20 + this.#parts.random() * 200, () => {
      this.#isTaking = false;
      let left = this.#parts.takes ?? 0;
      while (left > 0) {
        const [first] = this.#untaken;
        if (!first) return;
        this.#untaken.shift();
        left -= first.bytes;
        first.device?.taken(first.bytes);
        if (first.device === this.device) this.#took(first.cursor ?? 0, first.isPaint);
      }
      if (this.#untaken.length > 0) this.#takeLater();
    });
  }

  /** As an attachment answers. */
  #took(cursor: number, isPaint: boolean): void {
    if (!isPaint && cursor - this.#acked < ACK_BYTES) return;
    this.#acked = cursor;
    this.#stream.send({ type: "ack", cursor });
  }
}

const NO_SOCKET: SocketLike = {
  binaryType: "",
  readyState: 3,
  onopen: null,
  onmessage: null,
  onclose: null,
  send: () => undefined,
  close: () => undefined,
};
