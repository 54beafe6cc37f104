// WebSocket: /v1/sessions/:id/terminal. Binary frames are raw bytes both ways, text frames are JSON control. Frames that act are
// operations by another name: they are performed like any other call.
import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Server as TlsServer } from "node:https";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { worded } from "../../core/base/advice.ts";
import type { DeepReadonly } from "../../core/base/deep-readonly.ts";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { never } from "../../core/base/never.ts";
import { actorName } from "../../core/gate/actor.ts";
import type { InputNumber } from "../../core/journal/holding.ts";
import { LINE_BYTES_MAX } from "../../core/session/keyboard.ts";
import type { Session } from "../../core/session/session.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import { isTyping } from "../../core/viewer/sizing.ts";
import type { Viewer, ViewerSpec } from "../../core/viewer/viewer.ts";
import { ptySend } from "../../protocol/ops/drive.ts";
import { approve, deny, mode, release, take } from "../../protocol/ops/gate.ts";
import { lift_line } from "../../protocol/ops/page.ts";
import { stop } from "../../protocol/ops/stop.ts";
import type { AnyOp, Output } from "../../protocol/ops.ts";
import type { FromViewer, ToViewer } from "../../protocol/stream.ts";
import { type Call, type Caller, isMasked, peopleOnly } from "../auth.ts";
import { logError } from "../log.ts";
import { answerFor } from "../operations.ts";
import { isForGuest } from "../pass/guest-rules.ts";
import type { Visits } from "../pass/visits.ts";
import type { BoxLimits, Perform } from "../perform.ts";
import type { Secrets } from "../secrets.ts";
import type { UnderWay } from "../under-way.ts";
import { checkPlace, type Door, identify } from "./door.ts";
import { SOCKET_PROTOCOL } from "./embedding.ts";
import { Frames, readControl } from "./frames.ts";
import { hereOf, refusesSocket, visits } from "./guest-socket.ts";
import { statusOf } from "./posted.ts";
import { starredLink } from "./starred-link.ts";

/** A viewer's own number and its frame's: at most eight and seven digits. */
const VIEWER = /^([1-9]\d{0,7})\.([1-9]\d{0,6})$/;
const PATH = /^\/v1\/sessions\/([^/]+)\/terminal$/;
/** One frame from a viewer: the largest paste. */
const FRAME_BYTES_MAX = 4 << 20;
/** We notice a vanished peer after two of these. */
const PING_MS = 15_000;

export interface SocketParts extends Door {
  readonly secrets: Secrets;
  readonly underWay: UnderWay;
  readonly visits: Visits;
  readonly sessions: Sessions;
  readonly perform: Perform;
  /** Keys that come this way are no operation. The caller's own box counts for them, too. */
  readonly limits: BoxLimits;
}

export function serveTerminals(server: Server | TlsServer, parts: SocketParts): void {
  // Compression off: it cost 88 % of the throughput and 13 times the CPU on loopback.
  const limits = { noServer: true, perMessageDeflate: false, maxPayload: FRAME_BYTES_MAX };
  // Otherwise the first one that is offered would be repeated, which may be a token.
  const handleProtocols = (offered: Set<string>) => offered.has(SOCKET_PROTOCOL) && SOCKET_PROTOCOL;
  const sockets = new WebSocketServer({ ...limits, handleProtocols });
  server.on("upgrade", (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    // Nobody else listens from here on, and a peer's reset must not end the process.
    stream.on("error", () => stream.destroy());
    const target = admit(request, parts);
    if (isFault(target)) return refuse(stream, target);
    sockets.handleUpgrade(request, stream, head, (socket) => {
      serve(socket, target, parts).catch((error) => {
        logError(error);
        socket.terminate();
      });
    });
  });
}

interface Target {
  readonly session: Session;
  readonly caller: Caller;
  readonly cursor: number | undefined;
  readonly role: ViewerSpec["role"];
  readonly paint: ViewerSpec["paint"];
  readonly start: "now" | "later";
  /** The number of the first frame of input, from a viewer that sends them again after a lost connection. */
  readonly from: InputNumber | undefined;
}

function admit(request: IncomingMessage, parts: SocketParts): Target | Fault {
  const wrong = checkPlace(parts, request);
  if (wrong) return wrong;
  const known = identify(parts, request);
  if (isFault(known)) return known;
  // It would believe that it types as the person.
  const lowered = known.lowered && peopleOnly(known, "a person's socket is for people");
  if (lowered) return lowered;
  const full = parts.underWay.refuses(known.actor);
  if (full) return full;
  const [path = "", query = ""] = (request.url ?? "").split("?", 2);
  const id = PATH.exec(path)?.[1];
  if (id === undefined) return fault("not_found", `no socket at ${path}`, "Use /v1/sessions/ID/terminal.");
  const session = parts.sessions.find(id);
  const foreign = known.guest && refusesSocket(known.guest, session);
  if (foreign) return foreign;
  if (isFault(session)) return session;
  const wants = new URLSearchParams(query);
  const cursor = wants.get("cursor");
  if (cursor !== null && !/^\d{1,15}$/.test(cursor)) {
    return fault("input.invalid", `"${cursor}" is not a cursor`, "Give a byte offset or leave it out.");
  }
  const isWatcher = wants.get("role") === "watch" || known.guest?.role === "watch";
  const role = isWatcher ? "watch" : "input";
  const outside = isWatcher ? undefined : parts.limits(ptySend, { session_id: session.id }, known);
  if (outside) return outside;
  // Who looks at what was shared starts nothing.
  const start = wants.get("start") === "later" || known.guest ? "later" : "now";
  const [, viewer, n] = VIEWER.exec(wants.get("viewer") ?? "") ?? [];
  const from = viewer === undefined ? undefined : { viewer: Number(viewer), n: Number(n) };
  const caller: Caller = wants.get("masked") === "1" ? { ...known, masked: true } : known;
  // Who sees no secrets gets a whole picture, with the lines above it: what stands before tells what is one behind it.
  const bytes = wants.get("paint") === "screen" && !isMasked(caller) ? "screen" : "history";
  const paint = wants.get("view") === "composed" ? "composed" : bytes;
  return {
    session,
    caller,
    cursor: cursor === null || isMasked(caller) ? undefined : Number(cursor),
    role,
    paint,
    start,
    from,
  };
}

async function serve(socket: WebSocket, target: Target, parts: SocketParts): Promise<void> {
  const { session, caller, cursor, role, paint, start, from } = target;
  if (caller.visit !== undefined && !visits(socket, caller.visit, parts.visits)) return;
  const done = parts.underWay.begin(caller.actor);
  socket.once("close", () => done());
  const cancelled = { onCancel: (run: () => void) => void socket.once("close", run) };
  const call: Call = { ...caller, cancelled, surface: "page", eyes: parts.secrets.eyesOf(caller) };
  const act = (op: AnyOp, input: object) => parts.perform(op, input, call);
  // An agent decides the size of what it opened itself, as with pty_resize.
  const sizes = caller.role === "person" || session.meta.actor === actorName(caller.actor);
  const failed = (error: unknown) => {
    logError(error);
    socket.terminate();
  };
  let viewer: Viewer | undefined;
  let n = from?.n ?? 0;
  const frame = (data: Buffer, binary: boolean) => {
    if (!viewer) return;
    if (!binary)
      return void control(data.toString(), session, viewer, { perform: act, link, sizes }).then(tell, failed);
    if (role !== "input") return;
    if (sizes && isTyping(data)) session.display.sizing.claim(viewer);
    const piece = from && { viewer: from.viewer, n };
    n += 1;
    const isTyped = typed(session, caller, data, piece).then((refused) => {
      tell(refused);
      if (piece && socket.readyState === socket.OPEN) link.text({ type: "typed", typed: piece.n });
    }, failed);
    // Whether a long line would arrive whole is asked before it is typed.
    return data.length > LINE_BYTES_MAX ? isTyped : undefined;
  };
  const frames = new Frames({ frame, full: () => socket.close(1009) });
  const alive = keepAlive(socket);
  socket.on("message", (data: Buffer, binary: boolean) => frames.push(data, binary));
  socket.on("error", () => socket.terminate());
  socket.on("close", () => {
    clearInterval(alive);
    if (viewer) session.display.leave(viewer);
  });
  const link = {
    bytes: (bytes: Uint8Array) => socket.send(bytes),
    text: (message: DeepReadonly<ToViewer>) => {
      if (caller.guest && !isForGuest(caller.guest, message)) return;
      socket.send(JSON.stringify(answerFor(caller, message, parts.secrets)));
    },
    buffered: () => socket.bufferedAmount,
  };
  const tell = (refused: Fault | undefined) => {
    if (refused && socket.readyState === socket.OPEN) link.text({ type: "notice", message: refused.message });
  };
  const seen = { eyes: call.eyes, link: starredLink(link, call.eyes && session.display.byteEyes) };
  const attached = await session.attach({ ...seen, who: hereOf(caller), role, paint, cursor, start });
  if (isFault(attached)) {
    link.text({ type: "notice", message: attached.message });
    return socket.close(1011, attached.code);
  }
  if (socket.readyState !== socket.OPEN) return session.display.leave(attached);
  viewer = attached;
  frames.go();
}

type Act = Extract<FromViewer, { type: "take" | "release" | "stop" | "mode" | "answer" }>;

interface Control {
  perform(op: AnyOp, input: object): Promise<object | Fault>;
  readonly link: Pick<ViewerSpec["link"], "text">;
  /** Whether this viewer may decide the session's size. */
  readonly sizes: boolean;
}

/** Acts in the same turn of the event loop, so that frames take effect in order. */
async function control(
  text: string,
  session: Session,
  viewer: Viewer,
  { perform, link, sizes }: Control,
): Promise<Fault | undefined> {
  const message = readControl(text);
  if (isFault(message)) return message;
  switch (message.type) {
    case "resize":
      if (!sizes) return undefined;
      viewer.size = { cols: message.cols, rows: message.rows };
      if (message.asks) session.display.sizing.claim(viewer);
      break;
    case "ack":
      viewer.ack(message.cursor);
      break;
    case "visible":
      session.display.viewers.shows(viewer, message.visible);
      break;
    case "take":
    case "release":
    case "stop":
    case "mode":
    case "answer": {
      const done = await perform(...operationOf(message, session.id));
      return isFault(done) ? done : undefined;
    }
    case "lift": {
      const lifted = await perform(lift_line, { session_id: session.id });
      if (isFault(lifted)) return lifted;
      link.text({ type: "lifted", ...(lifted as Output<"lift_line">) });
      return undefined;
    }
    default:
      never(message);
  }
  session.display.viewerChanged();
  return undefined;
}

function operationOf(message: Act, session_id: string): [AnyOp, object] {
  switch (message.type) {
    case "take":
      return [take, { session_id, note: message.note }];
    case "release":
      return [release, { session_id, note: message.note }];
    case "stop":
      return [stop, { session_id }];
    case "mode":
      return [mode, { session_id, mode: message.mode }];
    case "answer": {
      const { answer, approval_id, edit, reason } = message;
      return answer === "approve" ? [approve, { approval_id, edit }] : [deny, { approval_id, reason }];
    }
    default:
      return never(message);
  }
}

/** Raw input. A refusal is reported with its hint. */
async function typed(
  session: Session,
  { actor }: Caller,
  bytes: Uint8Array,
  number: InputNumber | undefined,
): Promise<Fault | undefined> {
  const refused = await session.type(actor, bytes, number);
  const hint = worded(refused?.hint ?? "", "page");
  return refused && fault(refused.code, `${refused.message}. ${hint}`, hint);
}

function keepAlive(socket: WebSocket): NodeJS.Timeout {
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
  return timer;
}

function refuse(stream: Duplex, { code, message, hint }: Fault): void {
  const status = statusOf(code);
  const body = JSON.stringify({ error: { code, message, hint: worded(hint, "page") } });
  const headers = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close`;
  // We close it fully, because nothing more follows.
  stream.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}\r\n\r\n${body}`, () => stream.destroy());
}
