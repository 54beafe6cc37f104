// What a caller inside a boxed session may ask of the daemon: nothing that its own box would not let it do. The gate decides the rest.
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { covers, readRules } from "../../core/box/network.ts";
import { type BoxSummary, isWithin } from "../../core/box/plan.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import type { Sandbox } from "../../host/sandbox/sandbox.ts";
import type { Config } from "../config.ts";
import type { BoxLimits } from "../perform.ts";
import { folderOf } from "./folder.ts";

/** It asks a person. */
const HARMLESS: readonly string[] = ["ask_person"];

type Field = "session_id" | "cwd" | "box" | "mode";

interface BoxLimitsParts {
  readonly sessions: Sessions;
  readonly sandbox: Pick<Sandbox, "summary" | "boxes">;
  readonly config: Pick<Config, "box">;
}

export function boxLimits({ sessions, sandbox, config }: BoxLimitsParts): BoxLimits {
  return (op, input, { session }) => {
    const own = session === undefined ? undefined : boxOf(sessions, session);
    if (!own || op.effect !== "write" || HARMLESS.includes(op.name)) return undefined;
    const { session_id, cwd, box, mode } = (input ?? {}) as Readonly<Record<Field, unknown>>;
    // A hosted agent has no box.
    if (op.name === "ask") return outside(op.name, own);
    const target = typeof session_id === "string" ? sessions.find(session_id) : undefined;
    if (target) {
      const theirs = isFault(target) ? undefined : target.meta.box;
      if (isFault(target) || !theirs || !isInside(theirs, own)) return outside(`session ${session_id}`, own);
      // A pipe is beside the session's box.
      if (mode !== "pipe") return undefined;
    }
    if (!("cwd" in op.input.shape)) return outside(op.name, own);
    // Where agents have no boxes, only one that is asked for is one.
    const isBoxed = config.box.agents
      ? sandbox.boxes.available
      : op.name === "pty_open" && box !== undefined && box !== false;
    if (!isBoxed) return outside(op.name, own);
    const folder = folderOf(typeof cwd === "string" ? cwd : target?.info().cwd);
    return isInside(sandbox.summary({ cwd: folder }), own) ? undefined : outside(folder, own);
  };
}

function boxOf(sessions: Sessions, ref: string): BoxSummary | undefined {
  const session = sessions.find(ref);
  return isFault(session) ? undefined : (session.meta.box ?? undefined);
}

function isInside({ roots, network }: BoxSummary, own: BoxSummary): boolean {
  const [wanted, listed] = [readRules(network), readRules(own.network)];
  if (isFault(wanted) || isFault(listed)) return false;
  const isOpen = (root: string) => own.roots.some((other) => isWithin(root, other));
  return roots.every(isOpen) && wanted.every((rule) => covers(listed, rule));
}

function outside(what: string, { roots }: BoxSummary): Fault {
  const hint = `Work in ${roots.join(", ")}, and ask a person for what lies elsewhere.`;
  return fault("box.refused", `${what} is outside the box that you run in`, hint);
}
