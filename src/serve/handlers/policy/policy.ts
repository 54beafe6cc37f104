// Sets what agents may do in a session: the levels, and where they may edit.
import { resolve } from "node:path";
import { advice } from "../../../core/base/advice.ts";
import { type Fault, fault, isFault } from "../../../core/base/fault.ts";
import type { Policy } from "../../../core/gate/policy.ts";
import type { Session } from "../../../core/session/session.ts";
import { realPath } from "../../../host/sandbox/links.ts";
import { unavailable } from "../../../host/sandbox/session-boxes.ts";
import type { Input } from "../../../protocol/ops.ts";
import { agentNameIn } from "../../../protocol/plain/agent-name.ts";
import { type Call, peopleOnly } from "../../auth.ts";
import { isEditable } from "../../restore.ts";
import type { Context } from "../context.ts";

type Changes = Omit<Input<"policy">, "session_id">;

/** The whole policy is written at each change. More agents than this do not share one terminal. */
const AGENT_LEVELS_MAX = 50;

export function setPolicy(ctx: Context, session: Session, changes: Changes, call: Call) {
  const isSet = Object.values(changes).some((value) => value !== undefined);
  const refused = isSet ? peopleOnly(call, "only people set the policy") : undefined;
  if (refused) return refused;
  const set = changes.agent === undefined ? sessionRules(changes) : agentRule(ctx, session, changes.agent, changes);
  if (isFault(set)) return set;
  const folder = editFolder(ctx, session, changes);
  if (isFault(folder)) return folder;
  if (isSet) session.gate.setPolicy({ ...set, ...folder }, call.actor);
  return { session_id: session.id, ...session.gate.policy };
}

function sessionRules(changes: Changes): Partial<Policy> | Fault {
  const { level, safe_mode, auto_approve, threshold } = changes;
  if (level === "session") return fault("input.invalid", "that is a level for one agent", advice("one_agent"));
  return {
    ...(level === undefined ? {} : { level }),
    ...(safe_mode === undefined ? {} : { safe_mode: safe_mode === "on" }),
    ...(auto_approve === undefined ? {} : { auto_approve: auto_approve === "on" }),
    ...(threshold === undefined ? {} : { threshold }),
  };
}

/** A single agent has only a level. Other settings beside --agent would change everybody's, so they are refused. */
function agentRule(ctx: Context, session: Session, agent: string, changes: Changes): Partial<Policy> | Fault {
  const { level, safe_mode, auto_approve, threshold } = changes;
  if (level === undefined || [safe_mode, auto_approve, threshold].some((value) => value !== undefined)) {
    const hint = advice("agent_level");
    return fault("input.invalid", "only the level can be set for a single agent", hint);
  }
  const who = `agent:${ctx.agents.nameOf(agentNameIn(agent) ?? agent)}`;
  const { [who]: _, ...others } = session.gate.policy.agent_levels;
  if (level === "session") return { agent_levels: others };
  if (Object.keys(others).length >= AGENT_LEVELS_MAX)
    return fault("session.limit", `${AGENT_LEVELS_MAX} agents have levels`, advice("session_level"));
  return { agent_levels: { ...others, [who]: level } };
}

/** The folder by its real name. One that no box could be held to, or that no restore point has, would free nothing. */
function editFolder(ctx: Context, session: Session, changes: Changes): Partial<Policy> | Fault {
  const { level, folder, agent } = changes;
  const now = session.gate.policy.edit_folder;
  if (folder === undefined && (level !== "edit_here" || (agent !== undefined && now !== null))) return {};
  const missing = unavailable(ctx.sandbox);
  if (missing) return missing;
  if (!session.meta.box && !ctx.config.box.agents)
    return fault("box.unavailable", "what agents run here has no box", "Boxes for agents are off in the config.");
  const cwd = session.info().cwd;
  const workspace = ctx.restore.workspaceOf(folder === undefined ? cwd : resolve(cwd, folder));
  if (typeof workspace !== "string") return fault("restore.none", workspace.none, "Name a folder of a project.");
  const real = realPath(folder === undefined ? workspace : resolve(cwd, folder));
  if (real === undefined || !isEditable(ctx.sandbox, real))
    return fault("input.invalid", `agents may not write ${real ?? folder}`, "Name a folder of a project.");
  return { edit_folder: real };
}
