// Whether an agent does anything in the shown session, and the way to stop it. Goes over HTTP at once: what waits in the
// socket's queue must not be before it.
import type { Accessor } from "solid-js";
import type { Work } from "../app/shown-session.ts";
import type { Approvals } from "../approvals/approvals.ts";
import { call, type Fault, isFault } from "../wire/api.ts";

export interface Stopping {
  /** An agent has the keyboard, works or asks in the shown session. */
  isAgentActive(): boolean;
  /** Agents of the shown session; of all when none is shown. */
  stop(): void;
  stopAll(): void;
}

export function createStopping(
  work: Accessor<Work | undefined>,
  approvals: Approvals,
  wrong: (fault: Fault) => void,
): Stopping {
  const stopAll = () => void call("stop", {}).then((answer) => isFault(answer) && wrong(answer));
  return {
    isAgentActive() {
      const shown = work();
      const state = shown?.agent.status?.state ?? "idle";
      const asks = approvals.pending.some(({ session_id }) => session_id !== null && session_id === shown?.id);
      return (shown?.control.agentHolds() ?? false) || (state !== "idle" && state !== "paused") || asks;
    },
    stop() {
      const shown = work();
      if (shown) shown.control.stop();
      else stopAll();
    },
    stopAll,
  };
}
