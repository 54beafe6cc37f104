// Keeps the present files of a workspace in its shadow repository. Works on a new name of the index and puts it in place by
// one rename (state.json), so a kill at any moment leaves the last state, and no lock of a dead process stands in the way.
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import { join } from "node:path";
import { usualMode, withParents } from "../../core/restore/plan.ts";
import type { FileState, LeftOut, More } from "../../core/restore/state.ts";
import { bareFolders, type Examined, examine, findChanged, statOf } from "./candidates.ts";
import { folderFacts, foldersIn } from "./folders.ts";
import { type Git, GitTrouble } from "./git.ts";
import { nameOf, parentOf } from "./paths.ts";
import { isLeftover, isMissing, type Layout, readJson, replaceFile } from "./repository.ts";
import { Folders } from "./walk.ts";

/** git compares whole seconds. A file that changed so shortly before a look is looked at again at the next one. */
const RECENT_MS = 3_000;
/** From so many files on git writes them into one pack at once: ten times faster than one file for each. */
const PACKED_FROM = 200;

/** Counting the store takes time, so it is done when so much was added since the last time. */
const COUNTED_FROM = 1 << 20;

export interface Limits {
  readonly ignored: boolean;
  readonly fileBytesMax: number;
  /** What a store may hold together. */
  readonly totalBytesMax: number;
}

/** What the last look found. */
interface Known {
  readonly index: string;
  readonly tree: string;
  readonly ignored: boolean;
  readonly modes: Readonly<Record<string, number>>;
  readonly recent: Readonly<Record<string, string>>;
  /** Bytes that were added since the store was counted. Stores of older versions do not have it. */
  readonly uncounted?: number;
}

export async function look(git: Git, layout: Layout, limits: Limits): Promise<FileState> {
  const began = Date.now();
  const known = await knownOf(layout, limits);
  const name = `index.${randomBytes(8).toString("hex")}`;
  const index = join(layout.dir, name);
  if (known) await fs.link(join(layout.dir, known.index), index);
  const found = await findChanged(git, index, limits);
  const recent = Object.keys(known?.recent ?? {});
  const changed = [...new Set([...found.changed, ...recent])];
  const seen = await examine(git.workspace, { ...found, changed }, limits);
  await removeLeftovers(git, changed);
  const fresh = onlyChanged(seen, new Set(found.changed), known?.recent ?? {});
  const added = await checkRoom(git, layout, fresh, limits, known?.uncounted ?? 0);
  const refused = await updateIndex(git, index, fresh);
  const isSame = known !== undefined && fresh.put.length === 0 && fresh.drop.length === 0;
  const [tree, bare] = isSame
    ? [known.tree, found.bare]
    : await Promise.all([
        git.text(["write-tree"], { index }).then((text) => text.trim()),
        bareFolders(git, index, limits.ignored),
      ]);
  const folders = await foldersIn(git, bare, limits.ignored);
  const facts = await folderFacts(git.workspace, [...new Set([...(await treeFolders(git, tree)), ...folders.folders])]);
  const left_out = [...seen.left_out, ...refused, ...folders.left_out, ...facts.left_out].sort(byPath);
  const modes = { ...fileModes(known?.modes ?? {}, fresh), ...facts.modes };
  const late = seen.put.filter(({ ctime }) => Number(BigInt(ctime) / 1_000_000n) >= began - RECENT_MS);
  const more = { folders: folders.folders, modes: sorted(modes), left_out };
  const kept: Known = {
    index: isSame ? known.index : name,
    tree,
    ignored: limits.ignored,
    modes,
    recent: Object.fromEntries(late.map(({ path, ctime }) => [path, ctime])),
    uncounted: added + JSON.stringify(more).length,
  };
  if (!isSame || recent.length > 0 || !sameModes(known.modes, modes))
    await replaceFile(layout.state, JSON.stringify(kept));
  await sweep(layout, kept.index);
  return stateOf(tree, more);
}

export function stateOf(tree: string, more: More): FileState {
  const { folders, modes } = more;
  return { tree, more, key: `${tree}.${hashOf({ folders, modes })}` };
}

export function hashOf(value: object): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 32);
}

/** All folders that hold kept files. */
function treeFolders(git: Git, tree: string): Promise<string[]> {
  return git.list(["ls-tree", "-r", "-d", "-z", "--name-only", tree]);
}

export async function allFolders(git: Git, { tree, more }: FileState): Promise<Set<string>> {
  return new Set([...(await treeFolders(git, tree)), ...more.folders.flatMap((path) => withParents(path))]);
}

async function knownOf(layout: Layout, { ignored }: Limits): Promise<Known | undefined> {
  const known = await readJson<Known>(layout.state);
  if (!known || known.ignored !== ignored) return undefined;
  const there = await fs.stat(join(layout.dir, known.index)).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  return there && known;
}

/** Without the recent files that did not change once more. Those that did are dropped first, or git takes them for unchanged. */
function onlyChanged(seen: Examined, found: ReadonlySet<string>, recent: Known["recent"]): Examined {
  const known = new Map(Object.entries(recent));
  const put = seen.put.filter(({ path, ctime }) => found.has(path) || known.get(path) !== ctime);
  const again = put.filter(({ path, ctime }) => known.has(path) && known.get(path) !== ctime);
  return { ...seen, put, drop: [...seen.drop, ...again.map(({ path }) => path)] };
}

/** How much is added since the store was counted. Many small changes fill it as well as one large one. */
async function checkRoom(
  git: Git,
  layout: Layout,
  { put }: Examined,
  { totalBytesMax }: Limits,
  uncounted: number,
): Promise<number> {
  const more = put.reduce((sum, { size }) => sum + size, 0);
  if (uncounted + more < COUNTED_FROM) return uncounted + more;
  const count = await git.text(["count-objects", "-v"]);
  const kib = [...count.matchAll(/^size(?:-pack)?: (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
  const held = kib * 1_024 + (await bytesIn(layout.more)) + (await bytesIn(layout.points));
  const mb = (bytes: number) => Math.ceil(bytes / (1 << 20));
  if (more + held <= totalBytesMax) return more;
  const what = `the store holds ${mb(held)} MB, and ${mb(more)} MB of new files`;
  throw new GitTrouble("full", `${what} are more than it may hold (restore.max_total_mb)`);
}

async function bytesIn(folder: string): Promise<number> {
  const names = await fs.readdir(folder);
  const stats = await Promise.all(names.map((name) => statOf(Buffer.from(join(folder, name)))));
  return stats.reduce((sum, stat) => sum + Number(stat?.size ?? 0), 0);
}

async function updateIndex(git: Git, index: string, { put, drop }: Examined): Promise<LeftOut[]> {
  if (drop.length > 0)
    await git.text(["update-index", "-z", "--force-remove", "--stdin"], { index, stdin: listed(drop) });
  const packed = put.length >= PACKED_FROM ? ["-c", "core.bigFileThreshold=1"] : [];
  const paths = put.map(({ path }) => path);
  return paths.length === 0 ? [] : putAll(git, index, packed, paths);
}

/** git stops at the first file that it cannot read, so we look for it by halves. */
async function putAll(
  git: Git,
  index: string,
  options: readonly string[],
  paths: readonly string[],
): Promise<LeftOut[]> {
  const args = [...options, "update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
  try {
    await git.text(args, { index, stdin: listed(paths) });
    return [];
  } catch (error) {
    if (!(error instanceof GitTrouble) || error.code !== "failed") throw error;
    const [path] = paths;
    if (paths.length === 1 && path !== undefined) return [{ path, why: "refused" }];
    const half = paths.length >> 1;
    const first = await putAll(git, index, options, paths.slice(0, half));
    return [...first, ...(await putAll(git, index, options, paths.slice(half)))];
  }
}

function byPath(a: LeftOut, b: LeftOut): number {
  return a.path < b.path ? -1 : 1;
}

function listed(paths: readonly string[]): string {
  return paths.map((path) => `${path}\0`).join("");
}

function fileModes(before: Known["modes"], { put, drop }: Examined): Record<string, number> {
  const modes = new Map(Object.entries(before).filter(([path]) => !path.endsWith("/")));
  for (const path of drop) modes.delete(path);
  for (const { path, mode } of put) {
    if (mode === null || mode === usualMode(mode & 0o100 ? "100755" : "100644")) modes.delete(path);
    else modes.set(path, mode);
  }
  return Object.fromEntries(modes);
}

function sorted(modes: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(modes).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sameModes(a: Known["modes"], b: Known["modes"]): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

/** Files that a killed bring-back left under their first name. One that cannot be reached any more is passed over. */
async function removeLeftovers(git: Git, paths: readonly string[]): Promise<void> {
  await using folders = new Folders(git.workspace);
  for (const path of paths)
    if (isLeftover(nameOf(path))) await folders.within(parentOf(path), (folder) => folder.unlink(nameOf(path)));
}

/** Earlier names of the index, and what killed calls left. */
async function sweep(layout: Layout, current: string): Promise<void> {
  for (const name of await fs.readdir(layout.dir))
    if (/^index\./.test(name) && name !== current) await fs.rm(join(layout.dir, name), { force: true });
}
