// Whether an agent is active in the shown session, and the way to stop it. The stop goes over HTTP at once, so that
// nothing in the socket's queue delays it.
import type { Accessor } from "solid-js";
import type { ApprovalQueue } from "../approvals/queue.ts";
import { call, type Fault, isFault } from "../wire/api.ts";
import type { ShownSession, Stopping } from "./page-state.ts";

export function createStopping(
  shown: Accessor<ShownSession | undefined>,
  approvals: ApprovalQueue,
  onFault: (fault: Fault) => void,
): Stopping {
  const stopAll = () => void call("stop", {}).then((answer) => isFault(answer) && onFault(answer));
  return {
    isAgentActive() {
      const session = shown();
      const state = session?.agent.status?.state ?? "idle";
      const asks = approvals.pending.some(({ session_id }) => session_id !== null && session_id === session?.id);
      return (session?.control.agentHolds() ?? false) || (state !== "idle" && state !== "paused") || asks;
    },
    stop() {
      const session = shown();
      if (session) session.control.stop();
      else stopAll();
    },
    stopAll,
  };
}
