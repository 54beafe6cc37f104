// The socket of one terminal. Owns: connecting again, the cursor (how many bytes of output were received), and keys that the other
// side has not confirmed: they are sent again, and never twice. Those to another machine are sent once, and told when they may be lost.
// Refuses: to draw anything, and to know what opens sockets.
import { KeptInput, keysIn, type Sending, viewerNumber } from "../core/base/kept-input.ts";
import { placeOf } from "../protocol/plain/host-place.ts";
import { VISIT_OVER } from "../protocol/plain/visit-over.ts";
import type { FromViewer, ToViewer } from "../protocol/stream.ts";
import { backoffMs } from "./backoff.ts";
import type { SocketLike, StreamPhase } from "./connection.ts";

/** What a WebSocket says of itself. */
const CONNECTING = 0;
const OPEN = 1;

export interface StreamEvents {
  onPhase(phase: StreamPhase): void;
  /** Everything except snapshots, which arrive as `onRepaint`. */
  onMessage(message: Exclude<ToViewer, { type: "snapshot" }>): void;
  /** The cursor is behind these bytes. */
  onBytes(bytes: Uint8Array, cursor: number): void;
  /** `part`: only what is visible. A whole one follows. */
  onRepaint(bytes: Uint8Array, cursor: number, part: "whole" | "screen"): void;
  /** The connection failed. A call can say why (signed out, session gone). */
  onRefused(): void;
  /** What was typed without a connection; empty: nothing. */
  onKept?(bytes: Uint8Array): void;
  /** So many keys may not have been typed on the other machine, and will not be. */
  onLost?(keys: number): void;
}

export interface StreamOptions {
  readonly cursor?: number | undefined;
  readonly sending?: Sending | undefined;
}

/** How keys go to a session: a name with a slash is that of another machine's. */
export function sendingTo(session_id: string): Sending {
  return placeOf(session_id) ? "once" : "kept";
}

export class TerminalStream {
  #open: (query: URLSearchParams) => SocketLike;
  #events: StreamEvents;
  #socket: SocketLike | undefined;
  #input: KeptInput;
  #number = viewerNumber(Math.random());
  #cursor: number | undefined;
  #snapshot: Extract<ToViewer, { type: "snapshot" }> | undefined;
  #attempt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  #whenSettled: (() => void)[] = [];

  constructor(
    open: (query: URLSearchParams) => SocketLike,
    events: StreamEvents,
    { cursor, sending }: StreamOptions = {},
  ) {
    [this.#open, this.#events, this.#cursor] = [open, events, cursor];
    this.#input = new KeptInput((bytes) => this.#socket?.send(bytes), sending);
    this.#connect("connecting");
  }

  /** Without a connection it is kept until there is one. False when too much is kept, or when nothing is. */
  type(bytes: Uint8Array<ArrayBuffer>): boolean {
    const done = this.#input.type(bytes);
    if (done === "kept") this.#tellKept();
    return done === "sent" || done === "kept";
  }

  discard(): void {
    this.#input.discard();
    this.#tellKept();
    this.#settle();
  }

  /** Resolves when the other side has all that was typed. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenSettled.push(resolve);
      this.#settle();
    });
  }

  /** False when there is no connection. */
  send(message: FromViewer): boolean {
    if (this.#socket?.readyState !== OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.#isOver = true;
    this.rest();
    this.#events.onPhase("closed");
  }

  /** Without a connection until `hurry`. */
  rest(): void {
    clearTimeout(this.#retry);
    if (this.#socket) part(this.#socket);
    this.#socket = undefined;
    this.#dropped();
  }

  /** Connects now if there is no connection. */
  hurry(): void {
    if (!this.#socket && !this.#isOver) this.#connect("reconnecting");
  }

  #connect(phase: StreamPhase): void {
    clearTimeout(this.#retry);
    this.#snapshot = undefined;
    this.#events.onPhase(phase);
    const query = new URLSearchParams({ viewer: `${this.#number}.${this.#input.from}` });
    if (this.#cursor !== undefined) query.set("cursor", `${this.#cursor}`);
    const socket = this.#open(query);
    socket.binaryType = "arraybuffer";
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#receive(data);
    };
    socket.onclose = ({ code }) => {
      if (socket !== this.#socket) return;
      if (code !== VISIT_OVER) return this.#lost();
      this.close();
      this.#events.onRefused();
    };
    this.#socket = socket;
  }

  #receive(data: unknown): void {
    if (data instanceof ArrayBuffer) return this.#bytes(new Uint8Array(data));
    // The daemon wrote it.
    const message = JSON.parse(String(data)) as ToViewer;
    if (message.type === "snapshot") {
      this.#snapshot = message;
      return;
    }
    if (message.type === "hello") this.#greeted();
    if (message.type === "typed") {
      this.#input.confirm(message.typed);
      this.#settle();
    }
    this.#events.onMessage(message);
  }

  #settle(): void {
    if (this.#input.isConfirmed) for (const done of this.#whenSettled.splice(0)) done();
  }

  #dropped(): void {
    const keys = keysIn(this.#input.lost());
    if (keys > 0) this.#events.onLost?.(keys);
    this.#settle();
  }

  #tellKept(): void {
    this.#events.onKept?.(this.#input.waiting);
  }

  #greeted(): void {
    this.#attempt = 0;
    this.#events.onPhase("open");
    this.#input.opened();
    this.#tellKept();
  }

  #bytes(bytes: Uint8Array): void {
    const snapshot = this.#snapshot;
    this.#snapshot = undefined;
    if (!snapshot) {
      this.#cursor = (this.#cursor ?? 0) + bytes.length;
      return this.#events.onBytes(bytes, this.#cursor);
    }
    // A new connection begins with a whole picture: bytes cannot continue what is only visible.
    this.#cursor = snapshot.part ? undefined : snapshot.cursor;
    this.#events.onRepaint(bytes, snapshot.cursor, snapshot.part ?? "whole");
  }

  #lost(): void {
    this.#socket = undefined;
    this.#dropped();
    this.#events.onPhase("reconnecting");
    const attempt = this.#attempt;
    this.#attempt += 1;
    this.#retry = setTimeout(() => this.hurry(), backoffMs(attempt, Math.random()));
    if (attempt > 0) this.#events.onRefused();
  }
}

/** Closing a socket that is not open yet makes browsers complain in the console. */
function part(socket: SocketLike): void {
  if (socket.readyState === CONNECTING) socket.onopen = () => socket.close();
  else socket.close();
}
