// How a tree stands: read through a view, nothing is changed and nothing of the tree's runs.
import fs from "node:fs";
import { join } from "node:path";
import { fileStates } from "../../core/worktree/porcelain.ts";
import type { Tree, TreeStatus } from "../../core/worktree/tree.ts";
import { CommonGit } from "./repository.ts";
import type { View } from "./view.ts";

const UNDER_WAY = [
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
] as const;

export const STATUS = [
  "status",
  "--porcelain=v2",
  "-z",
  "--no-renames",
  "--untracked-files=all",
  "--ignore-submodules=all",
];

export async function statusOf(tree: Tree, view: View): Promise<TreeStatus> {
  const { git, index, head, branch, nowhere } = view;
  const states = index === undefined ? undefined : fileStates(await git.list(STATUS, { index }));
  const from = await fromCommit(tree);
  const counts =
    head === undefined
      ? []
      : (await git.text(["rev-list", "--left-right", "--count", `${from}...${head}`], { at: nowhere }))
          .trim()
          .split("\t");
  const [behind = 0, ahead = 0] = counts.map(Number);
  return {
    changed: states ? states.changed.length + states.untracked.length : 0,
    conflicts: states?.conflicts.length ?? 0,
    ...{ ahead, behind, head: head ?? "", branch, detached: branch === null },
    under_way: underWay(tree),
    checked_out: index !== undefined,
  };
}

export function underWay(tree: Tree): string | null {
  return UNDER_WAY.find(([name]) => fs.existsSync(join(tree.git, name)))?.[1] ?? null;
}

/** Where the branch that the tree came from stands by now; a commit stays where it is. */
export async function fromCommit(tree: Tree): Promise<string> {
  if (tree.from === tree.branch) return tree.base;
  const git = new CommonGit(tree.common);
  return (
    (await git.commitOf(`refs/heads/${tree.from}`)) ?? (await git.commitOf(`refs/remotes/${tree.from}`)) ?? tree.base
  );
}
