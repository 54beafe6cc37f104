// Ends hosted agents whose daemon was killed. Some never notice that their connection is gone.
import { endOrphans } from "../../host/process/child-tree.ts";
import { SESSION_VARIABLE } from "../opening/open.ts";

/** The beginning of the marker in the environment of a hosted agent and everything it starts. */
const HOSTED = "hosted_";

/** In the environment of the whole tree. A process with it that calls our CLI is an agent, even on a terminal. */
export function hostedMarker(agent: string, id: string): { readonly name: string; readonly value: string } {
  return { name: SESSION_VARIABLE, value: `${HOSTED}${agent}_${id}` };
}

/** For a daemon that has just taken its home and hosts no agent yet. */
export function endLeftAgents(homeDir: string): Promise<number> {
  const home = `DUETTY_HOME=${homeDir}`;
  const mark = `${SESSION_VARIABLE}=${HOSTED}`;
  return endOrphans((entries) => entries.includes(home) && entries.some((entry) => entry.startsWith(mark)));
}
