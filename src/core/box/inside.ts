// Whether a box lies within another: what a program in a box asks for never opens more than its own. Pure.
import { type Fault, fault, isFault } from "../base/fault.ts";
import { covers, readRules } from "./network.ts";
import { type BoxSummary, isWithin } from "./plan.ts";

/** `given`: the box that the new thing really has; null is none. `own`: the one around whoever asks, if any. */
export function leavesBox(given: BoxSummary | null | undefined, own: BoxSummary | undefined): Fault | undefined {
  if (!own || (given && isInside(given, own))) return undefined;
  return outsideOf(own, given ? given.roots.join(", ") : "work without a box");
}

export function outsideOf({ roots }: BoxSummary, what: string): Fault {
  const hint = `Work in ${roots.join(", ")}, and ask a person for what lies elsewhere.`;
  return fault("box.refused", `${what} is outside the box that you run in`, hint);
}

function isInside({ roots, network }: BoxSummary, own: BoxSummary): boolean {
  const [wanted, listed] = [readRules(network), readRules(own.network)];
  if (isFault(wanted) || isFault(listed)) return false;
  const isOpen = (root: string) => own.roots.some((other) => isWithin(root, other));
  return roots.every(isOpen) && wanted.every((rule) => covers(listed, rule));
}
