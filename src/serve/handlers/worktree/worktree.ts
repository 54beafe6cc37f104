// Operations of worktrees and tasks. They translate; src/host/worktree makes, looks and removes.
import { advice } from "../../../core/base/advice.ts";
import { type Fault, fault, isFault } from "../../../core/base/fault.ts";
import { lossLines } from "../../../core/worktree/losses.ts";
import type { Tree } from "../../../core/worktree/tree.ts";
import { CommonGit, remotesIn } from "../../../host/worktree/repository.ts";
import type { Call } from "../../auth.ts";
import { type Answer, type Context, type Handlers, onSession } from "../context.ts";
import { difference } from "./difference.ts";
import { mergeCommands } from "./merge-commands.ts";
import { reviewed } from "./review.ts";
import { openTask } from "./tasks.ts";

type Mine = Pick<
  Handlers,
  "worktree_list" | "worktree_diff" | "worktree_merge_check" | "worktree_remove" | "task" | "put_away" | "review"
>;

export function worktreeHandlers(ctx: Context): Mine {
  const onTree = async <T>(
    ref: string,
    { role }: Call,
    run: (tree: Tree) => Promise<T | Fault>,
  ): Promise<T | Fault> => {
    const tree = ctx.worktrees.find(ref);
    const refused = isFault(tree) || role === "person" ? undefined : ctx.worktrees.outOfReach(tree);
    return isFault(tree) ? tree : (refused ?? run(tree));
  };
  return {
    worktree_list: async ({ look }) => listed(ctx, look),
    worktree_diff: ({ worktree, paths }, call) => onTree(worktree, call, (tree) => difference(ctx, tree, paths)),
    worktree_merge_check: ({ worktree, into }, call) => onTree(worktree, call, (tree) => mergeCheck(ctx, tree, into)),
    worktree_remove: ({ worktree, lose }, call) => onTree(worktree, call, (tree) => removal(ctx, tree, lose)),
    task: (input, call) => openTask(ctx, input, call),
    put_away: ({ session_id, away }) =>
      onSession(ctx, session_id, async (session) => {
        ctx.sessions.note(session, { put_away: away });
        return session.info();
      }),
    review: (input) => onSession(ctx, input.session_id, (session) => reviewed(ctx, session, input)),
  };
}

async function listed({ worktrees }: Context, look: boolean): Promise<Answer<"worktree_list">> {
  const trees = worktrees.trees.list();
  const old = trees.filter(({ id }) => look || (!worktrees.seen(id) && worktrees.trouble(id) === null));
  await Promise.all(old.map(({ id }) => worktrees.look(id)));
  return { worktrees: trees.map((tree) => shown(worktrees, tree)) };
}

function shown(worktrees: Context["worktrees"], tree: Tree): Answer<"worktree_list">["worktrees"][number] {
  const { branch, path, repo, form, from, base } = tree;
  const seen = worktrees.seen(tree.id);
  const session = worktrees.sessionOf(tree);
  return {
    ...{ branch, path, repo, form, from, base },
    ...{ changed: seen?.changed ?? 0, ahead: seen?.ahead ?? 0, behind: seen?.behind ?? 0 },
    head: seen?.head ?? null,
    under_way: seen?.under_way ?? null,
    trouble: worktrees.trouble(tree.id),
    session_id: session?.id ?? null,
    state: session?.state ?? null,
  };
}

async function mergeCheck(
  { worktrees }: Context,
  tree: Tree,
  wanted: string | undefined,
): Promise<Answer<"worktree_merge_check"> | Fault> {
  // What was committed just now counts, in a clone, too.
  await worktrees.look(tree.id);
  const check = await worktrees.trees.mergeCheck(tree, wanted);
  if (isFault(check)) return check;
  const { head, into, clean, merged, conflicts } = check;
  const { branch, repo, base } = tree;
  const remotes = remotesIn(await new CommonGit(tree.common).settings());
  const remote = remotes.includes("origin") ? "origin" : (remotes[0] ?? null);
  const commands = merged ? [] : mergeCommands({ repo, branch, head, into, base, remote });
  return { branch, into, clean, merged, conflicts, uncommitted: worktrees.seen(tree.id)?.changed ?? 0, commands };
}

async function removal(
  { worktrees }: Context,
  tree: Tree,
  lose: string | undefined,
): Promise<Answer<"worktree_remove"> | Fault> {
  const { branch, path } = tree;
  const session = worktrees.sessionOf(tree);
  if (session && !session.over)
    return fault("session.busy", `${session.id} still works in ${path}`, advice("end_first", session.id));
  const found = await worktrees.trees.losses(tree);
  if (isFault(found)) return found;
  const losses = lossLines(found);
  if (losses.length > 0 && lose !== branch)
    return { branch, path, removed: false, losses, saved: null, branch_kept: null };
  const removed = await worktrees.trees.remove(tree, lose);
  if (isFault(removed)) return removed;
  // A clone's branch is in the repository only if it had commits.
  const branch_kept = (await new CommonGit(tree.common).commitOf(`refs/heads/${branch}`)) !== undefined;
  return { branch, path, removed: true, losses, saved: removed.saved, branch_kept };
}
