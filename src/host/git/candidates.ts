// Which paths may have changed since the last look, as git and the file system say. Reads names and file facts, never content.
import fs from "node:fs";
import { join } from "node:path";
import type { LeftOut } from "../../core/restore/state.ts";
import type { Git } from "./git.ts";
import { nameOf, onDisk } from "./paths.ts";
import { isForbidden, isLeftover, isMissing } from "./repository.ts";

/** So many questions to the file system are open at once. */
const AT_ONCE = 64;
/** Repositories inside repositories inside the workspace. */
const NESTED_MAX = 200;

interface Found {
  /** Paths that may differ from the index. */
  readonly changed: readonly string[];
  /** Paths of the index that are gone, as git says. */
  readonly gone: ReadonlySet<string>;
  /** Folders without a file of the index. */
  readonly bare: readonly string[];
}

export interface Examined {
  readonly put: {
    readonly path: string;
    readonly mode: number | null;
    readonly size: number;
    readonly ctime: string;
  }[];
  readonly drop: string[];
  readonly left_out: LeftOut[];
}

interface Rules {
  readonly ignored: boolean;
  readonly fileBytesMax: number;
}

export async function findChanged(git: Git, index: string, { ignored }: Pick<Rules, "ignored">): Promise<Found> {
  const rules = [...patternsOf(git, ignored), ...(ignored ? [] : ownExcludes(git.workspace))];
  const [others, bare, status, forced] = await Promise.all([
    git.list(["ls-files", "-z", "-o", ...rules], { index }),
    bareFolders(git, index, ignored),
    git.list(["diff-files", "-z", "--name-status", "--no-renames", "--ignore-submodules=all"], { index }),
    ignored ? [] : trackedThoughIgnored(git),
  ]);
  const changed = new Set([...others.filter((path) => !path.endsWith("/")), ...forced]);
  for (const path of await inNested(git, others, rules)) changed.add(path);
  const gone = new Set<string>();
  for (let i = 0; i + 1 < status.length; i += 2) (status[i] === "D" ? gone : changed).add(status[i + 1] ?? "");
  return { changed: [...changed], gone, bare };
}

export async function bareFolders(git: Git, index: string, ignored: boolean): Promise<string[]> {
  const others = await git.list(["ls-files", "-z", "-o", "--directory", ...patternsOf(git, ignored)], { index });
  return others.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1));
}

/** Our own home is passed over in any case. */
function patternsOf(git: Git, ignored: boolean): string[] {
  return ignored ? [`--exclude-from=${join(git.dir, "info/exclude")}`] : ["--exclude-standard"];
}

/** A nested repository is named as a folder. Its files are kept like all others, its own .git is not. */
async function inNested(git: Git, others: readonly string[], rules: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  const left = others.filter((path) => path.endsWith("/"));
  for (let i = 0; i < left.length && i < NESTED_MAX; i++) {
    const at = left[i] ?? "";
    const folder = onDisk(git.workspace, at).toString();
    // A name that is not text cannot be a folder to run in.
    if (folder.includes("\ufffd") || !(await statOf(Buffer.from(folder)))?.isDirectory()) continue;
    const inside = await git.list(["ls-files", "-z", "-o", ...rules.slice(0, 1)], {
      index: join(git.dir, "no-index"),
      at: folder.replace(/\/$/, ""),
    });
    for (const path of inside) (path.endsWith("/") ? left : files).push(at + path);
  }
  return files;
}

/** Files that the person's repository tracks although a pattern ignores them. Only its index is read, never its configuration. */
async function trackedThoughIgnored(git: Git): Promise<string[]> {
  const index = join(gitFolder(git.workspace) ?? "", "index");
  if (!fs.statSync(index, { throwIfNoEntry: false })?.isFile()) return [];
  // An index that needs more than itself (split, sparse, another hash) is passed over.
  return git.list(["ls-files", "-z", "-c", "-i", "--exclude-standard"], { index, ok: [0, 128] });
}

function ownExcludes(workspace: string): string[] {
  const file = join(gitFolder(workspace) ?? "", "info/exclude");
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() ? [`--exclude-from=${file}`] : [];
}

/** The person's git folder, or where its file points to. */
function gitFolder(workspace: string): string | undefined {
  const own = join(workspace, ".git");
  const stat = fs.lstatSync(own, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return own;
  if (!stat?.isFile() || stat.size > 4_096) return undefined;
  const [, path] = /^gitdir: (.+)\n?$/.exec(fs.readFileSync(own, "utf8")) ?? [];
  return path === undefined ? undefined : join(path.startsWith("/") ? "/" : workspace, path);
}

/** What to do with each path: keep it as it is now, drop it, or say why it is left out. */
export async function examine(workspace: string, { changed, gone }: Found, rules: Rules): Promise<Examined> {
  const result: Examined = { put: [], drop: [...gone], left_out: [] };
  const paths = changed.filter((path) => !gone.has(path));
  for (let i = 0; i < paths.length; i += AT_ONCE) {
    const part = paths.slice(i, i + AT_ONCE);
    const stats = await Promise.all(part.map((path) => statOf(onDisk(workspace, path))));
    for (const [n, path] of part.entries()) sort(path, stats[n], rules, result);
  }
  return result;
}

function sort(path: string, stat: fs.BigIntStats | undefined, rules: Rules, { put, drop, left_out }: Examined): void {
  if (isLeftover(nameOf(path)) || !stat || stat.isDirectory()) return void drop.push(path);
  const why = reasonAgainst(path, stat, rules);
  if (why) {
    left_out.push({ path, why });
    drop.push(path);
    return;
  }
  const mode = stat.isSymbolicLink() ? null : Number(stat.mode) & 0o7777;
  put.push({ path, mode, size: Number(stat.size), ctime: String(stat.ctimeNs) });
}

function reasonAgainst(path: string, stat: fs.BigIntStats, { fileBytesMax }: Rules): LeftOut["why"] | undefined {
  if (path.split("/").some((part) => /^\.git$/i.test(part))) return "name";
  if (stat.isSymbolicLink()) return /(?:^|\/)\.gitmodules$/i.test(path) ? "name" : undefined;
  if (!stat.isFile()) return "special";
  if (stat.size > fileBytesMax) return "large";
  return isAllowed(stat, 0o4) ? undefined : "unreadable";
}

/** By its bits. The rare file that other rules forbid is found when git reads it. `want`: bits as for others, 4 to read. */
export function isAllowed({ uid, mode }: fs.BigIntStats, want: number): boolean {
  const own = process.getuid?.() ?? 0;
  const has = (shift: number) => (Number(mode) & (want << shift)) === want << shift;
  return own === 0 || (Number(uid) === own ? has(6) : has(3) || has(0));
}

export function statOf(path: Buffer): Promise<fs.BigIntStats | undefined> {
  return new Promise((resolve, reject) => {
    fs.lstat(path, { bigint: true }, (error, stat) => {
      if (!error) resolve(stat);
      else if (isMissing(error) || isForbidden(error) || error.code === "ELOOP") resolve(undefined);
      else reject(error);
    });
  });
}
