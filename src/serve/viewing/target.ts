// Which terminal somebody wants to see, and how: from the query of its address.
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import type { InputNumber } from "../../core/journal/holding.ts";
import type { Session } from "../../core/session/session.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import type { ViewerSpec } from "../../core/viewer/viewer.ts";
import { ptySend } from "../../protocol/ops/drive.ts";
import { placeOf } from "../../protocol/plain/host-place.ts";
import { type Caller, isMasked, peopleOnly } from "../auth.ts";
import { refusesFar } from "../fleet/forward.ts";
import type { Hosts } from "../fleet/hosts.ts";
import type { BoxLimits } from "../perform.ts";
import type { UnderWay } from "../under-way.ts";

import { refusesSocket } from "./guest-socket.ts";
import type { FarTarget } from "./relay.ts";

/** A viewer's own number and its frame's: at most eight and seven digits. */
const VIEWER = /^([1-9]\d{0,7})\.([1-9]\d{0,6})$/;

export interface Target {
  readonly session: Session;
  readonly caller: Caller;
  readonly cursor: number | undefined;
  readonly role: ViewerSpec["role"];
  readonly paint: ViewerSpec["paint"];
  readonly start: "now" | "later";
  /** Whether it wants pictures of a program that prints without end. Who reads bytes gets all that they keep up with. */
  readonly floods: ViewerSpec["floods"];
  /** Nothing that this viewer says changes the session's size. */
  readonly sizes?: "never";
  /** The number of the first frame of input, from a viewer that sends them again after a lost connection. */
  readonly from: InputNumber | undefined;
}

export interface TargetParts {
  readonly hosts: Hosts;
  readonly underWay: UnderWay;
  readonly sessions: Sessions;
  /** Keys that come this way are no operation. The caller's own box counts for them, too. */
  readonly limits: BoxLimits;
}

/** On this machine, or on another one. */
export function targetOf(
  known: Caller,
  id: string,
  wants: URLSearchParams,
  parts: TargetParts,
): Target | FarTarget | Fault {
  // It would believe that it types as the person.
  const lowered = known.lowered && peopleOnly(known, "a person's socket is for people");
  if (lowered) return lowered;
  const full = parts.underWay.refuses(known.actor);
  if (full) return full;
  const far = farTargetOf(known, id, wants, parts);
  if (far) return far;
  const session = parts.sessions.find(id);
  const foreign = known.guest && refusesSocket(known.guest, session);
  if (foreign) return foreign;
  if (isFault(session)) return session;
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
    floods: wants.get("floods") === "pictures" ? "pictures" : undefined,
    from,
  };
}

/** By its name host/ID, or by ?host=. */
function farTargetOf(
  caller: Caller,
  id: string,
  wants: URLSearchParams,
  { hosts, limits }: TargetParts,
): FarTarget | Fault | undefined {
  const named = wants.get("host");
  // A guest has one session here, and does not learn which machines there are.
  if (caller.guest) return named === null ? undefined : refusesFar(caller);
  const place = named === null ? placeOf(id) : { host: named, id };
  if (!place || (named === null && !hosts.has(place.host)) || named === hosts.me) return undefined;
  const refused = refusesFar(caller);
  if (refused) return refused;
  const lists = hosts.find(place.host);
  if (isFault(lists)) return lists;
  const outside = limits(ptySend, { session_id: id, host: place.host }, caller);
  if (outside && wants.get("role") !== "watch") return outside;
  const query = new URLSearchParams([...wants].filter(([name]) => name !== "host" && name !== "pass"));
  return { lists, session_id: place.id, query, caller, acts: outside === undefined };
}
