// Hosted agents whose daemon was killed. Some never notice that nobody talks to them any more.
import { endOrphans } from "../../host/process/child-tree.ts";
import { SESSION_VARIABLE } from "../opening/open.ts";

/** The beginning of what a hosted agent, and all that it starts, has for its session. */
const HOSTED = "hosted_";

/** In the environment of the whole tree. Whoever calls our CLI with it is an agent, terminal or not. */
export function hostedMarker(agent: string, id: string): { readonly name: string; readonly value: string } {
  return { name: SESSION_VARIABLE, value: `${HOSTED}${agent}_${id}` };
}

/** For a daemon that has just won its home and hosts nobody yet. */
export function endLeftAgents(homeDir: string): Promise<number> {
  const home = `DUETTY_HOME=${homeDir}`;
  const mark = `${SESSION_VARIABLE}=${HOSTED}`;
  return endOrphans((entries) => entries.includes(home) && entries.some((entry) => entry.startsWith(mark)));
}
