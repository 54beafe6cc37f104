// Folders of a workspace: those without a kept file, and the permission bits of all. git keeps neither.
import fs from "node:fs";
import type { LeftOut } from "../../core/restore/state.ts";
import { isAllowed, statOf } from "./candidates.ts";
import type { Git } from "./git.ts";
import { inFolder, onDisk } from "./paths.ts";
import { isForbidden, isMissing } from "./repository.ts";

/** More are made by a build, and nobody misses them. */
const FOLDERS_MAX = 10_000;
const USUAL = 0o755n;

/** The named folders and all folders inside them, without ignored ones. */
export async function foldersIn(
  git: Git,
  bare: readonly string[],
  ignored: boolean,
): Promise<{ folders: string[]; left_out: LeftOut[] }> {
  const folders: string[] = [];
  let level = [...bare];
  while (level.length > 0) {
    const room = FOLDERS_MAX - folders.length;
    if (level.length > room) {
      const left_out = level.slice(room).map((path) => ({ path, why: "too many folders" as const }));
      return { folders: [...folders, ...level.slice(0, room)].sort(), left_out: left_out.slice(0, 100) };
    }
    folders.push(...level);
    const inside = level.flatMap((path) => childrenOf(git.workspace, path));
    level = ignored ? inside : await withoutIgnored(git, inside);
  }
  return { folders: folders.sort(), left_out: [] };
}

function childrenOf(workspace: string, folder: string): string[] {
  return entriesOf(onDisk(workspace, folder))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name.toString("latin1"))
    .filter((name) => !/^\.git$/i.test(name))
    .map((name) => inFolder(folder, name));
}

function entriesOf(at: Buffer): fs.Dirent<Buffer>[] {
  try {
    return fs.readdirSync(at, { withFileTypes: true, encoding: "buffer" });
  } catch (error) {
    // It is gone meanwhile, or nobody may look into it.
    if (isMissing(error) || isForbidden(error)) return [];
    throw error;
  }
}

async function withoutIgnored(git: Git, folders: readonly string[]): Promise<string[]> {
  if (folders.length === 0) return [];
  const ignored = new Set(await ignoredOf(git, folders));
  return folders.filter((path) => !ignored.has(path));
}

/** Those that the workspace's patterns ignore now. */
export function ignoredOf(git: Git, paths: readonly string[]): Promise<string[]> {
  const stdin = paths.map((path) => `${path}\0`).join("");
  return git.list(["check-ignore", "-z", "--stdin", "--no-index"], { stdin, ok: [0, 1] });
}

interface FolderFacts {
  /** Permission bits that are not the usual ones, by "folder/". */
  readonly modes: Record<string, number>;
  readonly left_out: LeftOut[];
}

/** A folder that we may not look into is left out with all that may be in it. */
export async function folderFacts(workspace: string, folders: readonly string[]): Promise<FolderFacts> {
  const stats = await Promise.all(folders.map((path) => statOf(onDisk(workspace, path))));
  const facts: FolderFacts = { modes: {}, left_out: [] };
  for (const [i, path] of folders.entries()) {
    const stat = stats[i];
    if (!stat?.isDirectory()) continue;
    if ((stat.mode & 0o7777n) !== USUAL) facts.modes[`${path}/`] = Number(stat.mode) & 0o7777;
    if (!isAllowed(stat, 0o5)) facts.left_out.push({ path, why: "unreadable" });
  }
  return facts;
}
