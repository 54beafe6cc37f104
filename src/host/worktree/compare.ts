// A tree beside the branch that it came from: the difference, and whether it merges. Plain comparison: no program, no driver
// of anybody's settings. What it writes stays in the view.
import { type Fault, fault } from "../../core/base/fault.ts";
import { diffFiles, type ListedFile, type MergeCheck, type TreeDiff } from "../../core/worktree/diff.ts";
import { filesIn } from "../../core/worktree/diff-text.ts";
import { fileStates } from "../../core/worktree/porcelain.ts";
import type { Tree } from "../../core/worktree/tree.ts";
import { treeWith } from "./files.ts";
import { fromCommit, STATUS } from "./looks.ts";
import { CommonGit, utf8 } from "./repository.ts";
import type { View } from "./view.ts";

/** More than anybody reads at once; the list of files goes on. */
const DIFF_BYTES_MAX = 400_000;
/** They stand in a command line. */
const HIDDEN_MAX = 1_000;
const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color", "--submodule=short", "-r", "-M"];

export async function diffOf(tree: Tree, view: View, paths: readonly string[]): Promise<TreeDiff | Fault> {
  const { git, index, head, nowhere: at } = view;
  if (head === undefined) return noCommit(tree);
  const from = await mergeBase(tree, view, head);
  const to = index === undefined ? head : await treeWith(view, index, fileStates(await git.list(STATUS, { index })));
  const present = await compared(view, from, to, paths);
  const names = await git.list(["diff-tree", "-r", "-z", "--name-only", "--no-renames", head, to], { at });
  const loose = new Set(names.map(utf8));
  const isLoose = ({ path, old_path }: ListedFile) => loose.has(path) || (old_path !== null && loose.has(old_path));
  // Where files differ from the commits, a merge would bring what only the commits have.
  const hidden = loose.size === 0 ? [] : (await listed(view, from, head, paths)).filter(isLoose);
  const pair = hidden
    .slice(0, HIDDEN_MAX)
    .flatMap(({ path, old_path }) => [path, ...(old_path === null ? [] : [old_path])]);
  const commits = pair.length === 0 ? { files: [], cut: false } : await compared(view, from, head, pair);
  return {
    files: present.files.map((file) => ({ ...file, committed: !isLoose(file) })),
    only_committed: commits.files.map((file) => ({ ...file, committed: true })),
    cut: present.cut || commits.cut || hidden.length > HIDDEN_MAX,
  };
}

async function compared(view: View, from: string, to: string, paths: readonly string[]) {
  const files = await listed(view, from, to, paths);
  const call = { at: view.nowhere, bytesMax: DIFF_BYTES_MAX + 1 };
  const words = ["--literal-pathspecs", "diff-tree", ...PLAIN, "-p", from, to, "--", ...paths];
  const bytes = await view.git.bytes(words, call);
  const texts = filesIn(bytes.subarray(0, DIFF_BYTES_MAX).toString("utf8"));
  return { files: files.map((file, i) => ({ ...file, text: texts[i] ?? "" })), cut: bytes.length > DIFF_BYTES_MAX };
}

async function listed({ git, nowhere: at }: View, from: string, to: string, paths: readonly string[]) {
  const words = ["--literal-pathspecs", "diff-tree", ...PLAIN, "-z", "--raw", "--numstat", from, to, "--", ...paths];
  return diffFiles(await git.list(words, { at })).map((file) => ({
    ...file,
    path: utf8(file.path),
    old_path: file.old_path && utf8(file.old_path),
  }));
}

/** A shallow history may not reach back to it. Then all since the tree was made is shown. */
async function mergeBase(tree: Tree, { git, nowhere: at }: View, head: string): Promise<string> {
  const found = await git.text(["merge-base", await fromCommit(tree), head], { at, ok: [0, 1] });
  return found.trim() || tree.base;
}

export async function mergeCheckOf(tree: Tree, view: View, asked: string | undefined): Promise<MergeCheck | Fault> {
  const { head } = view;
  if (head === undefined) return noCommit(tree);
  const git = new CommonGit(tree.common);
  const into = asked ?? tree.from;
  const target =
    asked === undefined
      ? await fromCommit(tree)
      : ((await git.commitOf(`refs/heads/${asked}`)) ?? (await git.commitOf(asked)));
  if (target === undefined)
    return fault("worktree.refused", `${asked} names no commit of this repository`, "Name a branch.");
  return (
    (await merge(view, target, head, into)) ??
    fault(
      "worktree.refused",
      `${tree.branch} and ${into} have no history in common`,
      "Name the branch that it came from.",
    )
  );
}

/** Undefined: the two have nothing in common. */
export async function merge(
  { git, nowhere: at }: View,
  target: string,
  head: string,
  into: string,
): Promise<MergeCheck | undefined> {
  // 1 also says that a name is unknown; these two are commits.
  const merged = await git.list(["merge-tree", "--write-tree", "-z", "--name-only", target, head], {
    at,
    ok: [0, 1, 128],
  });
  const [tree, ...rest] = merged;
  if (tree === undefined) return undefined;
  const end = rest.indexOf("");
  const conflicts = rest.slice(0, end < 0 ? rest.length : end);
  const isSame = (await git.text(["rev-parse", `${target}^{tree}`], { at })).trim() === tree.trim();
  return {
    ...{ head, into },
    clean: conflicts.length === 0,
    conflicts: conflicts.map(utf8),
    merged: conflicts.length === 0 && isSame,
  };
}

function noCommit(tree: Tree): Fault {
  return fault("worktree.refused", `${tree.branch} has no commit`, "Commit something there first.");
}
