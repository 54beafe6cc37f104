// Whose conversation it is: an agent CLI's conversation belongs to one session that runs or that may come back. Pure.
import { type Fault, fault } from "../base/fault.ts";
import type { Recipe } from "./recipe.ts";

interface Owner {
  readonly id: string;
  readonly over: boolean;
  readonly state: string;
  readonly meta: {
    readonly agent_session_id?: string | null;
    readonly recipe?: Recipe | null;
    readonly box?: object | null;
  };
}

/** Undefined: the session may have it. In a box it has files of none but the one that it was started with. */
export function takenBy(
  session: Pick<Owner, "id"> & Partial<Owner>,
  agent_session_id: string,
  all: readonly Owner[],
): Fault | undefined {
  if (session.meta?.agent_session_id === agent_session_id) return undefined;
  const other = all.find(({ id, over, state, meta: { recipe, ...meta } }) => {
    const comesBack = state === "lost" && !recipe?.restored_as && !recipe?.forgotten;
    return id !== session.id && meta.agent_session_id === agent_session_id && (!over || comesBack || session.meta?.box);
  });
  if (!other) return undefined;
  return fault("input.invalid", `${other.id} has this conversation`, "A conversation belongs to one session.");
}
