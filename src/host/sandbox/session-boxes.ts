// The SessionBoxes port on bubblewrap. Owns: what of a session's own folder is seen in its box.
import fs from "node:fs";
import { join } from "node:path";
import { type Fault, fault } from "../../core/base/fault.ts";
import type { SessionBoxes } from "../../core/box/boxes.ts";
import { proxyVariables } from "../../core/box/bridge.ts";
import { boxEnvironment } from "../../core/box/environment.ts";
import type { Bind, BoxPlan } from "../../core/box/plan.ts";
import { programInBox } from "../process/table.ts";
import { SHELL_FOLDER, WRITTEN_BY_SHELLS } from "../shell/lines.ts";
import { openProxies, proxyFolder } from "./network/session-proxies.ts";
import { renewProtection } from "./renewal.ts";
import type { Sandbox } from "./sandbox.ts";

export const LED_AWAY = fault(
  "box.refused",
  "a folder of its box leads elsewhere now",
  "Look where, and open a new session.",
);

/** `ownPorts` are the daemon's, which no box may reach. */
export function sessionBoxes(sandbox: Sandbox, sessions: string, ownPorts: () => readonly number[]): SessionBoxes {
  const planned = new Map<string, BoxPlan>();
  const renewals = new Map<string, { close(): void }>();
  return {
    proxy: openProxies(sessions, ownPorts),
    wrap({ opens, ...command }, session_id, { network, roots }) {
      const missing = unavailable(sandbox);
      if (missing) return missing;
      const { writable = [], readable: seen = [], own } = opens ?? {};
      const shell = shellBinds(join(fs.realpathSync(sessions), session_id, SHELL_FOLDER));
      const keep = [...shell, ...writable.map((path): Bind => ({ path, access: "write" }))];
      const request = { cwd: command.cwd, roots, network, keep, path: command.env.PATH, seen, own };
      const plan = sandbox.plan({ ...request, proxyFolder: proxyFolder(sessions, session_id) });
      // What was judged and shown. A link may stand in the place of a folder by now.
      if (plan.roots.join() !== roots.join()) return LED_AWAY;
      sandbox.reserve(session_id, plan);
      planned.set(session_id, plan);
      const [file = "", ...args] = [...sandbox.prefix(session_id, plan), command.file, ...command.args];
      const env = { ...boxEnvironment(command.env, plan.ownDir, opens?.variables), ...proxyVariables(opens?.loopback) };
      return { ...command, file, args, env };
    },
    started(session_id, { roots, network }, pid, say) {
      const known = planned.get(session_id);
      planned.delete(session_id);
      const plan = known ?? sandbox.plan({ cwd: "/", roots, network });
      const box = known ? "new" : "found";
      const made = () => sandbox.made(session_id);
      const inside = () => programInBox(pid);
      const secrets = sandbox.secrets(plan);
      if (!known) sandbox.gitLinks.note(session_id, plan.gitFolders);
      const sweep = () => sandbox.gitLinks.sweep(session_id);
      renewals.set(session_id, renewProtection({ plan, secrets, box, pid: inside, made, sweep, say }));
      if (plan.isSearchedInPart)
        say(`${roots.join(", ")} has many folders: the box protects the settings of repositories only near the top.`);
    },
    ended(session_id) {
      planned.delete(session_id);
      renewals.get(session_id)?.close();
      renewals.delete(session_id);
      sandbox.releaseSoon(session_id);
    },
    programIn: programInBox,
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
