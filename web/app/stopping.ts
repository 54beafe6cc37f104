// Whether an agent is active in the shown session, and the way to stop it. The stop goes over HTTP at once, so that
// nothing in the socket's queue delays it.
import type { Accessor } from "solid-js";
import type { ApprovalQueue } from "../approvals/queue.ts";
import { hostOf } from "../hosts/words.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { call, type Fault, isFault } from "../wire/api.ts";
import type { ShownSession, Stopping } from "./page-state.ts";

interface StoppingParts {
  readonly shown: Accessor<ShownSession | undefined>;
  readonly approvals: ApprovalQueue;
  readonly sessions: Sessions;
  onFault(fault: Fault): void;
}

export function createStopping({ shown, approvals, sessions, onFault }: StoppingParts): Stopping {
  const stop = async (where: { session_id?: string }) => {
    const answer = await call("stop", where);
    if (isFault(answer)) onFault(answer);
  };
  const stopAll = () => {
    void stop({});
    // That was for this machine. On others the sessions are named in which an agent is.
    for (const { session_id, hold, agent } of sessions.running())
      if (hostOf(session_id) && (agent !== null || hold.startsWith("agent"))) void stop({ session_id });
  };
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
