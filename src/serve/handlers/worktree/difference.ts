// What a worktree changed, file by file, with digests that name each difference exactly: a review answers what was seen.
import { createHash } from "node:crypto";
import { type Fault, isFault } from "../../../core/base/fault.ts";
import { hunkBody, patchOf } from "../../../core/worktree/diff-text.ts";
import type { Tree } from "../../../core/worktree/tree.ts";
import type { Input } from "../../../protocol/ops.ts";
import type { Answer, Context } from "../context.ts";

export async function difference(
  { worktrees }: Context,
  tree: Tree,
  paths: Input<"worktree_diff">["paths"],
): Promise<Answer<"worktree_diff"> | Fault> {
  const diff = await worktrees.trees.diff(tree, paths);
  if (isFault(diff)) return diff;
  const accepted = new Set(worktrees.sessionOf(tree)?.meta.accepted);
  const named = <File extends { readonly path: string; readonly text: string }>(file: File) => {
    const kept = digestsOf(file.path, file.text).flatMap((digest, hunk) => (accepted.has(digest) ? [hunk] : []));
    return { ...file, seen: digestOf(file.path, file.text), accepted: kept };
  };
  const [files, only_committed] = [diff.files.map(named), diff.only_committed.map(named)];
  return { branch: tree.branch, path: tree.path, from: tree.from, files, only_committed, cut: diff.cut };
}

/** One for each hunk. A file without hunks counts as one. */
export function digestsOf(path: string, text: string): string[] {
  const { hunks } = patchOf(text);
  return (hunks.length > 0 ? hunks.map(hunkBody) : [text]).map((one) => digestOf(path, one));
}

function digestOf(path: string, text: string): string {
  return createHash("sha256").update(`${path}\0${text}`).digest("hex").slice(0, 16);
}
