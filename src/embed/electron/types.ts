// The few things of Electron that the bridge uses, by shape: the library needs no Electron to compile or to be tested. A test
// checks that the real electron.d.ts fits.

export interface FrameLike {
  readonly url: string;
  readonly parent: unknown;
}

export interface WebContentsLike {
  readonly id: number;
  send(channel: string, ...args: unknown[]): void;
  isDestroyed(): boolean;
  on(event: WindowEnd, listener: () => void): unknown;
  removeListener(event: WindowEnd, listener: () => void): unknown;
}

/** The document of a window is gone: another one was loaded, its process died, or the window was closed. */
export type WindowEnd = "did-navigate" | "render-process-gone" | "destroyed";

export interface InvokeEventLike {
  readonly sender: WebContentsLike;
  /** Null when the frame is gone already. */
  readonly senderFrame: FrameLike | null;
}

export interface MessageEventLike extends InvokeEventLike {
  readonly ports: readonly MainPortLike[];
}

export interface MainPortLike {
  on(event: "message", listener: (message: { readonly data: unknown }) => void): unknown;
  on(event: "close", listener: () => void): unknown;
  postMessage(message: unknown): void;
  start(): void;
  close(): void;
}

export interface IpcMainLike {
  handle(channel: string, listener: (event: InvokeEventLike, ...args: unknown[]) => Promise<unknown>): void;
  removeHandler(channel: string): void;
  on(channel: string, listener: (event: MessageEventLike, ...args: unknown[]) => void): unknown;
  removeListener(channel: string, listener: (event: MessageEventLike, ...args: unknown[]) => void): unknown;
}

export interface IpcRendererLike {
  invoke(channel: string, ...args: unknown[]): Promise<unknown>;
  send(channel: string, ...args: unknown[]): void;
  postMessage(channel: string, message: unknown, transfer?: unknown[]): void;
  on(channel: string, listener: (event: unknown, ...args: unknown[]) => void): unknown;
}

export interface ContextBridgeLike {
  exposeInMainWorld(name: string, api: unknown): void;
}
