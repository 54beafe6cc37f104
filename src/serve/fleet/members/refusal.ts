// What the root's machine says to somebody whom it does not let in, or does not know. Nobody signs it: it opens nothing.
import type { Fault } from "../../../core/base/fault.ts";
import { type FleetCode, isFleetCode, refused } from "../../../host/fleet/faults.ts";

const FORM = /^duetty-refused-1 ([\w.]{1,40})$/;

export function refusalText(code: FleetCode): Uint8Array {
  return Buffer.from(`duetty-refused-1 ${code}`);
}

/** Undefined: it is an answer. */
export function refusalIn(answer: Uint8Array): Fault | undefined {
  const [, code] = FORM.exec(Buffer.from(answer.subarray(0, 60)).toString("latin1")) ?? [];
  if (code === undefined) return undefined;
  return isFleetCode(code) ? refused(code, "the root's machine") : refused("fleet.forged", "an answer");
}
