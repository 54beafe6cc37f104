// Two ends of a socket in one process: what a viewer's socket is over the network. Frames arrive in later turns and in their order.
import type { SocketLike } from "../client/connection.ts";
import type { ViewerSocket } from "../serve/viewing/viewer-socket.ts";

const OPEN = 1;
const CLOSED = 3;
/** As a browser says it: the connection was lost without a word. */
const LOST = 1006;
const NORMAL = 1000;

type Heard = ((event: { readonly data: unknown }) => void) | null;
type Closed = ((event: { readonly code: number }) => void) | null;

export function socketPair(): { readonly viewer: ViewerSocket; readonly client: SocketLike } {
  const viewer = new ViewerEnd();
  return { viewer, client: viewer.client };
}

class ViewerEnd implements ViewerSocket {
  readonly client = new ClientEnd(this);
  isOpen = true;
  bufferedAmount = 0;
  #take: ((data: Buffer, binary: boolean) => void) | undefined;
  #closers: (() => void)[] = [];

  send(data: Uint8Array | string, left?: () => void): void {
    // Whoever sends may use its bytes again.
    const frame = typeof data === "string" ? data : new Uint8Array(data).buffer;
    this.bufferedAmount += data.length;
    setImmediate(() => {
      this.bufferedAmount -= data.length;
      if (this.isOpen) this.client.heard?.({ data: frame });
      left?.();
    });
  }

  close(code: number): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    for (const run of this.#closers) run();
    setImmediate(() => this.client.closed?.({ code }));
  }

  terminate(): void {
    this.close(LOST);
  }

  onMessage(run: ((data: Buffer, binary: boolean) => void) | undefined): void {
    this.#take = run;
  }

  onClose(run: () => void): void {
    if (this.isOpen) this.#closers.push(run);
    else run();
  }

  /** From the other end. */
  take(frame: Buffer, binary: boolean): void {
    setImmediate(() => (this.isOpen ? this.#take?.(frame, binary) : undefined));
  }
}

class ClientEnd implements SocketLike {
  binaryType = "arraybuffer";
  /** It is open from the beginning. */
  onopen: unknown = null;
  heard: Heard = null;
  closed: Closed = null;
  #viewer: ViewerEnd;

  constructor(viewer: ViewerEnd) {
    this.#viewer = viewer;
  }

  get readyState(): number {
    return this.#viewer.isOpen ? OPEN : CLOSED;
  }
  set onmessage(run: Heard) {
    this.heard = run;
  }
  set onclose(run: Closed) {
    this.closed = run;
  }

  send(data: string | Uint8Array): void {
    this.#viewer.take(Buffer.from(data), typeof data !== "string");
  }

  close(): void {
    this.#viewer.close(NORMAL);
  }
}
