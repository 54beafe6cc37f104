// Brings a clone's branch into the person's repository, and keeps what a removed tree had under a ref there. Objects come
// through a view, so no setting of the clone counts. Whoever calls has the repository's lock.
import { type Fault, fault } from "../../core/base/fault.ts";
import type { Tree } from "../../core/worktree/tree.ts";
import { baseRef, branchElsewhere } from "./creation.ts";
import type { CommonGit } from "./repository.ts";
import type { View } from "./view.ts";

const broughtRef = (id: string) => `refs/duetty/brought/${id}`;
const lookedRef = (id: string) => `refs/duetty/looked/${id}`;
export const savedRef = (id: string) => `refs/duetty/saved/${id}`;
/** Refs that are ours alone, and go with the tree. */
export const ownRefs = (id: string) => [broughtRef(id), lookedRef(id), baseRef(id)];

/** The clone's branch. Undefined: it has none by now, or nothing new. */
export async function bring(git: CommonGit, tree: Tree, view: View): Promise<Fault | undefined> {
  const ref = `refs/heads/${tree.branch}`;
  const now = (
    await view.git.text(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`], { at: view.nowhere, ok: [0, 1, 128] })
  ).trim();
  const [theirs, before] = [await git.commitOf(ref), await git.commitOf(broughtRef(tree.id))];
  if (now === "" || now === theirs || (theirs === undefined && now === tree.base)) return undefined;
  const elsewhere = theirs === undefined ? undefined : await branchElsewhere(git, tree.branch);
  if (elsewhere) return elsewhere;
  await git.fetch(view.dir, `+${ref}:${broughtRef(tree.id)}`, "strict");
  // It may have gone on meanwhile.
  const brought = await git.text("rev-parse", broughtRef(tree.id));
  const isAhead =
    theirs === undefined || theirs === before || (await git.holds("merge-base", "--is-ancestor", theirs, brought));
  if (!isAhead)
    return fault(
      "worktree.refused",
      `${tree.branch} has commits in the repository that the session's clone lacks`,
      `The clone's are at ${broughtRef(tree.id)}: merge them, or rename your branch.`,
    );
  await git.text("update-ref", "--create-reflog", "-m", `duetty: brought from ${tree.id}`, ref, brought, theirs ?? "");
  return undefined;
}

/** The commit that a clone's view shows, with every object checked: git believes the names that a clone gives its objects. */
export async function bringShown(git: CommonGit, tree: Tree, { dir, head }: View): Promise<undefined> {
  const known = [`refs/heads/${tree.branch}`, lookedRef(tree.id), baseRef(tree.id)];
  for (const ref of known) if ((await git.commitOf(ref)) === head) return;
  if (head !== undefined) await git.fetch(dir, `+${head}:${lookedRef(tree.id)}`, "strict");
}
