// `duetty/client` in browsers: a connection to the daemon that serves the page, or with a token to another one.
import { rootOf, terminalAddress } from "./address.ts";
import { call } from "./client.ts";
import type { Connection, SocketLike } from "./connection.ts";
import { fetchTransport } from "./fetch.ts";
import { checkOptions } from "./options.ts";
import { connectionOf } from "./streams.ts";
import { sendable } from "./token.ts";

export interface ConnectOptions {
  /** The daemon's address. Default: where the page comes from. */
  readonly url?: string | URL | undefined;
  /** Who you are. Default: what the browser's cookie says. */
  readonly token?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Closes the connection. */
  readonly signal?: AbortSignal | undefined;
}

const OPTIONS: Readonly<Record<keyof ConnectOptions, true>> = { url: true, token: true, fetch: true, signal: true };

/** What we use of a browser. */
interface Page {
  readonly WebSocket: new (url: string, protocols?: string[]) => SocketLike;
  readonly location: { readonly href: string };
}

export async function connect(options: ConnectOptions = {}): Promise<Connection> {
  const page = globalThis as unknown as Page;
  checkOptions("connect", options, OPTIONS);
  const { signal } = options;
  const token = options.token === undefined ? undefined : sendable(options.token);
  const root = rootOf(new URL(options.url ?? "/", page.location.href));
  const headers = () => ({ ...(token !== undefined && { authorization: `Bearer ${token}` }) });
  const transport = fetchTransport(`${root}/v1/`, headers, options.fetch);
  // A page can choose no header of a socket but this one.
  const protocols = token === undefined ? [] : ["duetty", `bearer.${token}`];
  signal?.throwIfAborted();
  return connectionOf({
    ask: (op, input, how) => call(transport, op, input, how),
    open: (session_id, query) => new page.WebSocket(terminalAddress(root, session_id, query), protocols),
    signal,
  });
}
