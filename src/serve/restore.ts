// Restore points of the daemon: kept in the folder that a box would let an agent write, told as events of the session.
import { homedir } from "node:os";
import { isFault } from "../core/base/fault.ts";
import { isWithin } from "../core/box/plan.ts";
import { RestorePoints } from "../core/restore/restore-points.ts";
import type { KeptFilesParts } from "../core/session/keeping/kept-files.ts";
import type { Sessions } from "../core/session/sessions.ts";
import { nodeClock } from "../host/clock.ts";
import { gitShadows } from "../host/git/shadows.ts";
import { realPath } from "../host/sandbox/links.ts";
import { rootsOf } from "../host/sandbox/roots.ts";
import type { Sandbox } from "../host/sandbox/sandbox.ts";
import type { Home } from "../protocol/plain/home.ts";
import type { Config } from "./config.ts";

interface RestoreOfDaemon {
  readonly home: Home;
  readonly config: Config;
  newId(): string;
  sessions(): Sessions;
  /** What belongs to no session. */
  log(event: object): void;
}

/** What sessions ask of restore points, and of boxes that one folder holds. */
export function keepingOf(restore: RestorePoints, sandbox: Sandbox): KeptFilesParts {
  return {
    keepFiles: (before) => restore.before(before),
    lacks: (before, wanted) => restore.lacks(before, wanted),
    boxedTo(folder, cwd) {
      const real = realPath(cwd);
      return real !== undefined && isWithin(real, folder) && isEditable(sandbox, folder) ? real : null;
    },
  };
}

/** Whether a box may write this folder. It is given by its real name, so another one means that a link is in its place. */
export function isEditable(sandbox: Sandbox, folder: string): boolean {
  const { roots } = sandbox.summary({ cwd: folder, roots: [folder] });
  return roots.length === 1 && roots[0] === folder;
}

export function restoreOf({ home, config, newId, sessions, log }: RestoreOfDaemon): RestorePoints {
  const { restore } = config;
  return new RestorePoints({
    clock: nodeClock,
    settings: () => restore,
    newId,
    workspaceOf: (cwd) => {
      const [root] = rootsOf(cwd, homedir());
      return root ?? { none: `${cwd} is not a project's folder: it is the home folder, the system's, or gone` };
    },
    shadow: gitShadows(home.restore, home.dir, restore),
    told: ({ actor, session_id }, { point_id, skipped }, workspace) => {
      const event = { kind: skipped === null ? "point" : "point_skipped", actor, point_id, workspace, why: skipped };
      const session = session_id === null ? undefined : sessions().find(session_id);
      if (session && !isFault(session)) session.gate.log(event);
      else log(event);
    },
  });
}
