// The boxes of one line in a person's shell and of one command beside the terminal.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { boxEnvironment, ownVariables } from "../../core/box/environment.ts";
import { leavesBox } from "../../core/box/inside.ts";
import type { PipeBox } from "../process/pipe.ts";
import { folderFile } from "../shell/box-line.ts";
import type { LineBoxes } from "../shell/lines.ts";
import { realPath } from "./links.ts";
import type { Sandbox } from "./sandbox.ts";

/** Of our home, a line's box sees only the file that its last folder comes back in. */
export function lineBoxes(sandbox: Sandbox): LineBoxes {
  /** How far the last box of each session has come. */
  const boxes = new Map<string, "open" | "over">();
  return {
    of({ session_id, cwd, roots: only, dir }) {
      const folder = fs.realpathSync(folderFile(dir, boxes.get(session_id) === "over"));
      boxes.set(session_id, "open");
      // The person's prompt obeys what lies in this folder, or above it.
      const asked = { cwd, keep: [{ path: folder, access: "write" }], shellStays: true } as const;
      const plan = sandbox.plan(only ? { ...asked, roots: only } : asked);
      sandbox.reserve(session_id, plan);
      const { roots, ownDir } = plan;
      const at = realPath(cwd) ?? cwd;
      return { start: sandbox.start(session_id, plan), roots, at, variables: ownVariables(ownDir), folder };
    },
    over(session_id) {
      const wasOpen = boxes.get(session_id) === "open";
      boxes.set(session_id, "over");
      sandbox.releaseSoon(session_id);
      return wasOpen;
    },
  };
}

export function pipeBoxes(sandbox: Sandbox): PipeBox {
  return ({ cwd, env, within }) => {
    const plan = sandbox.plan({ cwd, path: env.PATH });
    // It has no proxy, so it reaches nothing.
    const leaves = leavesBox({ roots: plan.roots, network: [] }, within);
    if (leaves) return leaves;
    const owner = randomUUID();
    sandbox.reserve(owner, plan);
    const over = () => sandbox.releaseSoon(owner);
    return { prefix: sandbox.prefix(owner, plan), env: boxEnvironment(env, plan.ownDir), over };
  };
}
