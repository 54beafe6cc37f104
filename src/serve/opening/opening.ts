// Puts together what opens sessions, and what opens them again.
import type { NoSessionGate } from "../../core/gate/no-session.ts";
import type { Redactor } from "../../core/redact/redactor.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import { nodeClock } from "../../host/clock.ts";
import { bootId } from "../../host/process/boot.ts";
import type { Sandbox } from "../../host/sandbox/sandbox.ts";
import type { Home } from "../../protocol/plain/home.ts";
import type { Config } from "../config.ts";
import { Admission } from "./admission.ts";
import type { AgentStarts } from "./agent-starts.ts";
import { Boxing } from "./boxing.ts";
import { OpenRequests } from "./open.ts";
import { Recipes } from "./recipes.ts";
import { Reopening } from "./reopening.ts";

interface OpeningParts {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly sessions: Sessions;
  readonly noSessionGate: NoSessionGate;
  readonly sandbox: Sandbox;
  readonly config: Config;
  readonly eyes: Redactor;
  readonly starts: AgentStarts;
}

export function openingOf({ home, env, sessions, noSessionGate, sandbox, config, eyes, starts }: OpeningParts) {
  const admission = new Admission(noSessionGate, env);
  const recipes = new Recipes({ clock: nodeClock, boot: bootId(env), eyes, sessions });
  const boxing = new Boxing(sandbox, config.box);
  const opening = new OpenRequests(sessions, env, { admission, boxing, recipes, agents: starts });
  const ends = home.holderEnds;
  const reopening = new Reopening({ sessions, opening, starts, noSessionGate, boot: recipes.boot, ends });
  return { admission, opening, recipes, reopening };
}
