// The present files of a tree as an object in a view: what a diff compares, and what a removal keeps. Each path is given by
// name: `git add -A` would start a git inside every submodule, with the settings that lie there.
import fs from "node:fs";
import { join } from "node:path";
import type { FileStates } from "../../core/worktree/porcelain.ts";
import type { View } from "./view.ts";

/** Puts files into an index of the view and returns the tree. Other repositories (`x/`) are left out. */
export async function treeWith(
  { git }: View,
  index: string,
  { changed, gone, untracked }: Pick<FileStates, "changed" | "gone" | "untracked">,
): Promise<string> {
  const isGone = new Set(gone);
  const put = [...changed.filter((path) => !isGone.has(path)), ...untracked].filter((path) => !path.endsWith("/"));
  const update = (how: readonly string[], paths: readonly string[]) =>
    paths.length === 0
      ? undefined
      : git.text(["update-index", ...how, "-z", "--stdin"], {
          index,
          stdin: paths.map((path) => `${path}\0`).join(""),
        });
  // What the index remembers of a file is the tree's word. Out of it, the file is read.
  await update(["--force-remove"], [...gone, ...put]);
  await update(["--add", "--remove", "--replace"], put);
  return (await git.text(["write-tree"], { index })).trim();
}

const RAW_ATTRIBUTES = "* -text !eol -ident !filter !working-tree-encoding !crlf\n";

/** From here on exactly the bytes that are there count. */
export function readBytes({ dir }: View): void {
  fs.writeFileSync(join(dir, "info/attributes"), RAW_ATTRIBUTES);
}
