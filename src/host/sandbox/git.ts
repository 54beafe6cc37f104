// What of a repository a box may write so that commits work, and what must stay as it is so that the person's own git
// runs nothing of an agent's. Refuses: a `.git` file that points to a folder which does not point back: it could name any.
import fs from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isWithin } from "../../core/box/plan.ts";

/** A repository with more submodules gets all of them read-only. */
const MODULES_MAX = 100;
const MODULE_DEPTH_MAX = 6;
/** These files hold one path or a few settings. */
const SMALL_FILE_BYTES_MAX = 1 << 20;

/**
 * Read by git before it does anything, and each can name programs to run: hooks, settings, another folder of settings,
 * filters. `commondir` says where the settings are, `worktrees` belongs to other trees.
 */
const OBEYED_FOLDERS = ["hooks", "info"];
const OBEYED = ["worktrees", "config", "config.worktree", "commondir", "gitdir"];

interface GitPaths {
  /** Outside the root, but needed for commits. */
  readonly writable: readonly string[];
  /** Outside the root, and needed to read the repository at all. */
  readonly readable: readonly string[];
  readonly pinned: readonly string[];
  /** They may be missing. */
  readonly readOnly: readonly string[];
  /** The same, but they must not come into being, either. */
  readonly obeyedFolders: readonly string[];
}

const NOTHING: GitPaths = { writable: [], readable: [], pinned: [], readOnly: [], obeyedFolders: [] };

/** `root` is the top of a work tree, or any folder. */
export function gitPaths(root: string): GitPaths {
  const dotGit = join(root, ".git");
  const stat = fs.lstatSync(dotGit, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return repository(dotGit, root);
  const folder = stat?.isFile() ? pointedTo(dotGit) : undefined;
  if (folder === undefined) return NOTHING;
  const protectedFile: GitPaths = { ...NOTHING, readOnly: [dotGit] };
  if (pathIn(join(folder, "gitdir"), dirname(dotGit)) === dotGit) return merged([protectedFile, linkedTree(folder)]);
  if (workTreeOf(folder) === root)
    return merged([protectedFile, { ...NOTHING, writable: [folder] }, repository(folder, root)]);
  return protectedFile;
}

/** The nearest folder at or above that has a `.git`. */
export function workTreeTop(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (fs.existsSync(join(at, ".git"))) return at;
    if (at === dirname(at)) return undefined;
  }
}

function repository(folder: string, root: string): GitPaths {
  return merged([
    { ...NOTHING, pinned: [folder], ...obeyed(folder) },
    submodules(join(folder, "modules"), root, { left: MODULES_MAX }, 0),
  ]);
}

/** A linked work tree: its own folder, and of the repository only what commits and branches need. */
function linkedTree(folder: string): GitPaths {
  const common = pathIn(join(folder, "commondir"), folder);
  if (common === undefined) return NOTHING;
  const shared = ["objects", "refs", "logs"].map((name) => join(common, name));
  const writable = [folder, ...shared.filter((path) => fs.existsSync(path))];
  const { readOnly } = obeyed(folder);
  return { ...NOTHING, writable, readable: [common], readOnly: [...readOnly, join(common, "objects", "info")] };
}

function obeyed(folder: string): Pick<GitPaths, "readOnly" | "obeyedFolders"> {
  const inside = (name: string) => join(folder, name);
  return { readOnly: OBEYED.map(inside), obeyedFolders: OBEYED_FOLDERS.map(inside) };
}

/** Submodules have folders of the same kind, at any depth, and a `.git` file in the tree. */
function submodules(folder: string, root: string, budget: { left: number }, depth: number): GitPaths {
  if (!fs.existsSync(folder)) return NOTHING;
  const names = fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  budget.left -= names.length;
  if (budget.left < 0 || depth > MODULE_DEPTH_MAX) return { ...NOTHING, readOnly: [folder] };
  const found = names.map(({ name }) => {
    const at = join(folder, name);
    if (!fs.existsSync(join(at, "HEAD"))) return submodules(at, root, budget, depth + 1);
    const tree = workTreeOf(at);
    const file = tree === undefined || !isWithin(tree, root) ? [] : [join(tree, ".git")];
    const pinned = file.flatMap((path) => between(root, dirname(path)));
    const inner = submodules(join(at, "modules"), root, budget, depth + 1);
    return merged([{ ...NOTHING, pinned: [at, ...pinned], readOnly: file }, { ...NOTHING, ...obeyed(at) }, inner]);
  });
  return merged([{ ...NOTHING, pinned: [folder] }, ...found]);
}

/** The folders from below `root` down to `folder`. */
function between(root: string, folder: string): string[] {
  return folder === root || !isWithin(folder, root) ? [] : [...between(root, dirname(folder)), folder];
}

function pointedTo(file: string): string | undefined {
  const [, path] = /^gitdir: (.+?)\n?$/.exec(smallFile(file)) ?? [];
  return path === undefined ? undefined : real(resolve(dirname(file), path));
}

function pathIn(file: string, base: string): string | undefined {
  const path = smallFile(file).trim();
  return path === "" ? undefined : real(resolve(base, path));
}

function workTreeOf(folder: string): string | undefined {
  const [, path] = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(smallFile(join(folder, "config"))) ?? [];
  return path === undefined ? undefined : real(resolve(folder, path));
}

function real(path: string): string | undefined {
  return fs.existsSync(path) ? fs.realpathSync(path) : undefined;
}

function smallFile(file: string): string {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size <= SMALL_FILE_BYTES_MAX ? fs.readFileSync(file, "utf8") : "";
}

function merged(all: readonly GitPaths[]): GitPaths {
  return {
    writable: all.flatMap(({ writable }) => writable),
    readable: all.flatMap(({ readable }) => readable),
    pinned: all.flatMap(({ pinned }) => pinned),
    readOnly: all.flatMap(({ readOnly }) => readOnly),
    obeyedFolders: all.flatMap(({ obeyedFolders }) => obeyedFolders),
  };
}
