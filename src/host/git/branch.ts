// The branch that a folder is on, read from git's own files. No program is started, because the repository's settings could
// name one. Whoever made the folder wrote these files: they are read only if they are small and plain.
import fs from "node:fs";
import { dirname, resolve } from "node:path";

/** HEAD and .git files are one line. */
const FILE_BYTES_MAX = 4 << 10;
const NAME_CHARS_MAX = 200;
/** The short form of a commit. */
const COMMIT_CHARS = 7;

/** The branch's name, or the commit where there is none. Null: no repository. */
export function branchOf(cwd: string): string | null {
  try {
    return readBranch(cwd);
  } catch {
    // A folder that may not be read, or that is gone, has no branch to show.
    return null;
  }
}

function readBranch(cwd: string): string | null {
  const head = headIn(gitFolderOf(resolve(cwd)));
  const name = /^ref: refs\/heads\/([^\x00-\x20\x7f]+)$/.exec(head ?? "")?.[1];
  if (name !== undefined) return name.slice(0, NAME_CHARS_MAX);
  return /^[0-9a-f]{40,64}$/.test(head ?? "") ? (head ?? "").slice(0, COMMIT_CHARS) : null;
}

function gitFolderOf(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const git = resolve(folder, ".git");
    const found = fs.statSync(git, { throwIfNoEntry: false });
    if (found?.isDirectory()) return git;
    // A worktree or a submodule has its folder elsewhere.
    if (found?.isFile()) return /^gitdir: (.+)$/.exec(lineOf(git) ?? "")?.[1]?.replace(/^(?!\/)/, `${folder}/`);
    if (folder === dirname(folder)) return undefined;
  }
}

function headIn(git: string | undefined): string | undefined {
  return git === undefined ? undefined : lineOf(resolve(git, "HEAD"));
}

function lineOf(path: string): string | undefined {
  const found = fs.statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size > FILE_BYTES_MAX) return undefined;
  return fs.readFileSync(path, "utf8").trim();
}
