// What a removal would lose. The tree's own index is not believed: it may say that a changed file is unchanged. So all files
// are read again, against a new index.
import fs from "node:fs";
import { join } from "node:path";
import type { Losses } from "../../core/worktree/losses.ts";
import { fileStates } from "../../core/worktree/porcelain.ts";
import type { Tree } from "../../core/worktree/tree.ts";
import { GitTrouble } from "../git/git.ts";
import { isStoredElsewhere } from "./large-files.ts";
import { STATUS, underWay } from "./looks.ts";
import { CommonGit, utf8 } from "./repository.ts";
import { readPlain } from "./taking.ts";
import type { View } from "./view.ts";
import { type Walked, walk } from "./walk.ts";

/** Ignored files together, as a ref keeps them. A build's output may be as large as the disk. */
const IGNORED_BYTES_MAX = 64 << 20;
/** Commits whose first line is told. */
const COMMITS_MAX = 200;
const LOG_BYTES_MAX = 16 << 20;

/** In git's own form: one character per byte. */
export interface Findings {
  readonly losses: Losses;
  readonly walked: Walked;
  /** An index of the view as the tree's is, without what it remembers of files. Undefined: no files were ever written. */
  readonly index: string | undefined;
  /** What is staged. Undefined in a conflict. */
  readonly staged: string | undefined;
  readonly changed: readonly string[];
  readonly gone: readonly string[];
  /** Untracked and ignored files that a ref can keep. */
  readonly extra: readonly string[];
  /** Commits that the tree alone holds on to. */
  readonly tips: readonly string[];
}

export async function findingsOf(tree: Tree, view: View): Promise<Findings> {
  const walked = await walk(view.git.workspace);
  const { index, staged, states, flagged } = await statesOf(view, walked);
  const sparse = new Set(states.gone.filter((path) => flagged.get(path) === "S"));
  const gone = states.gone.filter((path) => !sparse.has(path));
  const isElsewhere = await isStoredElsewhere(view, index, states.changed);
  const changed = states.changed.filter((path) => !sparse.has(path) && !isElsewhere(path));
  const links = index === undefined ? [] : await gitlinks(view, index);
  const others = walked.repositories;
  const ignored = index === undefined ? [] : await ignoredFiles(view, index);
  const isLarge = sizeOf(walked, ignored) > IGNORED_BYTES_MAX;
  const tips = await lonelyTips(tree, view);
  const losses: Losses = {
    changed: changed.map(utf8),
    hidden: changed.filter((path) => flagged.has(path)).map(utf8),
    untracked: states.untracked.filter((path) => !path.endsWith("/")).map(utf8),
    ignored: states.ignored.filter((path) => !others.includes(utf8(path).replace(/\/$/, ""))).map(utf8),
    commits: await subjects(view, await lonely(tree, view, tips)),
    stashes: stashTips(tree).length,
    under_way: underWay(tree),
    submodules: others.filter((path) => links.includes(path)),
    nested: others.filter((path) => !links.includes(path)),
    kept_aside: others.length > 0 || isLarge || isForeign(tree, walked),
  };
  const extra = [...states.untracked, ...(isLarge ? [] : ignored)].filter((path) => !path.endsWith("/"));
  return { losses, walked, index, staged, changed, gone, extra, tips };
}

/** A linked tree has a file there. A folder is somebody's own repository. */
function isForeign(tree: Tree, { git }: Walked): boolean {
  return tree.form === "linked" && git === "folder";
}

async function statesOf({ git, dir, index: copy, head }: View, walked: Walked) {
  const nothing = { changed: [], conflicts: [], gone: [], untracked: [], ignored: [] };
  const flagged = new Map<string, string>();
  if (copy === undefined && walked.files.size === 0)
    return { index: undefined, staged: undefined, states: nothing, flagged };
  const entries = copy === undefined ? [] : await git.list(["ls-files", "-v", "-z"], { index: copy });
  for (const entry of entries) if (/^[a-zS]/.test(entry)) flagged.set(entry.slice(2), entry[0] === "h" ? "h" : "S");
  const index = join(dir, "fresh");
  const staged = copy === undefined ? undefined : await writtenTree({ git, index: copy });
  if (copy !== undefined && staged === undefined) await unflagged({ git, index, copy }, [...flagged.keys()]);
  else await git.text(["read-tree", staged ?? head ?? "--empty"], { index });
  const states = fileStates(await git.list([...STATUS, "--ignored=matching"], { index }));
  if (copy !== undefined) return { index, staged, states, flagged };
  // Whoever wrote the files was ended in the middle. What is missing was never there.
  const isGone = new Set(states.gone);
  return {
    index,
    staged,
    states: { ...states, changed: states.changed.filter((path) => !isGone.has(path)), gone: [] },
    flagged,
  };
}

/** In a conflict the index has more than one tree, so it is copied. Files that it hides are looked at all the same. */
async function unflagged(
  { git, index, copy }: { git: View["git"]; index: string; copy: string },
  hidden: readonly string[],
) {
  fs.copyFileSync(copy, index);
  const stdin = hidden.map((path) => `${path}\0`).join("");
  for (const flag of ["--no-assume-unchanged", "--no-skip-worktree"])
    if (stdin !== "") await git.text(["update-index", flag, "-z", "--stdin"], { index, stdin });
}

async function writtenTree({ git, index }: { git: View["git"]; index: string }): Promise<string | undefined> {
  try {
    return (await git.text(["write-tree"], { index })).trim();
  } catch (error) {
    // In a conflict there is none.
    if (error instanceof GitTrouble && error.code === "failed") return undefined;
    throw error;
  }
}

async function gitlinks({ git }: View, index: string): Promise<string[]> {
  const entries = await git.list(["ls-files", "-s", "-z"], { index });
  return entries
    .filter((entry) => entry.startsWith("160000 "))
    .map((entry) => utf8(entry.slice(entry.indexOf("\t") + 1)));
}

function ignoredFiles({ git }: View, index: string): Promise<string[]> {
  return git.list(["ls-files", "-z", "--others", "--ignored", "--exclude-standard"], { index });
}

function sizeOf({ files }: Walked, paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + Number(files.get(utf8(path))?.split(" ")[1] ?? 0), 0);
}

/** Commits that only this tree names: a detached HEAD, what is under way, and in a clone all refs and stashes. */
async function lonelyTips(tree: Tree, view: View): Promise<string[]> {
  const { git, head, branch, nowhere: at } = view;
  const named =
    tree.form === "clone"
      ? (await git.text(["for-each-ref", "--format=%(objectname) %(refname)"], { at })).split("\n")
      : [];
  const refs = named
    .filter((line) => !line.endsWith(` refs/heads/${tree.branch}`))
    .map((line) => line.split(" ")[0] ?? "");
  const detached = branch === null && head !== undefined ? [head] : [];
  return onlyCommits(view, [...detached, ...refs, ...pseudoRefs(tree.git), ...stashTips(tree)]);
}

/** MERGE_HEAD, REBASE_HEAD and the refs that belong to one work tree. */
function pseudoRefs(git: string): string[] {
  const own = ["refs/bisect", "refs/worktree", "refs/rewritten"].flatMap((name) => filesBelow(join(git, name)));
  const heads = fs.readdirSync(git).filter((name) => /^(?!FETCH|ORIG)[A-Z_]+_HEAD$/.test(name));
  const lines = [...heads.map((name) => join(git, name)), ...own].flatMap(
    (path) =>
      readPlain(path, 4 << 10)
        ?.toString("latin1")
        .split("\n") ?? [],
  );
  return lines.filter((line) => /^[0-9a-f]{40,64}$/.test(line));
}

function filesBelow(folder: string): string[] {
  if (!fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Older stashes are in a log alone. A linked tree's are the repository's own. */
function stashTips(tree: Tree): string[] {
  if (tree.form === "linked") return [];
  const log = readPlain(join(tree.git, "logs/refs/stash"), LOG_BYTES_MAX)?.toString("latin1") ?? "";
  return log.split("\n").flatMap((line) => /^[0-9a-f]+ ([0-9a-f]{40,64}) /.exec(line)?.[1] ?? []);
}

async function onlyCommits({ git, nowhere: at }: View, ids: readonly string[]): Promise<string[]> {
  const stdin = [...new Set(ids)].map((id) => `${id}^{commit}\n`).join("");
  const answers = (await git.text(["cat-file", "--batch-check=%(objectname) %(objecttype)"], { at, stdin })).split(
    "\n",
  );
  return answers.flatMap((line) => /^([0-9a-f]{40,64}) commit$/.exec(line)?.[1] ?? []);
}

/** Commits that no ref of the person's repository reaches, nor the tree's branch, which is brought there. */
async function lonely(tree: Tree, view: View, tips: readonly string[]): Promise<string[]> {
  const { git, nowhere: at } = view;
  const own = ["rev-parse", "--verify", "--quiet", `refs/heads/${tree.branch}^{commit}`];
  const brought = (await git.text(own, { at, ok: [0, 1, 128] })).trim();
  return (await beyond(tree, view, tips, brought === "" ? [] : [brought])).map(([id = ""]) => id);
}

/** Those that must be kept so that nothing is out of reach when the tree is gone, and with it a branch. */
export async function lonelyHeads(
  tree: Tree,
  view: View,
  tips: readonly string[],
  without?: string,
): Promise<string[]> {
  const found = await beyond(tree, view, await onlyCommits(view, tips), [], without);
  const parents = new Set(found.flatMap(([, ...ids]) => ids));
  return found.flatMap(([id = ""]) => (parents.has(id) ? [] : [id]));
}

/** Each with its parents. */
async function beyond(
  tree: Tree,
  { git, nowhere: at }: View,
  tips: readonly string[],
  also: readonly string[],
  without?: string,
) {
  if (tips.length === 0) return [];
  const refs = (await new CommonGit(tree.common).text("for-each-ref", "--format=%(objectname) %(refname)")).split("\n");
  const isOurs = (line: string) =>
    / refs\/duetty\/(?:base|brought|looked)\//.test(line) || line.endsWith(` refs/heads/${without}`);
  const staying = refs.filter((line) => line !== "" && !isOurs(line)).map((line) => line.split(" ")[0]);
  const stdin = [...tips, ...[...staying, ...also].map((id) => `^${id}`)].map((line) => `${line}\n`).join("");
  const found = await git.text(["rev-list", "--parents", "--stdin"], { at, stdin });
  return found.split("\n").flatMap((line) => (line === "" ? [] : [line.split(" ")]));
}

/** All that the tree's own logs remember: commits that somebody left behind. They go with the tree, or with its branch. */
export function loggedCommits(tree: Tree, branch: "stays" | "goes"): string[] {
  const own = tree.form === "clone" ? filesBelow(join(tree.git, "logs")) : [join(tree.git, "logs/HEAD")];
  const logs = branch === "goes" ? [...own, join(tree.common, "logs/refs/heads", tree.branch)] : own;
  const ids = logs.flatMap((path) => {
    const lines = readPlain(path, LOG_BYTES_MAX)?.toString("latin1").split("\n") ?? [];
    return lines.flatMap((line) => /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) /.exec(line)?.slice(1) ?? []);
  });
  const before =
    readPlain(join(tree.git, "ORIG_HEAD"), 4 << 10)
      ?.toString("latin1")
      .trim() ?? "";
  return [...new Set([...ids, before])].filter((id) => /^[0-9a-f]+$/.test(id) && !/^0+$/.test(id));
}

async function subjects({ git, nowhere: at }: View, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const stdin = ids
    .slice(0, COMMITS_MAX)
    .map((id) => `${id}\n`)
    .join("");
  const told = await git.list(["log", "--no-walk=unsorted", "-z", "--format=%h %s", "--stdin"], { at, stdin });
  return told.map(utf8);
}
