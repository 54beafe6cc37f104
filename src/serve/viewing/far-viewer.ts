// A device of the fleet that wants to see a terminal of this machine: what it sees, and its socket served like any other.
import { isFault } from "../../core/base/fault.ts";
import type { Aim } from "../fleet/nats/host-streams.ts";
import { type TargetParts, targetOf } from "./target.ts";
import { serveViewer, type ViewingParts } from "./viewing.ts";

export function aimAt(parts: TargetParts & ViewingParts): Aim {
  return ({ caller, session_id, query, may, perform }) => {
    if (may === "watch") query.set("role", "watch");
    const target = targetOf(caller, session_id, query, parts);
    if (isFault(target)) return target;
    const seen =
      "session" in target && may === "watch" ? ({ ...target, sizes: "never", start: "later" } as const) : target;
    return (stream) => {
      serveViewer(stream, seen, { ...parts, perform }).catch((error: unknown) => {
        parts.log.error(error);
        stream.terminate();
      });
    };
  };
}
