// What everybody holds who embeds duetty or connects to it: the operations as methods, and streams. Types only.
import type { Output } from "../protocol/ops.ts";
import type { FromViewer, ToViewer } from "../protocol/stream.ts";
import type { Client } from "./client.ts";

/** Every operation of the table as a method, and streams. */
export type Connection = Client & Streams;

export interface Streams extends AsyncDisposable {
  /** A live terminal: bytes both ways, from a cursor, over lost connections. */
  attach(session_id: string, options?: AttachOptions): Attachment;
  /** Something changed: one value per change (operation `news`), until the signal or the end of the connection. */
  changes(options?: { readonly signal?: AbortSignal | undefined }): AsyncIterable<Output<"news">>;
  /** What changed on a screen, from a delta cursor on (operation `pty_read_screen_deltas`), until the session has ended. */
  deltas(session_id: string, options?: DeltaOptions): AsyncIterable<Output<"pty_read_screen_deltas">>;
  /** Ends its streams and calls. Sessions live on, unless they live in this process. */
  close(): Promise<void>;
}

export interface AttachOptions {
  /** The byte to go on from. Default: a picture of the terminal as it is now. */
  readonly cursor?: number | undefined;
  /** Who watches types nothing. Default: input. */
  readonly role?: "input" | "watch" | undefined;
  /** The size that this viewer asks for. Default: the session keeps its own. */
  readonly cols?: number | undefined;
  readonly rows?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface DeltaOptions {
  /** The `resume_cursor` of an earlier answer. Default: from the first change on. */
  readonly cursor?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One viewer of one terminal. What its reader has not taken holds the sender back; another loop goes on where the last was left. */
export interface Attachment extends AsyncIterable<AttachEvent>, AsyncDisposable {
  /** How many bytes of the session's output its reader was given. */
  readonly cursor: number | undefined;
  /**
   * Without a connection it is kept until there is one. False: too much is kept, or it is for another machine, for which nothing is
   * kept. Then a notice says how many keys may have been lost with the connection.
   */
  write(data: string | Uint8Array): boolean;
  resize(cols: number, rows: number): void;
  /** Take, release, stop, answer, visible … False: there is no connection. */
  send(message: FromViewer): boolean;
  /** Resolves when the other side has all that was typed. */
  settled(): Promise<void>;
  close(): void;
}

export type StreamPhase = "connecting" | "open" | "reconnecting" | "closed";

/** A repaint is the whole picture: what was drawn before is to be cleared. */
export type AttachEvent =
  | { readonly type: "bytes"; readonly bytes: Uint8Array; readonly cursor: number }
  | { readonly type: "repaint"; readonly bytes: Uint8Array; readonly cursor: number }
  | { readonly type: "phase"; readonly phase: StreamPhase }
  | Exclude<ToViewer, { type: "snapshot" | "typed" }>;

/** What a stream needs of a WebSocket: the browser's, that of `ws`, or one end of a pair in this process. */
export interface SocketLike {
  binaryType: string;
  readonly readyState: number;
  // Only written: what a WebSocket hands over is more than we read.
  get onopen(): unknown;
  set onopen(run: (() => void) | null);
  get onmessage(): unknown;
  set onmessage(run: ((event: { readonly data: unknown }) => void) | null);
  get onclose(): unknown;
  set onclose(run: ((event: { readonly code: number }) => void) | null);
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(): void;
}

/** Opens the socket /v1/sessions/ID/terminal with this query. */
export type OpenSocket = (session_id: string, query: URLSearchParams) => SocketLike;
