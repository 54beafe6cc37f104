// One viewer as an iterable. Owns: the events that its reader has not taken, and what the sender may send until then. A reader that
// falls behind holds the sender back; one that is far behind gets a whole picture instead of what it missed.
import { lostKeysWords } from "../core/base/kept-input.ts";
import type { ToViewer } from "../protocol/stream.ts";
import { CallError } from "./client.ts";
import type { AttachEvent, Attachment, AttachOptions, SocketLike, StreamPhase } from "./connection.ts";
import type { End } from "./over.ts";
import { TerminalStream } from "./stream.ts";

/** The sender's window is 512 KiB: an answer every eighth of it keeps bytes coming. */
const ACK_EVERY_BYTES = 64 << 10;
/** Bytes are held back by the window. Who leaves this many events unread has no connection until they are taken. */
const UNREAD_EVENTS_MAX = 5_000;
/** One frame. The other side takes four times as much. */
const FRAME_BYTES_MAX = 1 << 20;

export const CLOSED = {
  code: "connection.closed",
  message: "this connection was closed",
  hint: "Connect again. Sessions of a daemon live on.",
};
const OVER = {
  code: "auth.forbidden",
  message: "the link, device or token that this connection came by is good no more",
  hint: "Ask the person who gave it for a new one.",
};

interface AttachmentParts {
  open(query: URLSearchParams): SocketLike;
  /** Asks why a connection may have failed. Undefined: it is worth another try. */
  why(): Promise<Error | undefined>;
  /** The other machine that the session is on. Undefined: this one. */
  readonly host?: string | undefined;
  /** The end of the connection that it belongs to. */
  readonly over: End;
}

export class LiveAttachment implements Attachment {
  #parts: AttachmentParts;
  #options: AttachOptions;
  #stream: TerminalStream;
  #cursor: number | undefined;
  #acked = 0;
  #unread: AttachEvent[] = [];
  #wakes: (() => void)[] = [];
  #phase: StreamPhase = "connecting";
  #isResting = false;
  #end = new AbortController();
  #failure: Error | undefined;
  #size: { readonly cols: number; readonly rows: number } | undefined;
  /** Whether the session shall have that size, also if others have another one. */
  #asks = true;

  constructor(parts: AttachmentParts, options: AttachOptions) {
    [this.#parts, this.#options, this.#cursor] = [parts, options, options.cursor];
    const { role, cols, rows } = options;
    if (cols !== undefined && rows !== undefined) this.#size = { cols, rows };
    const open = (query: URLSearchParams) => {
      if (role === "watch") query.set("role", role);
      return parts.open(query);
    };
    const events = {
      onPhase: (phase: StreamPhase) => {
        this.#phase = phase;
        this.#push({ type: "phase", phase });
      },
      onMessage: (message: Exclude<ToViewer, { type: "snapshot" }>) => this.#heard(message),
      onBytes: (bytes: Uint8Array, cursor: number) => this.#printed(bytes, cursor),
      onRepaint: (bytes: Uint8Array, cursor: number) => this.#repainted({ type: "repaint", bytes, cursor }),
      onRefused: () => void this.#refused(),
      onLost: (keys: number) => this.#push({ type: "notice", message: lostKeysWords(keys, parts.host ?? "") }),
    };
    this.#stream = new TerminalStream(open, events, {
      cursor: options.cursor,
      sending: parts.host === undefined ? "kept" : "once",
    });
    for (const signal of [parts.over, options.signal]) {
      signal?.addEventListener("abort", () => this.close(), { signal: this.#end.signal });
      if (signal?.aborted) this.close();
    }
  }

  get cursor(): number | undefined {
    return this.#cursor;
  }

  write(data: string | Uint8Array): boolean {
    if (this.#end.signal.aborted || this.#options.role === "watch") return false;
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : new Uint8Array(data);
    for (let at = 0; at < bytes.length; at += FRAME_BYTES_MAX)
      if (!this.#stream.type(bytes.slice(at, at + FRAME_BYTES_MAX))) return false;
    return true;
  }

  resize(cols: number, rows: number): void {
    this.#size = { cols, rows };
    this.#asks = !this.#stream.send({ type: "resize", cols, rows, asks: true });
  }

  send(message: Parameters<Attachment["send"]>[0]): boolean {
    return this.#stream.send(message);
  }

  settled(): Promise<void> {
    const { signal } = this.#end;
    return new Promise((resolve, reject) => {
      const fail = () => reject(this.#failure ?? new CallError(CLOSED));
      if (signal.aborted) return fail();
      signal.addEventListener("abort", fail);
      void this.#stream.settled().then(() => {
        signal.removeEventListener("abort", fail);
        resolve();
      });
    });
  }

  close(): void {
    if (this.#end.signal.aborted) return;
    this.#unread = [];
    this.#stream.close();
    this.#finish();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  /** Another loop goes on where the last one was left. */
  async *[Symbol.asyncIterator](): AsyncGenerator<AttachEvent, void> {
    for (;;) {
      const event = this.#unread.shift();
      if (event) {
        if ("bytes" in event) this.#cursor = event.cursor;
        try {
          yield event;
        } finally {
          this.#taken(event);
        }
      } else if (this.#end.signal.aborted) {
        if (this.#failure) throw this.#failure;
        return;
      } else await this.#more();
    }
  }

  #more(): Promise<void> {
    const woken = new Promise<void>((resolve) => this.#wakes.push(resolve));
    if (this.#isResting) {
      this.#isResting = false;
      this.#stream.hurry();
    }
    return woken;
  }

  #push(event: AttachEvent): void {
    this.#unread.push(event);
    for (const wake of this.#wakes.splice(0)) wake();
    if (this.#unread.length < UNREAD_EVENTS_MAX || this.#isResting) return;
    this.#isResting = true;
    this.#stream.rest();
  }

  /** What waits together is taken together. */
  #printed(bytes: Uint8Array, cursor: number): void {
    const last = this.#unread.at(-1);
    if (last?.type !== "bytes" || last.bytes.length + bytes.length > ACK_EVERY_BYTES)
      return this.#push({ type: "bytes", bytes, cursor });
    const both = new Uint8Array(last.bytes.length + bytes.length);
    both.set(last.bytes);
    both.set(bytes, last.bytes.length);
    this.#unread[this.#unread.length - 1] = { type: "bytes", bytes: both, cursor };
  }

  /** The picture contains what was printed before it. */
  #repainted(event: AttachEvent): void {
    this.#unread = this.#unread.filter((unread) => !("bytes" in unread));
    this.#push(event);
  }

  #heard(message: Exclude<ToViewer, { type: "snapshot" }>): void {
    if (message.type === "typed") return;
    if (message.type === "hello") {
      // From its first answer on a viewer is sent no more than the window.
      this.#stream.send({ type: "ack", cursor: this.#cursor ?? message.cursor });
      if (this.#size && this.#stream.send({ type: "resize", ...this.#size, asks: this.#asks })) this.#asks = false;
    }
    this.#push(message);
  }

  #taken(event: AttachEvent): void {
    if (event.type !== "bytes" && event.type !== "repaint") return;
    if (event.type === "bytes" && event.cursor - this.#acked < ACK_EVERY_BYTES) return;
    this.#acked = event.cursor;
    this.#stream.send({ type: "ack", cursor: event.cursor });
  }

  async #refused(): Promise<void> {
    // Closed by the stream itself: nobody may come back.
    const failure = this.#phase === "closed" ? new CallError(OVER) : await this.#parts.why();
    if (!failure || this.#end.signal.aborted) return;
    this.#failure = failure;
    if (this.#phase !== "closed") this.#stream.close();
    this.#finish();
  }

  #finish(): void {
    this.#end.abort();
    for (const wake of this.#wakes.splice(0)) wake();
  }
}
