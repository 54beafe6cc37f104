// A task for an agent CLI: a worktree, a session there and its first prompt, in one step. Owns nothing; the session keeps its text.
import { type Fault, fault, isFault } from "../../../core/base/fault.ts";
import { resolveCommand } from "../../../host/pty/resolve.ts";
import { findRepository } from "../../../host/worktree/repository.ts";
import type { Input } from "../../../protocol/ops.ts";
import type { Call } from "../../auth.ts";
import { folderOf } from "../../opening/folder.ts";
import { projectWish, untrusted } from "../../worktree/project.ts";
import type { Answer, Context } from "../context.ts";

export async function openTask(ctx: Context, input: Input<"task">, call: Call): Promise<Answer<"task"> | Fault> {
  const { text, name, base_env } = input;
  ctx.secrets.knowVariables({ ...base_env }, call.role === "person" ? "person" : "agent");
  const full = refusesMore(ctx);
  if (full) return full;
  const cwd = folderOf(input.cwd);
  const agent = input.agent ?? ctx.config.task.agent ?? installed(ctx, cwd, base_env);
  if (agent === undefined) return nobody();
  const repository = await findRepository(cwd);
  const isInside = !isFault(repository);
  const worktree = input.worktree ?? isInside;
  if (worktree !== false && !isInside) return repository;
  const refused = isInside && call.role !== "person" ? ctx.worktrees.outOfReach(repository) : undefined;
  if (refused) return refused;
  const project = isInside ? projectWish(repository.repo) : null;
  const before = project?.prompt;
  if (isInside && project && before !== undefined && !ctx.ruleFiles.isSetupTrusted(repository.repo, project))
    return untrusted(repository.repo, project, call.role);
  const prompt = before === undefined ? text : `${before}\n\n${text}`;
  const wish = {
    agent,
    prompt,
    cwd,
    worktree,
    ...(name === undefined ? {} : { name }),
    ...(base_env ? { base_env } : {}),
  };
  const session = await ctx.opening.open({ ...wish, integrate: true, lazy: false }, call, { task: text });
  return isFault(session) ? session : session.info();
}

function refusesMore({ sessions, config }: Context): Fault | undefined {
  const { at_once } = config.task;
  const running = sessions.live.filter(({ meta }) => meta.task);
  if (running.length < at_once) return undefined;
  const hint = "End one that is done, or raise task.at_once in config.json.";
  return fault("session.limit", `${running.length} tasks are under way already`, hint);
}

/** The first agent that is there. */
function installed({ starts, env }: Context, cwd: string, given: Input<"task">["base_env"]): string | undefined {
  const theirs = { PATH: given?.PATH ?? env.PATH ?? "" };
  return starts.names((file) => !isFault(resolveCommand({ file, args: [], cwd, env: theirs })))[0];
}

function nobody(): Fault {
  return fault(
    "agent.unavailable",
    "no agent CLI is installed",
    "Install one, or name yours in agent_starts of config.json and start the daemon again.",
  );
}
