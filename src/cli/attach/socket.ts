// The connection of an attached terminal. Owns: connecting again after the daemon died, and keys that the daemon has not confirmed.
// The holder starts a new daemon; we only wait for it, and say so after a while.
import { WebSocket } from "ws";
import { KeptInput, keysIn, lostKeysWords, viewerNumber } from "../../core/base/kept-input.ts";
import type { FromViewer, ToViewer } from "../../protocol/stream.ts";

const RETRY_MS = 200;
/** Until then a daemon usually is back. Then the person is told what to do. */
const AWAY_MS = 5_000;
/** Somebody who starts duetty again by hand has done it by then. */
const GIVE_UP_MS = 120_000;

interface AttachSocketEvents {
  opened(): void;
  message(message: ToViewer): void;
  /** There is no connection for now, in words, and what becomes of keys. */
  away(words: string): void;
  /** There will be none. */
  failed(why: string): void;
}

export class AttachSocket {
  #address: string;
  #token: string;
  #on: AttachSocketEvents | undefined;
  #socket: WebSocket | undefined;
  #input: KeptInput;
  #number = viewerNumber(Math.random());
  #awaySince: number | undefined;
  #hasOpened = false;
  #hasGreeted = false;
  #retry: NodeJS.Timeout | undefined;
  #isOver = false;
  /** The other machine that the session is on. */
  #host: string | undefined;
  #lostKeys = 0;

  constructor(address: string, token: string, host?: string) {
    [this.#address, this.#token, this.#host] = [address, token, host];
    this.#input = new KeptInput((bytes) => this.#socket?.send(bytes), host === undefined ? "kept" : "once");
  }

  begin(on: AttachSocketEvents): void {
    this.#on = on;
    this.#connect();
  }

  /** What was lost with the last connection, in words, until somebody types again. */
  get lost(): string | undefined {
    return this.#lostKeys === 0 ? undefined : lostKeysWords(this.#lostKeys, this.#host ?? "");
  }

  /** Kept while there is no connection. To another machine it is refused then, and that is said. */
  type(bytes: Buffer): void {
    const done = this.#input.type(new Uint8Array(bytes));
    if (done === "sent") this.#lostKeys = 0;
    if (done === "refused") this.#on?.away(this.#awayWords());
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
      [this.#awaySince, this.#hasGreeted] = [undefined, true];
      this.#input.opened();
    }
    if (message.type === "typed") this.#input.confirm(message.typed);
    this.#on?.message(message);
  }

  #lost(why: string): void {
    this.#socket = undefined;
    if (this.#isOver) return;
    this.#lostKeys += keysIn(this.#input.lost());
    if (!this.#hasOpened) return this.#on?.failed(why);
    this.#awaySince ??= performance.now();
    // Another machine may be away for days, and nothing here is wrong.
    if (this.#awayMs > GIVE_UP_MS && this.#host === undefined)
      return this.#on?.failed("duetty is not running; start it again with: duetty");
    this.#on?.away(this.#awayWords());
    this.#retry = setTimeout(() => this.#connect(), RETRY_MS);
  }

  get #awayMs(): number {
    return performance.now() - (this.#awaySince ?? performance.now());
  }

  #awayWords(): string {
    const isLong = this.#awayMs > AWAY_MS;
    if (this.#host !== undefined) {
      const trying = this.#hasGreeted ? "Reconnecting…" : `Connecting to ${this.#host}…`;
      const words = isLong ? `${this.#host} is not reached.` : trying;
      return [words, "Keys are not sent.", this.lost].filter(Boolean).join(" ");
    }
    const kept = this.#input.waiting.length;
    const typed = kept === 0 ? "" : ` Your ${kept === 1 ? "key is" : `${kept} keys are`} kept.`;
    return (isLong ? "duetty is not running. Start it again with: duetty." : "Reconnecting…") + typed;
  }
}
