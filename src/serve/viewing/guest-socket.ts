// The sockets of guests, devices and browsers: which one a guest may have, and their end with what they came by.
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { actorName } from "../../core/gate/actor.ts";
import type { ViewerSpec } from "../../core/viewer/viewer.ts";
import { VISIT_OVER } from "../../protocol/plain/visit-over.ts";
import type { Caller } from "../auth.ts";
import type { Guest } from "../pass/guest-rules.ts";
import type { Visits } from "../pass/visits.ts";
import type { ViewerSocket } from "./viewer-socket.ts";

/** Who does not say goodbye by then is cut off. */
const GOODBYE_MS = 500;
/** Try again later. */
const FULL = 1013;

export function refusesSocket(guest: Guest, session: { readonly id: string } | Fault): Fault | undefined {
  return isFault(session) || session.id !== guest.session_id
    ? fault("auth.forbidden", "another session was shared with you", "Ask the person who shared it.")
    : undefined;
}

/** Whether this socket may begin. */
export function visits(socket: ViewerSocket, id: string, all: Visits): boolean {
  const done = all.begin(id, () => {
    // What it still sends reaches nobody.
    socket.onMessage(undefined);
    socket.close(VISIT_OVER, "it is over");
    setTimeout(() => socket.terminate(), GOODBYE_MS).unref();
  });
  if (isFault(done)) socket.close(FULL, done.message);
  else socket.onClose(done);
  return !isFault(done);
}

/** How the others see a person. */
export function hereOf({ role, guest, actor }: Caller): ViewerSpec["who"] {
  return role === "agent" ? undefined : { actor: actorName(actor), may: guest?.role ?? "all" };
}
