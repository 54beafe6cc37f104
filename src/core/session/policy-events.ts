// A session's policy for agents, read from its events, and the messages to viewers about it. Pure.

import { type Approval, cardOf } from "../gate/approvals.ts";
import type { Hold } from "../gate/hold.ts";
import { DEFAULT_POLICY, type Policy } from "../gate/policy.ts";
import type { Frame } from "../viewer/viewer.ts";

/** The last policy that was set, or the one a new session begins with. */
export function policyOf(events: readonly unknown[]): Policy {
  const first: Policy = DEFAULT_POLICY;
  const last = events.findLast((event): event is Policy => isPolicy(event));
  if (!last) return first;
  const { mode, level, agent_levels = {}, safe_mode, auto_approve, threshold, edit_folder = null } = last;
  return { mode, level, agent_levels, safe_mode, auto_approve, threshold, edit_folder };
}

function isPolicy(event: unknown): boolean {
  if (typeof event !== "object" || event === null) return false;
  return "kind" in event && event.kind === "policy" && "level" in event && "threshold" in event;
}

export function holdFrame({ who, reason, note }: Hold): Frame {
  return { type: "hold", hold: who, reason, note };
}

/** The mode alone, for viewers that show nothing else, and the whole policy. */
export function policyFrames(policy: Policy): readonly Frame[] {
  return [
    { type: "mode", mode: policy.mode },
    { type: "policy", policy },
  ];
}

/** What a viewer that joins must know. */
export function joiningFrames(
  { policy, hold }: { readonly policy: Policy; readonly hold: Hold },
  asked: readonly Approval[],
): Frame[] {
  const approvals = asked.map((one): Frame => ({ type: "approval", approval: cardOf(one) }));
  return [...policyFrames(policy), ...approvals, holdFrame(hold)];
}
