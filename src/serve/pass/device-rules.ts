// What a person may do only at the machine itself: let devices in, see them and put them out. Pure.
import { type Fault, fault } from "../../core/base/fault.ts";
import type { OpName } from "../../protocol/ops.ts";

/** How somebody came from elsewhere. `device`: by the key of a paired one. */
export type Away = "device" | "elsewhere";

const AT_THE_MACHINE: ReadonlySet<OpName> = new Set(["pair", "devices", "unpair"]);
/** Who belongs to the fleet is said where the keys are. */
const MEMBERSHIP = "fleet_";
/** A device that could sign a browser in, or make a link, would have a key that stays when it is put out. */
const NOT_BY_DEVICES: ReadonlySet<OpName> = new Set([...AT_THE_MACHINE, "login_code", "share"]);

/** Why a person who is away may not do this. */
export function refusesAway(away: Away | undefined, op: OpName): Fault | undefined {
  const refuses = (away === "device" ? NOT_BY_DEVICES : AT_THE_MACHINE).has(op) || op.startsWith(MEMBERSHIP);
  if (away === undefined || !refuses) return undefined;
  const hint = "Do it in a terminal of the machine, or on its page at 127.0.0.1.";
  return fault("auth.forbidden", `${op} is for a person at the machine itself`, hint);
}
