// A viewer of a terminal on another machine: its frames go there, and what comes from there is told as from here. It has no queue: the
// other machine sends no more than its viewer has acknowledged. When one side ends, the other does.
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { placed, type Sides } from "../../core/fleet/place.ts";
import { TEXT_BYTES_MAX } from "../../core/fleet/stream/inbox.ts";
import { placeOf } from "../../protocol/plain/host-place.ts";
import { type FromViewer, ToViewer } from "../../protocol/stream.ts";
import type { Caller } from "../auth.ts";
import { farJson } from "../fleet/far-json.ts";
import { askerOf } from "../fleet/forward.ts";
import { type HostLists, shownAt } from "../fleet/host-lists.ts";
import { Frames, readControl } from "./frames.ts";
import type { ViewerSocket } from "./viewer-socket.ts";

export interface FarTarget {
  readonly lists: HostLists;
  readonly session_id: string;
  readonly query: URLSearchParams;
  readonly caller: Caller;
  /** Whether it may do more there than look. */
  readonly acts: boolean;
}

const LOOKS: ReadonlySet<FromViewer["type"]> = new Set(["resize", "ack", "visible"]);

/** Try again later. */
const GONE = 1013;
/** What a socket may say at its end, and what only the platform says. */
const isSayable = (code: number) =>
  code === 1000 ||
  (code >= 1002 && code <= 1014 && ![1004, 1005, 1006].includes(code)) ||
  (code >= 3000 && code <= 4999);

export function relayViewer(socket: ViewerSocket, target: FarTarget): void {
  const { host } = target.lists;
  const sides = { host: host.name, me: host.me };
  const far = host.open(target.session_id, target.query, askerOf(target.caller));
  far.binaryType = "nodebuffer";
  const refuse = ({ message }: Fault) => {
    if (socket.isOpen) socket.send(JSON.stringify({ type: "notice", message }));
  };
  const frames = new Frames({
    frame: (data, binary) => {
      const sent = binary ? data : outgoing(data.toString(), target);
      if (typeof sent === "object" && isFault(sent)) refuse(sent);
      else far.send(typeof sent === "string" ? sent : Uint8Array.from(sent));
      return undefined;
    },
    full: () => socket.close(1009),
  });
  far.onopen = () => frames.go();
  far.onmessage = ({ data }) => {
    if (!socket.isOpen) return;
    const bytes = typeof data === "string" ? Buffer.byteLength(data) : (data as Uint8Array | ArrayBuffer).byteLength;
    const sent = typeof data === "string" ? incoming(data, sides) : bytesOf(data);
    // That machine is not ours: what it says in another way than ours ends its stream, and nothing else.
    if (sent === undefined) far.close();
    else socket.send(sent, () => far.taken(bytes));
  };
  far.onclose = ({ code }) => socket.close(isSayable(code) ? code : GONE);
  // What is typed to a machine that does not answer would arrive there when nobody expects it.
  const leave = host.onReach(() => {
    if (host.now.reach !== "here") socket.close(GONE);
  });
  socket.onMessage((data, binary) => frames.push(data, binary));
  socket.onClose(() => {
    leave();
    far.close();
  });
}

function bytesOf(data: unknown): Uint8Array {
  return data instanceof ArrayBuffer ? new Uint8Array(data) : (data as Uint8Array);
}

/** Undefined: it is no message. */
function incoming(text: string, sides: Sides): string | undefined {
  const message = text.length <= TEXT_BYTES_MAX ? ToViewer.safeParse(farJson(text)).data : undefined;
  return message && JSON.stringify(placed(message, sides));
}

/** As the other machine calls what is meant. */
function outgoing(text: string, { lists, acts }: FarTarget): string | Fault {
  const message = readControl(text);
  if (isFault(message)) return message;
  if (!acts && !LOOKS.has(message.type))
    return fault("box.refused", "this is done on another machine, outside of your box", "Ask the person.");
  if (message.type !== "answer") return JSON.stringify(message);
  const place = placeOf(message.approval_id);
  if (place?.host !== lists.host.name)
    return fault("approval.settled", "this question is of another machine", "Answer it there.");
  const shown = message.answer === "approve" ? shownAt(lists, message) : {};
  return JSON.stringify({ ...message, ...shown, approval_id: place.id } satisfies FromViewer);
}
