// Ends hosted agents whose daemon was killed. Some never notice that their connection is gone.
import { endOrphans } from "../../host/process/child-tree.ts";
import { isHosted } from "../markers.ts";

/** For a daemon that has just taken the home of an earlier one and hosts no agent yet. */
export function endLeftAgents(homeDir: string): Promise<number> {
  return endOrphans((environment) => isHosted(environment, homeDir));
}
