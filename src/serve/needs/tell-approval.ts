// Tells those who watch of a question that was asked or settled.
import { isFault } from "../../core/base/fault.ts";
import { type Approval, cardOf } from "../../core/gate/approvals.ts";
import type { Sessions } from "../../core/session/sessions.ts";

/** Sends a question to its session's gate, viewers and events. One without a session goes to all viewers. */
export function tellApproval(sessions: Sessions, approval: Approval): void {
  const { approval_id, session_id, actor, state, rule, kind, by, from } = approval;
  const found = session_id === null ? undefined : sessions.find(session_id);
  const session = isFault(found) ? undefined : found;
  session?.gate.log({ kind: "approval", approval_id, actor, state, rule, what: kind, by: by ?? undefined, from });
  const type = state === "pending" ? "approval" : "approval_settled";
  for (const one of session ? [session] : sessions.live) one.display.viewers.tell({ type, approval: cardOf(approval) });
  session?.approvalChanged(approval);
}

/** Viewers show whether the asker still waits. */
export function tellAsker(sessions: Sessions, approval: Approval): void {
  for (const { id, display } of sessions.live)
    if (approval.session_id === null || approval.session_id === id)
      display.viewers.tell({ type: "approval", approval: cardOf(approval) });
}
