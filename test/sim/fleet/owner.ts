// The machine of a session: a journal that grows, the real viewers over it, and a daemon that may be started anew, which forgets all
// streams. It serves a stream as src/serve/viewing does.
import { UnknownHints } from "../../../src/core/fleet/stream/hints.ts";
import { HostStream } from "../../../src/core/fleet/stream/host.ts";
import type { Seals, StreamEnd } from "../../../src/core/fleet/stream/side.ts";
import { Viewer } from "../../../src/core/viewer/viewer.ts";
import { RESUME_WINDOW_BYTES, Viewers } from "../../../src/core/viewer/viewers.ts";
import type { SimBroker } from "./broker.ts";
import { CountedClock, ProcessClock, type SimTime } from "./clock.ts";
import { INPUT, POOL } from "./pool.ts";

const MODES = {
  application_cursor: false,
  application_keypad: false,
  bracketed_paste: false,
  mouse: "none",
  mouse_format: "x10",
  focus: false,
  kitty_keyboard: 0,
} as const;

/** What the sent input of one stream became. */
export interface Typing {
  /** Where its first byte stands in all input. */
  readonly from: number;
  readonly sent: number[];
  sentBytes: number;
  typed: number;
  typedBytes: number;
}

export interface Served {
  readonly stream: HostStream<Buffer>;
  readonly typing: Typing;
  end: StreamEnd | undefined;
}

export class Owner {
  fed = 0;
  clock: ProcessClock;
  served = new Map<string, Served>();
  /** How long a repaint is. */
  paintBytes = 1_000;
  #viewers: Viewers;
  #hints: UnknownHints;
  /** Where the last byte that was typed stands in all input. */
  #typedTo = 0;
  #said = 0;

  readonly #time: SimTime;
  readonly #broker: SimBroker;
  readonly #from: number;

  constructor(time: SimTime, broker: SimBroker, from: number) {
    [this.#time, this.#broker, this.#from] = [time, broker, from];
    this.clock = new ProcessClock(time);
    this.#viewers = this.#newViewers();
    this.#hints = new UnknownHints(this.clock);
    broker.listeners.host = {
      enter: (run) => this.clock.enter(run),
      heard: (id, frame) => this.#heard(id, frame),
    };
  }

  journal(from: number, to: number): Uint8Array {
    return POOL.subarray(this.#from + from, this.#from + to);
  }

  grow(bytes: number): void {
    const from = this.fed;
    this.fed += bytes;
    for (let at = from; at < this.fed; at += 64 << 10) {
      const end = Math.min(this.fed, at + (64 << 10));
      this.#viewers.played(this.journal(at, end), at);
    }
  }

  repaintAll(): void {
    this.#viewers.repaintAll();
  }

  /** A text that all viewers get, of this length. */
  tell(length: number): void {
    this.#said += 1;
    this.#viewers.tell({ type: "notice", message: `${this.#said} ${"ü".repeat(length)}` });
  }

  /** kill -9, and a new one at once. */
  restart(): void {
    this.clock.die();
    this.clock = new ProcessClock(this.#time);
    this.served = new Map();
    this.#viewers = this.#newViewers();
    this.#hints = new UnknownHints(this.clock);
  }

  attach(
    id: string,
    how: { cursor: number | undefined; instead: string | undefined; seals: Seals; window: number; typing: Typing },
  ): void {
    const { cursor, instead, seals, window, typing } = how;
    // A key that is still on its way there would be typed after what is typed here.
    this.served.get(instead ?? "")?.stream.terminate();
    const clock = new CountedClock(this.clock);
    const stream = new HostStream<Buffer>({
      send: (frame) => this.#broker.publish("host", id, frame),
      seals,
      clock,
      window,
      bytesOf: (data) => Buffer.from(data.buffer, data.byteOffset, data.length),
      onEnd: (end) => {
        served.end = end;
        if (clock.timers > 0) throw new Error("a host end has a timer after its end");
        this.served.delete(id);
      },
    });
    const served: Served = { stream, typing, end: undefined };
    this.served.set(id, served);
    const link = {
      bytes(bytes: Uint8Array) {
        // Whoever sends may use its bytes again.
        const copy = bytes.slice();
        stream.send(copy);
        copy.fill(0xcc);
      },
      drawing: (ansi: string) => stream.send(Buffer.from(ansi)),
      text: (message: object) => stream.send(JSON.stringify(message)),
      buffered: () => stream.bufferedAmount,
    };
    const viewer = new Viewer({ link, role: "input", paint: "history", cursor });
    stream.onMessage((data, binary) => (binary ? this.#type(typing, data) : this.#control(viewer, data.toString())));
    stream.onClose(() => this.#viewers.remove(viewer));
    link.text({
      type: "hello",
      session_id: "s_00000001",
      cursor: this.fed,
      cols: 80,
      rows: 24,
      seq: 1,
      state: "running",
    });
    this.#viewers.add(viewer, cursor);
  }

  #heard(id: string, frame: Uint8Array): void {
    const served = this.served.get(id);
    if (served) return served.stream.heard(frame);
    const hint = this.#hints.of(id);
    if (hint) this.#broker.publish("host", id, hint);
  }

  /** The law of keys: of each stream the messages that were sent, in their order; and nothing of an earlier stream after a later. */
  #type(typing: Typing, data: Buffer): void {
    const at = typing.from + typing.typedBytes;
    const wanted = INPUT.subarray(at, at + (typing.sent[typing.typed] ?? 0));
    if (data.length === 0 || !data.equals(wanted))
      throw new Error(`input ${typing.typed} of a stream was typed out of turn`);
    if (at < this.#typedTo) throw new Error("input of an earlier stream was typed after a later one");
    typing.typed += 1;
    typing.typedBytes += data.length;
    this.#typedTo = at + data.length;
  }

  #control(viewer: Viewer, text: string): void {
    const message = JSON.parse(text) as { type: string; cursor: number };
    if (message.type === "ack") this.#viewers.shown(viewer, message.cursor);
  }

  #newViewers(): Viewers {
    const pictures = {
      held: () => false,
      pictureMs: () => 16,
      came: () => undefined,
      floods: false,
      picture: () => ({
        fed: this.fed,
        rows: [`${this.fed}`],
        cursor: { row: 0, col: 0, visible: true },
        title: "",
        alt_screen: false,
        modes: MODES,
        cols: 80,
        rows_count: 1,
      }),
    };
    const source = {
      owner: this,
      get fed() {
        return this.owner.fed;
      },
      since: (cursor: number) =>
        cursor <= this.fed && this.fed - cursor <= RESUME_WINDOW_BYTES ? this.journal(cursor, this.fed) : undefined,
      repaint: () => paintOf(this.fed, this.paintBytes),
    };
    return new Viewers(this.clock, source, pictures, () => undefined);
  }
}

/** A picture that tells what it shows, and how long it is. */
export function paintOf(fed: number, bytes: number): Uint8Array {
  const paint = POOL.slice(0, Math.max(16, bytes));
  const view = new DataView(paint.buffer);
  view.setFloat64(0, fed);
  view.setFloat64(8, paint.length);
  return paint;
}
