// Removes a tree. First it is proved what would be lost and all of it is kept under a ref; then the folder is moved aside, and
// only what was moved is deleted. Owns: the order. From the note on, the next daemon carries it out. Whoever calls has the lock.
import fs from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "../../core/base/fault.ts";
import type { Tree } from "../../core/worktree/tree.ts";
import { ownRefs, savedRef } from "./bringing.ts";
import { merge } from "./compare.ts";
import { branchElsewhere } from "./creation.ts";
import { readBytes, treeWith } from "./files.ts";
import { type Findings, loggedCommits, lonelyHeads } from "./findings.ts";
import { fromCommit } from "./looks.ts";
import type { Note, Notes, Removal } from "./notes.ts";
import type { CommonGit } from "./repository.ts";
import type { View } from "./view.ts";
import { isSameWalk, type Walked, walk } from "./walk.ts";

/** For second thoughts about what no ref could keep. */
const KEPT_MS = 14 * 24 * 3_600_000;

/** Decides, and keeps what would be lost. Nothing of the tree has changed yet. */
export async function prepareRemoval(
  git: CommonGit,
  tree: Tree,
  view: View,
  found: Findings,
  hasLosses: boolean,
  aside: string,
): Promise<Removal> {
  const branch_at = await deletable(git, tree, view);
  const named = [...found.tips, ...[view.head, branch_at].flatMap((id) => id ?? [])];
  const logged = loggedCommits(tree, branch_at === null ? "stays" : "goes");
  const alone = await lonelyHeads(tree, view, [...named, ...logged], branch_at === null ? undefined : tree.branch);
  const isSaved = hasLosses || alone.length > 0;
  // A removal that was killed has kept something already, and what it kept counted as kept just now.
  const earlier = await git.commitOf(savedRef(tree.id));
  if (isSaved) await save(git, tree, view, found, [...alone, ...(earlier === undefined ? [] : [earlier])]);
  return { aside, saved: isSaved ? savedRef(tree.id) : null, branch_at, keeps: found.losses.kept_aside };
}

/** The branch's commit, if we made it, nobody has it checked out, and where it came from has all of it. */
async function deletable(git: CommonGit, tree: Tree, view: View): Promise<string | null> {
  const at = tree.made_branch ? await git.commitOf(`refs/heads/${tree.branch}`) : undefined;
  if (at === undefined || (await branchElsewhere(git, tree.branch, tree.path))) return null;
  return (await merge(view, await fromCommit(tree), at, tree.from))?.merged ? at : null;
}

async function save(
  common: CommonGit,
  tree: Tree,
  view: View,
  found: Findings,
  tips: readonly string[],
): Promise<void> {
  const { git, head, nowhere: at } = view;
  readBytes(view);
  const files =
    found.index === undefined ? undefined : await treeWith(view, found.index, { ...found, untracked: found.extra });
  const kept = files ?? (await git.text(["mktree"], { at, stdin: "" })).trim();
  const commit = async (of: string, parents: readonly string[], message: string) => {
    const all = [...new Set(parents)].flatMap((parent) => ["-p", parent]);
    return (await git.text([...AUTHOR, "commit-tree", of, ...all, "-m", message], { at })).trim();
  };
  const first = head === undefined ? [] : [head];
  const staged =
    found.staged === undefined ? [] : [await commit(found.staged, first, `What was staged in ${tree.branch}`)];
  const whole = await commit(
    kept,
    [...first, ...staged, ...tips],
    `What ${tree.branch} had when it was removed (${tree.id})`,
  );
  await common.fetch(view.dir, `+${whole}:${savedRef(tree.id)}`, "none");
}

const AUTHOR = ["-c", "user.name=duetty", "-c", "user.email=duetty@localhost", "-c", "commit.gpgsign=false"];

/** Can be called again after a kill, at any step. */
export async function carryOut(
  git: CommonGit,
  note: Note & { phase: "removing" },
  notes: Notes,
  before: Walked | undefined,
  step: (name: string) => void,
) {
  const { tree, removal } = note;
  const files = join(removal.aside, "files");
  const keep = join(removal.aside, "keep");
  fs.mkdirSync(removal.aside, { recursive: true, mode: 0o700 });
  // First, so that no sweep of anybody's takes it away before we know.
  if (fs.existsSync(tree.path)) {
    fs.writeFileSync(keep, "");
    fs.renameSync(tree.path, files);
  }
  step("aside");
  // Somebody may have written until now. After a kill nobody knows.
  const isSame = before !== undefined && isSameWalk(before, await walk(files));
  if (tree.form === "linked" && fs.existsSync(tree.git)) forgetEntry(tree, join(removal.aside, "git"));
  step("forgotten");
  const isDeleted =
    removal.branch_at !== null && (await git.holds("update-ref", "-d", `refs/heads/${tree.branch}`, removal.branch_at));
  for (const ref of ownRefs(tree.id)) await git.text("update-ref", "-d", ref);
  step("refs");
  notes.forget(tree.id);
  step("done");
  if (isSame && !removal.keeps) fs.rmSync(keep);
  const kept = fs.existsSync(keep) ? files : null;
  return { saved: removal.saved, branch: isDeleted ? ("deleted" as const) : ("kept" as const), kept };
}

/**
 * git's registry is the folder of these entries. Its own `worktree remove` believes the entry, in which an agent may have written,
 * and `prune` would also forget trees of others. The entry has the submodules' repositories, so it is moved, not deleted.
 */
function forgetEntry(tree: Tree, to: string): void {
  try {
    fs.renameSync(tree.git, to);
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    fs.cpSync(tree.git, to, { recursive: true, verbatimSymlinks: true });
    fs.rmSync(tree.git, { recursive: true });
  }
  const all = dirname(tree.git);
  if (fs.readdirSync(all).length === 0) fs.rmdirSync(all);
}

/** Deletes what was moved aside and is kept elsewhere, or was kept long enough. */
export async function sweep(folder: string, now: number): Promise<void> {
  if (!fs.existsSync(folder)) return;
  for (const name of fs.readdirSync(folder)) {
    const aside = join(folder, name);
    const keep = fs.statSync(join(aside, "keep"), { throwIfNoEntry: false });
    if (keep === undefined || now - keep.mtimeMs >= KEPT_MS)
      await fs.promises.rm(aside, { recursive: true, force: true });
  }
}

export function asideOf(root: string, tree: Tree): string {
  return join(asideFolder(root), `${tree.id}-${dirname(tree.path).slice(-6)}`);
}

export function asideFolder(root: string): string {
  return join(root, ".aside");
}
