// What starting a session again would do, told before anybody says yes: in which folder, under which name, and what is missing. Pure.
import type { Recipe } from "./recipe.ts";

interface Place {
  readonly cwd: string;
  readonly note: string | null;
}

/** Its folder, or the nearest one above it that still exists. */
export function placeFor(cwd: string, exists: (folder: string) => boolean): Place {
  let at = cwd;
  while (at !== "/" && at !== "" && !exists(at)) at = at.slice(0, Math.max(0, at.lastIndexOf("/"))) || "/";
  return { cwd: at || "/", note: at === cwd ? null : `${cwd} is gone: it starts in ${at || "/"}` };
}

/** Its name, or the first like it that no running session has. */
export function nameFor(
  name: string | null,
  taken: ReadonlySet<string>,
): { readonly name: string | null; readonly note: string | null } {
  if (name === null || !taken.has(name)) return { name, note: null };
  let number = 2;
  while (taken.has(`${name}-${number}`)) number += 1;
  return { name: `${name}-${number}`, note: `a running session is called ${name}: it becomes ${name}-${number}` };
}

/** What is not kept of the variables that it had. */
export function missingNote({ env_missing }: Recipe): string | null {
  return env_missing.length === 0 ? null : `without ${env_missing.join(", ")}: secrets are not kept`;
}

interface Starter {
  readonly actor: string;
  /** Why its command is risky. Null: it is not. */
  readonly risk: string | null;
  /** It begins with a task for an agent, which would be done again. */
  readonly isTasked: boolean;
}

/** Why a person is asked about this one alone. Null: it may come back with all others. */
export function asksAlone({ actor, risk, isTasked }: Starter): string | null {
  if (actor.startsWith("agent:")) return `${actor} opened it`;
  if (isTasked) return "its agent would begin its task again";
  return risk === null ? null : `its command is risky: ${risk}`;
}
