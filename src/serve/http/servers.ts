// The daemon's servers: what they bear, where they listen, and their end.
import fs from "node:fs";
import { createServer, type RequestListener, type Server, STATUS_CODES } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { Socket } from "node:net";
import { shortageOf } from "../../core/base/fault.ts";
import { writeWhole } from "../../host/disk/files.ts";
import { bindingPrivately } from "../../host/disk/private.ts";
import { CONNECTIONS_MAX } from "../../host/process/descriptor-limit.ts";
import type { Home } from "../../protocol/plain/home.ts";
import type { Log } from "../log.ts";
import type { AppParts } from "./app.ts";
import type { Way } from "./door.ts";
import { requestListener } from "./listener.ts";
import { type SocketParts, serveTerminals } from "./terminal-socket.ts";
import type { Remote } from "./tls.ts";

/** The head of a request: a token, a cookie, and what browsers add to it. A longer one is answered with 431. */
const HEAD_BYTES_MAX = 16 << 10;
/** A connection that has not sent a whole head by then says nothing that we wait for. */
const HEAD_MS_MAX = 10_000;
/** The largest body over a slow line. Answers may take as long as they like. */
const REQUEST_MS_MAX = 60_000;
/** A kept connection between two requests, as clients are told. Our own let go of theirs after one second. */
const IDLE_S_TOLD = 5;
/** Longer than that: a client on a busy machine looks at its clock late, and a call on a connection that just ended is lost. */
const IDLE_MS_MAX = 30_000;
const LOOK_EVERY_MS = 2_000;
/** Connections that wait while we are busy. Linux lets no more wait by itself, and refuses the next on a unix socket at once. */
const BACKLOG = 4_096;

const UNREAD_STATUS: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

const LIMITS = {
  maxHeaderSize: HEAD_BYTES_MAX,
  // The door refuses what has none, and writes it down.
  requireHostHeader: false,
  headersTimeout: HEAD_MS_MAX,
  requestTimeout: REQUEST_MS_MAX,
  keepAliveTimeout: IDLE_MS_MAX,
  connectionsCheckingInterval: LOOK_EVERY_MS,
};

type ServersParts = Omit<AppParts & SocketParts, "way" | "cookieName"> & { readonly home: Home };

export class Servers {
  #parts: ServersParts;
  #all: (Server | TlsServer)[] = [];
  #tcp: { kind: "tcp"; port: number } = { kind: "tcp", port: 0 };

  constructor(parts: ServersParts) {
    this.#parts = parts;
  }

  get port(): number {
    return this.#tcp.port;
  }

  async listen(remote: Remote | undefined): Promise<void> {
    const { home, peers, log } = this.#parts;
    // A port that is taken stops the start before anybody is let in.
    if (remote) await this.#listenTls(remote);
    this.#tcp.port = await listenTcp(this.#make(this.#tcp), lastPort(home));
    const unix = this.#make({ kind: "unix" });
    // On TCP we look for who has the connection open, at any time.
    unix.on("connection", (socket: Socket) => peers.met(socket));
    // Before it: whoever can reach the socket finds the port.
    notePort(home, this.port, log);
    await listenUnix(unix, home.daemonSocket);
  }

  /** One more way in, for those who cannot see the usual one. Closing it ends its connections. */
  listenAt(path: string): { close(): void } {
    const server = this.#make({ kind: "unix" });
    server.on("connection", (socket: Socket) => this.#parts.peers.met(socket));
    void listenUnix(server, path).catch((error: unknown) => this.#parts.log.error(error));
    return {
      close: () => {
        this.#all = this.#all.filter((other) => other !== server);
        server.close();
        server.closeAllConnections();
      },
    };
  }

  #listenTls({ host, port, cert, key, isOurs }: Remote): Promise<void> {
    const way: Way = { kind: "tls", port, isOurs };
    const server = this.#made(way, (listener) => createTlsServer({ ...LIMITS, cert, key }, listener));
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, resolve);
    });
  }

  close(): void {
    for (const server of this.#all) server.close();
  }

  #make(way: Way): Server {
    return this.#made(way, (listener) => createServer(LIMITS, listener));
  }

  #made<S extends Server | TlsServer>(way: Way, make: (listener: RequestListener) => S): S {
    // A browser sends the second only over TLS, and to no other host.
    const cookieName = () => (way.kind === "tls" ? `__Host-duetty_${way.port}` : `duetty_${this.port}`);
    const parts = { ...this.#parts, way, cookieName };
    const listener = requestListener(parts);
    const server = make((request, response) => {
      response.setHeader("keep-alive", `timeout=${IDLE_S_TOLD}`);
      listener(request, response);
    });
    server.maxConnections = CONNECTIONS_MAX;
    server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => this.#unread(way, error.code, socket));
    serveTerminals(server, parts);
    this.#all.push(server);
    return server;
  }

  /** A request that could not even be parsed. */
  #unread(way: Way, code = "", socket: Socket): void {
    // The client left, or was answered before.
    if (!socket.writable || code === "ECONNRESET") return void socket.destroy();
    this.#parts.audit.unread(way.kind, socket, code);
    const status = UNREAD_STATUS[code] ?? 400;
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
    socket.end(head, () => socket.destroy());
  }
}

function listenTcp(server: Server, wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      // Taken meanwhile by somebody else: any free one will do.
      if (wanted === 0) reject(error);
      else listenTcp(server, 0).then(resolve, reject);
    });
    server.listen(wanted, "127.0.0.1", BACKLOG, () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    });
  });
}

function listenUnix(server: Server, path: string): Promise<void> {
  // We hold the lock, so whatever is there belongs to a dead daemon.
  fs.rmSync(path, { force: true });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    bindingPrivately(() => server.listen(path, BACKLOG, () => resolve()));
  });
}

/** The port of the last daemon, so that open pages find the new one under the same address. */
function lastPort(home: Home): number {
  try {
    return Number(JSON.parse(fs.readFileSync(home.httpFile, "utf8")).port) || 0;
  } catch {
    return 0;
  }
}

/** A disk that is full keeps nobody from what is on it. */
function notePort(home: Home, port: number, log: Log): void {
  try {
    writeWhole(home.httpFile, `${JSON.stringify({ port, pid: process.pid })}\n`);
  } catch (error) {
    if (!shortageOf(error)) throw error;
    log.error(error);
  }
}
