// Two ends of a socket in one process: what a viewer's socket is over the network. Frames arrive in later turns and in their order.
import type { SocketLike } from "../client/connection.ts";
import type { ViewerSocket } from "../serve/viewing/viewer-socket.ts";

const OPEN = 1;
const CLOSED = 3;
/** As a browser says it: the connection was lost without a word. */
const LOST = 1006;
const NORMAL = 1000;

export function socketPair(): { readonly viewer: ViewerSocket; readonly client: SocketLike } {
  let state = OPEN;
  let buffered = 0;
  let take: ((data: Buffer, binary: boolean) => void) | undefined;
  const closers: (() => void)[] = [];
  const on: {
    message: ((event: { readonly data: unknown }) => void) | null;
    close: ((event: { readonly code: number }) => void) | null;
  } = { message: null, close: null };

  const close = (code: number) => {
    if (state === CLOSED) return;
    state = CLOSED;
    for (const run of closers) run();
    setImmediate(() => on.close?.({ code }));
  };
  const client: SocketLike = {
    binaryType: "arraybuffer",
    // It is open from the beginning.
    onopen: null,
    set onmessage(run: typeof on.message) {
      on.message = run;
    },
    set onclose(run: typeof on.close) {
      on.close = run;
    },
    get readyState() {
      return state;
    },
    send(data) {
      const isText = typeof data === "string";
      // Whoever sends may use its bytes again.
      const frame = Buffer.from(data);
      setImmediate(() => (state === OPEN ? take?.(frame, !isText) : undefined));
    },
    close: () => close(NORMAL),
  };
  const viewer: ViewerSocket = {
    get isOpen() {
      return state === OPEN;
    },
    get bufferedAmount() {
      return buffered;
    },
    send(data) {
      const frame = typeof data === "string" ? data : new Uint8Array(data).buffer;
      buffered += data.length;
      setImmediate(() => {
        buffered -= data.length;
        if (state === OPEN) on.message?.({ data: frame });
      });
    },
    close,
    terminate: () => close(LOST),
    onMessage(run) {
      take = run;
    },
    onClose(run) {
      if (state === CLOSED) run();
      else closers.push(run);
    },
  };
  return { viewer, client };
}
