// Puts together what opens sessions, and what opens them again.
import type { NoSessionGate } from "../../core/gate/no-session.ts";
import type { Redactor } from "../../core/redact/redactor.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import { nodeClock } from "../../host/clock.ts";
import { bootId } from "../../host/process/boot.ts";
import type { Sandbox } from "../../host/sandbox/sandbox.ts";
import type { Home } from "../../protocol/plain/home.ts";
import type { Config } from "../config.ts";
import { Placing } from "../worktree/placing.ts";
import type { Worktrees } from "../worktree/worktrees.ts";
import { Admission } from "./admission.ts";
import type { AgentStarts } from "./agent-starts.ts";
import { Boxing } from "./boxing.ts";
import { Editing } from "./editing.ts";
import { digits, OpenRequests } from "./open.ts";
import { Recipes } from "./recipes.ts";
import { Reopening } from "./reopening.ts";
import type { RuleFiles } from "./rule-files.ts";

interface OpeningParts {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly sessions: Sessions;
  readonly noSessionGate: NoSessionGate;
  readonly sandbox: Sandbox;
  readonly config: Config;
  readonly eyes: Redactor;
  readonly starts: AgentStarts;
  readonly ruleFiles: RuleFiles;
  readonly worktrees: Worktrees;
}

export function openingOf(parts: OpeningParts) {
  const { home, env, sessions, noSessionGate, sandbox, config, eyes, starts, ruleFiles, worktrees } = parts;
  const admission = new Admission(noSessionGate, env);
  const recipes = new Recipes({ clock: nodeClock, boot: bootId(env), eyes, sessions });
  const boxing = new Boxing(sandbox, config.box);
  const folder = home.sessions;
  const secret = () => digits(16);
  const isTrusted: RuleFiles["isSetupTrusted"] = (repo, wish) => ruleFiles.isSetupTrusted(repo, wish);
  const placing = new Placing({ worktrees, sessions, isTrusted, config: config.worktree, folder, secret });
  const opening = new OpenRequests(sessions, env, { admission, boxing, recipes, agents: starts, placing });
  const ends = home.holderEnds;
  const reopening = new Reopening({ sessions, opening, starts, noSessionGate, boot: recipes.boot, ends });
  const editing = new Editing({ opening, env, editor: config.editor });
  return { admission, opening, recipes, reopening, editing };
}
