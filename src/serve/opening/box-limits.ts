// What a caller inside a boxed session may ask of the daemon: only what acts in a session of its box, or what starts something. Whoever
// starts that compares the box which it really gets (src/core/box/inside.ts). The gate decides the rest.
import { isFault } from "../../core/base/fault.ts";
import { leavesBox, outsideOf } from "../../core/box/inside.ts";
import type { BoxSummary } from "../../core/box/plan.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import { placeOf } from "../../protocol/plain/host-place.ts";
import type { Caller } from "../auth.ts";
import type { BoxLimits } from "../perform.ts";

/** It asks a person. */
const HARMLESS: readonly string[] = ["ask_person"];
/** They give it a box within the caller's. A hosted agent, which `ask` starts, has none. */
const STARTS: readonly string[] = ["pty_open", "run_command", "run_tests"];

export function boxLimits(sessions: Sessions): BoxLimits {
  return (op, input, caller) => {
    const own = boxAround(sessions, caller);
    if (!own || op.effect !== "write") return undefined;
    const { session_id, worktree, host, resume } = (input ?? {}) as Readonly<Record<string, unknown>>;
    const isName = session_id === undefined || typeof session_id === "string";
    // A session here may have such a name, too: by its id it is nobody else's.
    const isFar = placeOf(session_id) ?? placeOf(resume);
    if (host !== undefined || !isName || isFar) return outsideOf(own, "another machine");
    if (HARMLESS.includes(op.name)) return undefined;
    // One of its own lies outside. So `task`, which makes one, is no start here.
    if (worktree !== undefined && worktree !== false) return outsideOf(own, "a worktree");
    const isStart = STARTS.includes(op.name);
    if (op.name === "ask" || typeof session_id !== "string") return isStart ? undefined : outsideOf(own, op.name);
    const target = sessions.find(session_id);
    const leaves = leavesBox(isFault(target) ? null : target.meta.box, own);
    return leaves && outsideOf(own, `session ${session_id}`);
  };
}

/** The box of the session that a caller runs in. */
export function boxAround(sessions: Sessions, { session }: Caller): BoxSummary | undefined {
  const found = session === undefined ? undefined : sessions.find(session);
  return found === undefined || isFault(found) ? undefined : (found.meta.box ?? undefined);
}
