// What we write into the environment of everything that we start for agents and people, so that its processes are known.
import { createHash } from "node:crypto";

/** Its value names the session, the hosted agent or the run. A process with it that calls our CLI is an agent. */
export const SESSION_VARIABLE = "DUETTY_SESSION_ID";
/** The beginning of the value for a hosted agent and everything it starts. */
const HOSTED = "hosted_";

export function hostedMarker(agent: string, id: string): { readonly name: string; readonly value: string } {
  return { name: SESSION_VARIABLE, value: `${HOSTED}${agent}_${id}` };
}

/** The agent's name in such a value. */
export function hostedIn(value: string): string {
  return value.slice(HOSTED.length, value.lastIndexOf("_"));
}

/** The value for what runs beside the terminal, with plain pipes. */
export function runMarker(homeDir: string): string {
  return `run_${createHash("sha256").update(homeDir).digest("hex").slice(0, 16)}`;
}

/** Whether a process with this environment belongs to a hosted agent of this home. */
export function isHosted(environment: readonly string[], homeDir: string): boolean {
  const mark = `${SESSION_VARIABLE}=${HOSTED}`;
  return environment.includes(`DUETTY_HOME=${homeDir}`) && environment.some((entry) => entry.startsWith(mark));
}

/** The value in this environment. */
export function markerIn(environment: readonly string[]): string | undefined {
  const name = `${SESSION_VARIABLE}=`;
  return environment.find((entry) => entry.startsWith(name))?.slice(name.length);
}
