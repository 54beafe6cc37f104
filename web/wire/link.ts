// The socket of one terminal. Owns: connecting again, the cursor (how many bytes of output were received), and keys that the daemon
// has not confirmed: they are sent again, and never twice. Refuses: to draw anything.
import { KeptInput, viewerNumber } from "../../src/core/base/kept-input.ts";
import { VISIT_OVER } from "../../src/protocol/plain/visit-over.ts";
import type { FromViewer, ToViewer } from "../../src/protocol/stream.ts";
import { isMasked, passId } from "./api.ts";
import { backoffMs } from "./backoff.ts";

export type LinkPhase = "connecting" | "open" | "reconnecting" | "closed";

interface LinkEvents {
  onPhase(phase: LinkPhase): void;
  /** Everything except snapshots, which arrive as `onRepaint`. */
  onMessage(message: Exclude<ToViewer, { type: "snapshot" }>): void;
  onBytes(bytes: Uint8Array): void;
  onRepaint(bytes: Uint8Array, cursor: number): void;
  onCursor(cursor: number): void;
  /** The connection failed. HTTP can say why (signed out, session gone). */
  onRefused(): void;
  /** What was typed without a connection; empty: nothing. */
  onKept(bytes: Uint8Array): void;
}

export class Link {
  #url: string;
  #events: LinkEvents;
  #socket: WebSocket | undefined;
  #input = new KeptInput((bytes) => this.#socket?.send(bytes));
  #number = viewerNumber(Math.random());
  #cursor: number | undefined;
  #snapshotAt: number | undefined;
  #attempt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #leave = new AbortController();
  #whenSettled: (() => void)[] = [];

  constructor(sessionId: string, events: LinkEvents) {
    this.#url = `${location.origin.replace(/^http/, "ws")}/v1/sessions/${encodeURIComponent(sessionId)}/terminal`;
    this.#events = events;
    const { signal } = this.#leave;
    window.addEventListener("online", () => this.#hurry(), { signal });
    document.addEventListener("visibilitychange", () => this.#seen(), { signal });
    this.#connect("connecting");
  }

  /** Without a connection it is kept until there is one. False when too much is kept. */
  type(bytes: Uint8Array<ArrayBuffer>): boolean {
    const done = this.#input.type(bytes);
    if (done === "kept") this.#events.onKept(this.#input.waiting);
    return done !== "full";
  }

  discard(): void {
    this.#input.discard();
    this.#events.onKept(this.#input.waiting);
    this.#settle();
  }

  /** Resolves when the daemon has all that was typed. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenSettled.push(resolve);
      this.#settle();
    });
  }

  /** False when there is no connection. */
  send(message: FromViewer): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.#leave.abort();
    clearTimeout(this.#retry);
    if (this.#socket) part(this.#socket);
    this.#socket = undefined;
    this.#events.onPhase("closed");
  }

  #connect(phase: LinkPhase): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#snapshotAt = undefined;
    this.#events.onPhase(phase);
    const from = this.#cursor === undefined ? "" : `&cursor=${this.#cursor}`;
    const masked = isMasked() ? "&masked=1" : "";
    const pass = passId() === undefined ? "" : `&pass=${passId()}`;
    const socket = new WebSocket(`${this.#url}?viewer=${this.#number}.${this.#input.from}${from}${masked}${pass}`);
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
    // The daemon that serves this page wrote it.
    const message = JSON.parse(String(data)) as ToViewer;
    if (message.type === "snapshot") {
      this.#snapshotAt = message.cursor;
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

  #greeted(): void {
    this.#attempt = 0;
    this.#events.onPhase("open");
    this.#input.opened();
    this.#events.onKept(this.#input.waiting);
    if (document.hidden) this.send({ type: "visible", visible: false });
  }

  #bytes(bytes: Uint8Array): void {
    const snapshotAt = this.#snapshotAt;
    this.#snapshotAt = undefined;
    this.#cursor = snapshotAt ?? (this.#cursor ?? 0) + bytes.length;
    if (snapshotAt === undefined) this.#events.onBytes(bytes);
    else this.#events.onRepaint(bytes, snapshotAt);
    this.#events.onCursor(this.#cursor);
  }

  #lost(): void {
    this.#socket = undefined;
    this.#input.lost();
    this.#events.onPhase("reconnecting");
    if (this.#attempt > 0) this.#events.onRefused();
    this.#retry = setTimeout(() => this.#connect("reconnecting"), backoffMs(this.#attempt, Math.random()));
    this.#attempt += 1;
  }

  #hurry(): void {
    if (this.#retry !== undefined) this.#connect("reconnecting");
  }

  #seen(): void {
    if (!document.hidden) this.#hurry();
    this.send({ type: "visible", visible: !document.hidden });
  }
}

/** Closing a socket that is not open yet makes browsers complain in the console. */
function part(socket: WebSocket): void {
  if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
  else socket.close();
}
