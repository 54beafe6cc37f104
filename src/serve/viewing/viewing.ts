// One viewer of one terminal, over any socket: binary frames are raw bytes both ways, text frames are JSON control. Frames that act
// are operations by another name: they are performed like any other call.

import { worded } from "../../core/base/advice.ts";
import type { DeepReadonly } from "../../core/base/deep-readonly.ts";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { never } from "../../core/base/never.ts";
import { actorName } from "../../core/gate/actor.ts";
import type { InputNumber } from "../../core/journal/holding.ts";
import { LINE_BYTES_MAX } from "../../core/session/keyboard.ts";
import type { Session } from "../../core/session/session.ts";
import { isTyping } from "../../core/viewer/sizing.ts";
import type { Viewer, ViewerSpec } from "../../core/viewer/viewer.ts";
import { approve, deny, release, take } from "../../protocol/ops/gate.ts";
import { lift_line } from "../../protocol/ops/page.ts";
import { mode } from "../../protocol/ops/policy/policy.ts";
import { stop } from "../../protocol/ops/stop.ts";
import type { AnyOp, Output } from "../../protocol/ops.ts";
import type { FromViewer, ToViewer } from "../../protocol/stream.ts";
import type { Call, Caller } from "../auth.ts";
import type { Log } from "../log.ts";
import { answerFor } from "../operations.ts";
import { isForGuest } from "../pass/guest-rules.ts";
import type { Visits } from "../pass/visits.ts";
import type { Perform } from "../perform.ts";
import type { Secrets } from "../secrets.ts";
import type { UnderWay } from "../under-way.ts";
import { Frames, readControl } from "./frames.ts";
import { hereOf, visits } from "./guest-socket.ts";
import { type FarTarget, relayViewer } from "./relay.ts";
import { starredLink } from "./starred-link.ts";
import type { Target } from "./target.ts";
import type { ViewerSocket } from "./viewer-socket.ts";

export interface ViewingParts {
  readonly secrets: Secrets;
  readonly underWay: UnderWay;
  readonly visits: Visits;
  readonly perform: Perform;
  readonly log: Log;
}

export async function serveViewer(
  socket: ViewerSocket,
  target: Target | FarTarget,
  parts: ViewingParts,
): Promise<void> {
  const { caller } = target;
  if (caller.visit !== undefined && !visits(socket, caller.visit, parts.visits)) return;
  const done = parts.underWay.begin(caller.actor);
  socket.onClose(done);
  if ("lists" in target) return relayViewer(socket, target);
  const { session, cursor, role, paint, start, from, floods } = target;
  const cancelled = { onCancel: (run: () => void) => socket.onClose(run) };
  const call: Call = { ...caller, cancelled, surface: "page", eyes: parts.secrets.eyesOf(caller) };
  const act = (op: AnyOp, input: object) => parts.perform(op, input, call);
  // An agent decides the size of what it opened itself, as with pty_resize.
  const sizes =
    target.sizes !== "never" && (caller.role === "person" || session.meta.actor === actorName(caller.actor));
  const failed = (error: unknown) => {
    parts.log.error(error);
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
      if (piece && socket.isOpen) link.text({ type: "typed", typed: piece.n });
    }, failed);
    // Whether a long line would arrive whole is asked before it is typed.
    return data.length > LINE_BYTES_MAX ? isTyped : undefined;
  };
  const frames = new Frames({ frame, full: () => socket.close(1009) });
  socket.onMessage((data, binary) => frames.push(data, binary));
  socket.onClose(() => {
    if (viewer) session.display.leave(viewer);
  });
  const link = {
    bytes: (bytes: Uint8Array) => socket.send(bytes),
    drawing: (ansi: string) => socket.send(Buffer.from(ansi)),
    text: (message: DeepReadonly<ToViewer>) => {
      if (caller.guest && !isForGuest(caller.guest, message)) return;
      socket.send(JSON.stringify(answerFor(caller, message, parts.secrets)));
    },
    buffered: () => socket.bufferedAmount,
  };
  const tell = (refused: Fault | undefined) => {
    if (refused && socket.isOpen) link.text({ type: "notice", message: refused.message });
  };
  const seen = { eyes: call.eyes, link: starredLink(link, call.eyes && session.display.byteEyes) };
  const attached = await session.attach({ ...seen, who: hereOf(caller), role, paint, cursor, start, floods });
  if (isFault(attached)) {
    link.text({ type: "notice", message: attached.message });
    return socket.close(1011, attached.code);
  }
  if (!socket.isOpen) return session.display.leave(attached);
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
      session.display.viewers.shown(viewer, message.cursor);
      return undefined;
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
      const { answer, approval_id, edit, reason, shown } = message;
      return answer === "approve" ? [approve, { approval_id, edit, shown }] : [deny, { approval_id, reason }];
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
