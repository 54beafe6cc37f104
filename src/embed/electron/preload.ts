// Exposes `window.pty` to a page under contextIsolation and sandbox. The page gets functions and events, never the IPC itself.
// Owns: the page's listeners, and what comes before there is one.
import { PORT, type PortMessage, type PtyApi, TAKEN, type Taken, type Told } from "./contract.ts";
import type { ContextBridgeLike, IpcRendererLike } from "./types.ts";

/** What nobody listens to is kept up to this much, and the oldest leaves first. Less than a window may owe, so the session goes on. */
const KEPT_BYTES_MAX = 128 << 10;
/** Exits and questions that nobody listens to. */
const KEPT_EVENTS_MAX = 1_000;

export function exposePty(contextBridge: ContextBridgeLike, ipcRenderer: IpcRendererLike): void {
  contextBridge.exposeInMainWorld("pty", apiOver(ipcRenderer));
}

/** A MessagePort as browsers have it. */
interface Port {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  postMessage(message: unknown): void;
}

function apiOver(ipc: IpcRendererLike): PtyApi {
  const feeds: { readonly [C in keyof Told]: Feed<Told[C]> } = {
    "pty:data": new Feed(({ data }) => data.byteLength, KEPT_BYTES_MAX),
    "pty:exit": new Feed(() => 1, KEPT_EVENTS_MAX),
    "pty:approval": new Feed(() => 1, KEPT_EVENTS_MAX),
  };
  // The main process wrote all that comes here. What is taken is told the way it came.
  const pass = <C extends keyof Told>(channel: C, event: Told[C], tell: (taken: Taken) => void) =>
    feeds[channel].push(event, () => {
      if ("data" in event) tell({ sessionId: event.sessionId, bytes: event.data.byteLength });
    });
  for (const channel of ["pty:data", "pty:exit", "pty:approval"] as const) {
    ipc.on(channel, (_, event) => pass(channel, event as Told[typeof channel], (taken) => ipc.send(TAKEN, taken)));
  }
  let port: Port | undefined;
  // With the first session and not before: while a page is being loaded, Electron may take its frame for the one before.
  const offerPort = () => {
    if (port) return;
    const { port1, port2 } = new MessageChannel() as unknown as { readonly port1: Port; readonly port2: unknown };
    port1.onmessage = ({ data }) => {
      const { channel, event } = data as PortMessage;
      pass(channel, event, (taken) => port1.postMessage(taken));
    };
    port = port1;
    ipc.postMessage(PORT, null, [port2]);
  };
  const invoke = (channel: string, input: unknown) => ipc.invoke(channel, input) as Promise<never>;
  return {
    create: async (wish) => {
      offerPort();
      return invoke("pty:create", wish);
    },
    write: async (input) => invoke("pty:write", { ...input, data: alone(input?.data) }),
    resize: (input) => invoke("pty:resize", input),
    dispose: (input) => invoke("pty:dispose", input),
    answer: (input) => invoke("pty:answer", input),
    onData: (listener) => feeds["pty:data"].listen(listener),
    onExit: (listener) => feeds["pty:exit"].listen(listener),
    onApproval: (listener) => feeds["pty:approval"].listen(listener),
  };
}

interface Kept<E> {
  readonly event: E;
  readonly taken: () => void;
}

/** Events of one kind and who listens to them. An event is taken when all listeners are done with it. */
class Feed<E> {
  #weigh: (event: E) => number;
  #max: number;
  #listeners = new Set<(event: E) => unknown>();
  #kept: Kept<E>[] = [];
  #weight = 0;

  constructor(weigh: (event: E) => number, max: number) {
    this.#weigh = weigh;
    this.#max = max;
  }

  push(event: E, taken: () => void): void {
    this.#kept.push({ event, taken });
    this.#weight += this.#weigh(event);
    if (this.#listeners.size > 0) return this.#deliver();
    while (this.#weight > this.#max) this.#next()?.taken();
  }

  listen(listener: (event: E) => unknown): () => void {
    // The same function twice is two listeners.
    const own = (event: E) => listener(event);
    this.#listeners.add(own);
    // The page has its unsubscribe before the first event.
    queueMicrotask(() => this.#listeners.size > 0 && this.#deliver());
    return () => void this.#listeners.delete(own);
  }

  #deliver(): void {
    for (let kept = this.#next(); kept; kept = this.#next()) {
      const { event, taken } = kept;
      void Promise.all([...this.#listeners].map((listener) => calmly(listener, event))).then(taken);
    }
  }

  #next(): Kept<E> | undefined {
    const kept = this.#kept.shift();
    if (kept) this.#weight -= this.#weigh(kept.event);
    return kept;
  }
}

/** A listener that fails keeps no other from hearing. */
async function calmly<E>(listener: (event: E) => unknown, event: E): Promise<void> {
  try {
    await listener(event);
  } catch (error) {
    console.error(error);
  }
}

/** Cloning copies the whole buffer below a view. */
function alone(data: string | Uint8Array): string | Uint8Array {
  return data instanceof Uint8Array && data.byteLength < data.buffer.byteLength ? new Uint8Array(data) : data;
}
