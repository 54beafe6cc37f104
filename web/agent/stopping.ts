// Whether an agent does anything in the shown session, and the way to stop it. Goes over HTTP at once: what waits in the
// socket's queue must not be before it.
import type { Accessor } from "solid-js";
import type { ShownSession } from "../app/shown-session.ts";
import type { ApprovalQueue } from "../approvals/queue.ts";
import { call, type Fault, isFault } from "../wire/api.ts";

export interface Stopping {
  /** An agent has the keyboard, works or asks in the shown session. */
  isAgentActive(): boolean;
  /** Agents of the shown session; of all when none is shown. */
  stop(): void;
  stopAll(): void;
}

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
