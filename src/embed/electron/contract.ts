// What a page sees as `window.pty`, and the channels below it. Types and names only: the preload script loads nothing else.
import type { Approval } from "../../protocol/ops/gate.ts";

export interface PtyCreate {
  /** Default: the login shell. */
  readonly shell?: string;
  readonly cwd?: string;
  /** Default: 80 × 24. */
  readonly cols?: number;
  readonly rows?: number;
  /** Set on top of the environment that shells get; null removes. */
  readonly env?: Readonly<Record<string, string | null>>;
}

export interface PtyData {
  readonly sessionId: string;
  /** Raw bytes. A character may be cut between two events; terminals such as xterm.js join it. */
  readonly data: Uint8Array;
}

export interface PtyExit {
  readonly sessionId: string;
  /** 128 + N after signal N, as shells say it. -1: the session was lost, and nobody knows. */
  readonly exitCode: number;
}

export interface PtyApproval {
  readonly sessionId: string;
  /** Asked when its state is "pending", settled otherwise. */
  readonly approval: Approval;
}

export interface PtyAnswer {
  readonly sessionId: string;
  readonly approvalId: string;
  readonly answer: "approve" | "deny";
  /** What is to run instead of the text that was asked for. */
  readonly edit?: string | undefined;
  /** Of a denial, for the agent. */
  readonly reason?: string | undefined;
}

export interface Done {
  /** False: this window has no such session any more, or it cannot take more now. */
  readonly ok: boolean;
}

/** The session slows down with a window whose listener returns a promise: it is awaited. */
type Listener<E> = (event: E) => unknown;
type Unsubscribe = () => void;

/** `window.pty`. */
export interface PtyApi {
  create(wish?: PtyCreate): Promise<{ readonly sessionId: string }>;
  /** Text is typed as UTF-8. */
  write(input: { readonly sessionId: string; readonly data: string | Uint8Array }): Promise<Done>;
  resize(input: { readonly sessionId: string; readonly cols: number; readonly rows: number }): Promise<Done>;
  /** Ends the session and every process in it. */
  dispose(input: { readonly sessionId: string }): Promise<Done>;
  /** Answers a question of an agent in a session of this window. Refused unless the window is the person's. */
  answer(input: PtyAnswer): Promise<Done>;
  onData(listener: Listener<PtyData>): Unsubscribe;
  onExit(listener: Listener<PtyExit>): Unsubscribe;
  onApproval(listener: Listener<PtyApproval>): Unsubscribe;
}

/** What the main process tells a window, by channel. */
export interface Told {
  readonly "pty:data": PtyData;
  readonly "pty:exit": PtyExit;
  readonly "pty:approval": PtyApproval;
}

/** The same through a MessagePort. */
export type PortMessage = { readonly [C in keyof Told]: { readonly channel: C; readonly event: Told[C] } }[keyof Told];

/** A window has taken so many bytes of a session. */
export interface Taken {
  readonly sessionId: string;
  readonly bytes: number;
}

/** Carries a MessagePort, before the first session. */
export const PORT = "pty:port";
/** Carries what was taken where there is no port. */
export const TAKEN = "pty:taken";

/** A window may owe this much of one session before the session waits for it: a tenth of a second of a fast log. */
export const WINDOW_BYTES = 256 << 10;
