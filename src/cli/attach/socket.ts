// The connection of an attached terminal. Owns: connecting again after the daemon died, and keys that the daemon has not confirmed.
// The holder starts a new daemon; we only wait for it, and say so after a while.
import { WebSocket } from "ws";
import { KeptInput, viewerNumber } from "../../core/base/kept-input.ts";
import type { FromViewer, ToViewer } from "../../protocol/stream.ts";

const RETRY_MS = 200;
/** Until then a daemon usually is back. Then the person is told what to do. */
const AWAY_MS = 5_000;
/** Somebody who starts duetty again by hand has done it by then. */
const GIVE_UP_MS = 120_000;

interface AttachSocketEvents {
  opened(): void;
  message(message: ToViewer): void;
  /** There is no connection for now; `long`: for so long that it will not come back by itself. */
  away(how: "short" | "long"): void;
  /** There will be none. */
  failed(why: string): void;
}

export class AttachSocket {
  #address: string;
  #token: string;
  #on: AttachSocketEvents | undefined;
  #socket: WebSocket | undefined;
  #input = new KeptInput((bytes) => this.#socket?.send(bytes));
  #number = viewerNumber(Math.random());
  #awaySince: number | undefined;
  #hasOpened = false;
  #retry: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(address: string, token: string) {
    this.#address = address;
    this.#token = token;
  }

  begin(on: AttachSocketEvents): void {
    this.#on = on;
    this.#connect();
  }

  /** How much was typed that waits for a connection. */
  get kept(): number {
    return this.#input.waiting.length;
  }

  /** Kept while there is no connection. */
  type(bytes: Buffer): void {
    this.#input.type(new Uint8Array(bytes));
  }

  /** Lost while there is no connection: an answer counts for what one sees. */
  send(message: FromViewer): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  terminate(): void {
    this.#isOver = true;
    clearTimeout(this.#retry);
    this.#socket?.terminate();
  }

  #connect(): void {
    const socket = new WebSocket(`${this.#address}&viewer=${this.#number}.${this.#input.from}`, {
      headers: { authorization: `Bearer ${this.#token}` },
      perMessageDeflate: false,
    });
    let why = "the connection to duetty was lost; duetty attach returns to the session";
    socket.on("open", () => {
      this.#socket = socket;
      if (!this.#hasOpened) this.#on?.opened();
      this.#hasOpened = true;
    });
    socket.on("message", (data: Buffer) => this.#receive(JSON.parse(data.toString()) as ToViewer));
    socket.on("error", (error) => {
      why = `connection failed: ${error.message}`;
    });
    socket.on("close", () => this.#lost(why));
  }

  #receive(message: ToViewer): void {
    if (message.type === "hello") {
      this.#awaySince = undefined;
      this.#input.opened();
    }
    if (message.type === "typed") this.#input.confirm(message.typed);
    this.#on?.message(message);
  }

  #lost(why: string): void {
    this.#socket = undefined;
    if (this.#isOver) return;
    this.#input.lost();
    if (!this.#hasOpened) return this.#on?.failed(why);
    this.#awaySince ??= performance.now();
    const awayMs = performance.now() - this.#awaySince;
    if (awayMs > GIVE_UP_MS) return this.#on?.failed("duetty is not running; start it again with: duetty");
    this.#on?.away(awayMs > AWAY_MS ? "long" : "short");
    this.#retry = setTimeout(() => this.#connect(), RETRY_MS);
  }
}
