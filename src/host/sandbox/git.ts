// What of a repository a box may write so that commits work, and what must stay as it is so that the person's own git
// runs nothing of an agent's. Refuses: a `.git` file that points to a folder which does not point back: it could name any.
import fs from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isWithin } from "../../core/box/plan.ts";
import { namedBySettings, personSettings, smallFile } from "./git-settings.ts";
import { looked, realPath, standing } from "./links.ts";
import { closedOn } from "./protection.ts";

/** A repository with more submodules gets all of them read-only. */
const MODULES_MAX = 100;
const MODULE_DEPTH_MAX = 6;

/**
 * Read by git before it does anything, and each can name programs to run: hooks, settings, another folder of settings,
 * filters. `commondir` says where the settings are, `worktrees` belongs to other trees.
 */
const NEVER_MADE = ["hooks", "info", "commondir", "config.worktree"];
const OBEYED = ["worktrees", "config", "gitdir"];

interface GitPaths {
  /** Outside the root, but needed for commits. */
  readonly writable: readonly string[];
  /** Outside the root, and needed to read the repository at all. */
  readonly readable: readonly string[];
  readonly pinned: readonly string[];
  /** The repository's own folders, in which git writes. */
  readonly folders: readonly string[];
  /** They may be missing. */
  readonly readOnly: readonly string[];
  /** The same, but they must not come into being, either. */
  readonly neverMade: readonly string[];
  /** Files that settings include. They must not come into being, either. */
  readonly included: readonly string[];
}

const NOTHING: GitPaths = {
  ...{ writable: [], readable: [], pinned: [], folders: [], readOnly: [], neverMade: [], included: [] },
};

/** `top` is the top of a work tree, or any folder. It lies in `root`. */
export function gitPaths(top: string, root: string, home: string): GitPaths {
  const dotGit = join(top, ".git");
  const stat = standing(dotGit);
  const stays: GitPaths = { ...NOTHING, pinned: between(root, top) };
  if (stat?.isDirectory() && closedOn(join(dotGit, "HEAD")) === dotGit) return { ...stays, readOnly: [dotGit] };
  // Without HEAD it is no repository to git, and it may be a folder that another box keeps free.
  if (stat?.isDirectory())
    return fs.existsSync(join(dotGit, "HEAD")) ? merged([stays, repository(dotGit, top, home)]) : NOTHING;
  if (stat?.isSymbolicLink()) return linkedFolder(dotGit, top, root, home);
  const folder = stat?.isFile() ? pointedTo(dotGit) : undefined;
  if (folder === undefined) return NOTHING;
  const protectedFile: GitPaths = { ...stays, readOnly: [dotGit] };
  if (pathIn(join(folder, "gitdir"), dirname(dotGit)) === dotGit) return merged([protectedFile, linkedTree(folder)]);
  if (workTreeOf(folder) === top)
    return merged([protectedFile, { ...NOTHING, writable: [folder] }, repository(folder, top, home)]);
  return protectedFile;
}

/** A repository without a work tree, inside `root`. */
export function barePaths(folder: string, root: string, home: string): GitPaths {
  return merged([{ ...NOTHING, pinned: between(root, dirname(folder)) }, repository(folder, folder, home)]);
}

/** `.git` may be a link to a folder. One outside the root stays read-only: the link could name any. */
function linkedFolder(dotGit: string, top: string, root: string, home: string): GitPaths {
  const folder = realPath(dotGit);
  if (folder === undefined || folder === root || !isWithin(folder, root)) return NOTHING;
  return merged([{ ...NOTHING, pinned: between(root, dirname(folder)) }, repository(folder, top, home)]);
}

/** The nearest folder at or above that has a `.git`. */
export function workTreeTop(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (fs.existsSync(join(at, ".git"))) return at;
    if (at === dirname(at)) return undefined;
  }
}

function repository(folder: string, root: string, home: string): GitPaths {
  return merged([
    { ...NOTHING, pinned: [folder], folders: [folder], ...obeyed(folder) },
    ...[join(folder, "config"), ...personSettings(home)].map((file) => ({
      ...NOTHING,
      ...namedBySettings(file, root, home),
    })),
    submodules(join(folder, "modules"), root, { left: MODULES_MAX }, 0),
  ]);
}

/**
 * A linked work tree: its own folder, and of the repository only what commits and branches need. The repository must have
 * it among its trees: in a forged one, an agent could name any repository.
 */
function linkedTree(folder: string): GitPaths {
  const common = pathIn(join(folder, "commondir"), folder);
  if (common === undefined || dirname(folder) !== join(common, "worktrees")) return NOTHING;
  const shared = ["objects", "refs", "logs"].map((name) => join(common, name));
  const writable = [folder, ...shared.filter(isRealFolder)];
  const own = ["commondir", ...OBEYED].map((name) => join(folder, name));
  const readOnly = [...own, join(common, "objects", "info")];
  const folders = [folder, common];
  return { ...NOTHING, writable, readable: [common], folders, readOnly, neverMade: [join(folder, "config.worktree")] };
}

function obeyed(folder: string): Pick<GitPaths, "readOnly" | "neverMade"> {
  const inside = (name: string) => join(folder, name);
  return { readOnly: OBEYED.map(inside), neverMade: NEVER_MADE.map(inside) };
}

/** Submodules have folders of the same kind, at any depth, and a `.git` file in the tree. */
function submodules(folder: string, root: string, budget: { left: number }, depth: number): GitPaths {
  if (!isRealFolder(folder)) return NOTHING;
  const entries = looked(() => fs.readdirSync(folder, { withFileTypes: true }));
  if (entries === undefined) return { ...NOTHING, readOnly: [folder] };
  const names = entries.filter((entry) => entry.isDirectory());
  budget.left -= names.length;
  if (budget.left < 0 || depth > MODULE_DEPTH_MAX) return { ...NOTHING, readOnly: [folder] };
  const found = names.map(({ name }) => {
    const at = join(folder, name);
    if (closedOn(join(at, "HEAD")) === at) return { ...NOTHING, readOnly: [at] };
    if (!fs.existsSync(join(at, "HEAD"))) return submodules(at, root, budget, depth + 1);
    const tree = workTreeOf(at);
    const file = tree === undefined || !isWithin(tree, root) ? [] : [join(tree, ".git")];
    const pinned = file.flatMap((path) => between(root, dirname(path)));
    const inner = submodules(join(at, "modules"), root, budget, depth + 1);
    const own: GitPaths = { ...NOTHING, pinned: [at, ...pinned], folders: [at], readOnly: file };
    return merged([own, { ...NOTHING, ...obeyed(at) }, inner]);
  });
  return merged([{ ...NOTHING, pinned: [folder] }, ...found]);
}

/** The folders from below `root` down to `folder`. */
export function between(root: string, folder: string): string[] {
  return folder === root || !isWithin(folder, root) ? [] : [...between(root, dirname(folder)), folder];
}

function pointedTo(file: string): string | undefined {
  const [, path] = /^gitdir: (.+?)\n?$/.exec(smallFile(file)) ?? [];
  return path === undefined ? undefined : realPath(resolve(dirname(file), path));
}

function pathIn(file: string, base: string): string | undefined {
  const path = smallFile(file).trim();
  return path === "" ? undefined : realPath(resolve(base, path));
}

function workTreeOf(folder: string): string | undefined {
  const [, path] = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(smallFile(join(folder, "config"))) ?? [];
  return path === undefined ? undefined : realPath(resolve(folder, path));
}

/** What a link leads to could be anything. */
function isRealFolder(path: string): boolean {
  return standing(path)?.isDirectory() ?? false;
}

function merged(all: readonly GitPaths[]): GitPaths {
  return {
    writable: all.flatMap(({ writable }) => writable),
    readable: all.flatMap(({ readable }) => readable),
    pinned: all.flatMap(({ pinned }) => pinned),
    folders: all.flatMap(({ folders }) => folders),
    readOnly: all.flatMap(({ readOnly }) => readOnly),
    neverMade: all.flatMap(({ neverMade }) => neverMade),
    included: all.flatMap(({ included }) => included),
  };
}
