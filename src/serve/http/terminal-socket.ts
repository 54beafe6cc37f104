// WebSocket: /v1/sessions/:id/terminal.
import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Server as TlsServer } from "node:https";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { worded } from "../../core/base/advice.ts";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import type { Caller } from "../auth.ts";
import type { FarTarget } from "../viewing/relay.ts";
import { type Target, type TargetParts, targetOf } from "../viewing/target.ts";
import type { ViewerSocket } from "../viewing/viewer-socket.ts";
import { serveViewer, type ViewingParts } from "../viewing/viewing.ts";
import { checkPlace, type Door, identify } from "./door.ts";
import { SOCKET_PROTOCOL } from "./embedding.ts";
import { statusOf } from "./posted.ts";

const PATH = /^\/v1\/sessions\/([^/]+)\/terminal$/;
/** One frame from a viewer: the largest paste. */
const FRAME_BYTES_MAX = 4 << 20;
/** We notice a vanished peer after two of these. */
const PING_MS = 15_000;

export type SocketParts = Door & ViewingParts & TargetParts;

type Aim = Target | FarTarget | Fault;
type Admit = (request: IncomingMessage) => Aim | Promise<Aim>;

export function serveTerminals(server: Server | TlsServer, parts: SocketParts): void {
  server.on("upgrade", upgrading((request) => admit(request, parts), parts).upgrade);
}

/** Makes terminals' sockets of connections that are let in. */
export function upgrading(admit: Admit, parts: ViewingParts) {
  // Compression off: it cost 88 % of the throughput and 13 times the CPU on loopback.
  const limits = { noServer: true, perMessageDeflate: false, maxPayload: FRAME_BYTES_MAX };
  // Otherwise the first one that is offered would be repeated, which may be a token.
  const handleProtocols = (offered: Set<string>) => offered.has(SOCKET_PROTOCOL) && SOCKET_PROTOCOL;
  const sockets = new WebSocketServer({ ...limits, handleProtocols });
  const failed = (error: unknown, end: () => void) => {
    parts.log.error(error);
    end();
  };
  const serve = (target: Target | FarTarget) => (socket: WebSocket) =>
    void serveViewer(viewerSocket(socket), target, parts).catch((error) => failed(error, () => socket.terminate()));
  return {
    async upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
      // Nobody else listens from here on, and a peer's reset must not end the process.
      stream.on("error", () => stream.destroy());
      try {
        const target = await admit(request);
        if (isFault(target)) refuse(stream, target);
        else sockets.handleUpgrade(request, stream, head, serve(target));
      } catch (error) {
        failed(error, () => stream.destroy());
      }
    },
    /** Cuts off all that are open. */
    close(): void {
      for (const socket of sockets.clients) socket.terminate();
    },
  };
}

function admit(request: IncomingMessage, parts: SocketParts): Aim {
  const wrong = checkPlace(parts, request);
  if (wrong) return wrong;
  const known = identify(parts, request);
  if (isFault(known)) return known;
  return targetIn(request.url, known, parts);
}

/** Whether this is the address of a terminal. */
export function isTerminal(url: string): boolean {
  return PATH.test(url.split("?", 1)[0] ?? "");
}

/** The terminal that a path asks for. */
export function targetIn(url = "", caller: Caller, parts: TargetParts): Aim {
  const [path = "", query = ""] = url.split("?", 2);
  const id = PATH.exec(path)?.[1];
  if (id === undefined) return fault("not_found", `no socket at ${path}`, "Use /v1/sessions/ID/terminal.");
  // A session of another machine is box%2Fs_1a2b3c4d in a path.
  return targetOf(caller, decoded(id), new URLSearchParams(query), parts);
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    // No name of a session. It is told as it was written.
    return id;
  }
}

function viewerSocket(socket: WebSocket): ViewerSocket {
  keepAlive(socket);
  socket.on("error", () => socket.terminate());
  return {
    get isOpen() {
      return socket.readyState === socket.OPEN;
    },
    get bufferedAmount() {
      return socket.bufferedAmount;
    },
    send: (data, left) => socket.send(data, left && (() => left())),
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
    onMessage(run) {
      socket.removeAllListeners("message");
      if (run) socket.on("message", run);
    },
    onClose: (run) => void socket.once("close", run),
  };
}

function keepAlive(socket: WebSocket): void {
  let answered = true;
  socket.on("pong", () => {
    answered = true;
  });
  const timer = setInterval(() => {
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping();
  }, PING_MS);
  timer.unref();
  socket.once("close", () => clearInterval(timer));
}

function refuse(stream: Duplex, { code, message, hint }: Fault): void {
  const status = statusOf(code);
  const body = JSON.stringify({ error: { code, message, hint: worded(hint, "page") } });
  const headers = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close`;
  // We close it fully, because nothing more follows.
  stream.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}\r\n\r\n${body}`, () => stream.destroy());
}
