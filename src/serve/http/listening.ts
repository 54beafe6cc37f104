// The daemon's servers: what they bear, and where they listen. Owns: nothing; daemon.ts ends what is made here.
import fs from "node:fs";
import { createServer, type RequestListener, type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { shortageOf } from "../../core/base/fault.ts";
import { writeWhole } from "../../host/disk/files.ts";
import { bindingPrivately } from "../../host/disk/private.ts";
import { CONNECTIONS_MAX } from "../../host/process/descriptor-limit.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { logError } from "../log.ts";

/** The head of a request: a token, a cookie, and what browsers add to it. A longer one is answered with 431. */
const HEAD_BYTES_MAX = 16 << 10;
/** A connection that has not sent a whole head by then says nothing that we wait for. */
const HEAD_MS_MAX = 10_000;
/** The largest body over a slow line. Answers may take as long as they like. */
const REQUEST_MS_MAX = 60_000;
/** A kept connection between two requests. Our own clients let go of theirs after one second. */
const IDLE_MS_MAX = 5_000;
const LOOK_EVERY_MS = 2_000;

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

/** `unread`: a request that could not even be parsed. */
export function plainServer(listener: RequestListener, unread: (socket: Socket, code: string) => void): Server {
  const server = createServer(LIMITS, listener);
  server.maxConnections = CONNECTIONS_MAX;
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const code = error.code ?? "";
    // The client left, or was answered before.
    if (!socket.writable || code === "ECONNRESET") return void socket.destroy();
    unread(socket, code);
    const status = UNREAD_STATUS[code] ?? 400;
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () =>
      socket.destroy(),
    );
  });
  return server;
}

export function listenTcp(server: Server, wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      // Taken meanwhile by somebody else: any free one will do.
      if (wanted === 0) reject(error);
      else listenTcp(server, 0).then(resolve, reject);
    });
    server.listen(wanted, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    });
  });
}

export function listenUnix(server: Server, path: string): Promise<void> {
  // We hold the lock, so whatever is there belongs to a dead daemon.
  fs.rmSync(path, { force: true });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    bindingPrivately(() => server.listen(path, () => resolve()));
  });
}

/** The port of the last daemon, so that open pages find the new one under the same address. */
export function lastPort(home: Home): number {
  try {
    return Number(JSON.parse(fs.readFileSync(home.httpFile, "utf8")).port) || 0;
  } catch {
    return 0;
  }
}

/** A disk that is full keeps nobody from what is on it. */
export function notePort(home: Home, port: number): void {
  try {
    writeWhole(home.httpFile, `${JSON.stringify({ port })}\n`);
  } catch (error) {
    if (!shortageOf(error)) throw error;
    logError(error);
  }
}
