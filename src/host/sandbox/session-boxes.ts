// The SessionBoxes port on bubblewrap. Owns: what of a session's own folder is seen in its box.
import fs from "node:fs";
import { join } from "node:path";
import { type Fault, fault } from "../../core/base/fault.ts";
import type { SessionBoxes } from "../../core/box/boxes.ts";
import { proxyVariables } from "../../core/box/bridge.ts";
import { boxEnvironment } from "../../core/box/environment.ts";
import type { Bind } from "../../core/box/plan.ts";
import { childrenOf, pidInside } from "../process/table.ts";
import { SHELL_FOLDER, WRITTEN_BY_SHELLS } from "../shell/lines.ts";
import type { Sandbox } from "./sandbox.ts";
import { openProxies, proxyFolder } from "./session-proxies.ts";

/** bubblewrap's own process is the first in its namespace, the program the second. */
const PROGRAM_INSIDE = 2;

/** `ownPort` is the daemon's, which no box may reach. */
export function sessionBoxes(sandbox: Sandbox, sessions: string, ownPort: () => number): SessionBoxes {
  return {
    proxy: openProxies(sessions, ownPort),
    wrap(command, session_id, { network, roots }) {
      const missing = unavailable(sandbox);
      if (missing) return missing;
      const keep = shellBinds(join(fs.realpathSync(sessions), session_id, SHELL_FOLDER));
      const request = { cwd: command.cwd, roots, network, keep, path: command.env.PATH };
      const plan = sandbox.plan({ ...request, proxyFolder: proxyFolder(sessions, session_id) });
      sandbox.reserve(session_id, plan);
      const [file = "", ...args] = [...sandbox.prefix(plan), command.file, ...command.args];
      return { ...command, file, args, env: { ...boxEnvironment(command.env, plan.ownDir), ...proxyVariables() } };
    },
    ended: (session_id) => sandbox.release(session_id),
    programIn(pid) {
      const inside = childrenOf(pid).flatMap(childrenOf);
      return inside.find((child) => pidInside(child) === PROGRAM_INSIDE) ?? null;
    },
  };
}

export function unavailable(sandbox: Sandbox): Fault | undefined {
  const { boxes } = sandbox;
  return boxes.available ? undefined : fault("box.unavailable", boxes.why, boxes.hint);
}

/**
 * An integrated shell reads its folder and writes a few files. The rest is read-only, because the daemon writes there:
 * with a link in its place an agent could choose where to.
 */
function shellBinds(folder: string): Bind[] {
  if (!fs.existsSync(folder)) return [];
  const files = WRITTEN_BY_SHELLS.map((name) => join(folder, name));
  for (const file of files) fs.closeSync(fs.openSync(file, "a", 0o600));
  return [{ path: folder, access: "read" }, ...files.map((path): Bind => ({ path, access: "write" }))];
}
