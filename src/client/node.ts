// `duetty/client` in Node: a connection to this machine's daemon, or to one at an address.
import { WebSocket } from "ws";
import { rootOf, terminalAddress } from "./address.ts";
import { CallError, call, isAbsent, type Transport } from "./client.ts";
import type { Connection, OpenSocket } from "./connection.ts";
import { credentials, httpTransport, type Identity, KeptConnection, type Trust } from "./http.ts";
import { localHome, startingTransport, tokenIn } from "./local.ts";
import { checkOptions } from "./options.ts";
import { connectionOf } from "./streams.ts";

export interface ConnectOptions {
  /** The folder of the installation. Default: DUETTY_HOME, or the usual place. */
  readonly home?: string | undefined;
  /** The address of a daemon elsewhere, such as https://desk.example.net. It needs a token. */
  readonly url?: string | URL | undefined;
  /** Who you are. Default on this machine: DUETTY_TOKEN, or the agents' token. */
  readonly token?: string | undefined;
  /** An agent's own name. */
  readonly as?: `agent:${string}` | undefined;
  /** Starts this machine's daemon where none runs. Default: no. */
  readonly start?: boolean | undefined;
  /** Certificates to trust at https: addresses besides those that Node knows, such as the one of a daemon's own. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[] | undefined;
  /** Closes the connection. */
  readonly signal?: AbortSignal | undefined;
}

const PLACE = { home: true, url: true, start: true, ca: true } as const;
const OPTIONS: Readonly<Record<keyof ConnectOptions, true>> = { ...PLACE, token: true, as: true, signal: true };

/** Resolves when the daemon has answered. */
export async function connect(options: ConnectOptions = {}): Promise<Connection> {
  checkOptions("connect", options, OPTIONS);
  const kept = new KeptConnection();
  const { transport, open } = options.url === undefined ? here(options, kept) : elsewhere(options, options.url, kept);
  const connection = connectionOf({
    ask: (op, input, how) => call(transport, op, input, how).catch(unreachableOr),
    open,
    end: async () => kept.destroy(),
    signal: options.signal,
  });
  try {
    options.signal?.throwIfAborted();
    await connection.news({ timeout_ms: 0 }).catch((refused: unknown) => {
      // A guest hears of its one session alone.
      if (!(refused instanceof CallError) || refused.code !== "auth.forbidden") throw refused;
      return connection.shared({}).catch(() => Promise.reject(refused));
    });
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

interface Way {
  readonly transport: Transport;
  readonly open: OpenSocket;
}

function here({ home: dir, token, as, start }: ConnectOptions, kept: KeptConnection): Way {
  const home = localHome(dir);
  // A daemon that begins writes the tokens, so they are read when they are needed.
  const identity = (): Identity => ({
    token: token ?? (process.env.DUETTY_TOKEN || (tokenIn(home.agentToken) ?? "none")),
    as,
  });
  const plain = httpTransport({ socketPath: home.daemonSocket }, identity, kept);
  const transport = start ? startingTransport(home, plain) : plain;
  return { transport, open: opening(`ws+unix://${home.daemonSocket}:`, identity) };
}

function elsewhere({ token = "none", as, ca }: ConnectOptions, url: string | URL, kept: KeptConnection): Way {
  const place = new URL(url);
  const identity = () => ({ token: token.trim(), as });
  const agent = place.protocol === "http:" ? kept : undefined;
  const trust: Trust = ca === undefined ? {} : { ca: [ca].flat() };
  return { transport: httpTransport(place, identity, agent, trust), open: opening(rootOf(place), identity, trust) };
}

function opening(root: string, identity: () => Identity, trust: Trust = {}): OpenSocket {
  return (session_id, query) => {
    const address = terminalAddress(root, session_id, query);
    const socket = new WebSocket(address, { ...trust, headers: credentials(identity()), perMessageDeflate: false });
    socket.on("error", () => {
      // Its close follows, and says enough.
    });
    return socket;
  };
}

function unreachableOr(error: unknown): never {
  if (!isAbsent(error)) throw error;
  throw new CallError({
    code: "daemon.unreachable",
    message: "no daemon runs there",
    hint: "Nothing was done. Start it, or connect with start: true.",
  });
}
