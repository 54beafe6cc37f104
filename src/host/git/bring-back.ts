// Carries a plan out in the workspace, file by file: each is either as before or as planned. Somebody else may work in the same
// folders, so no path is followed twice: every folder is opened step by step, never through a link, and used by its descriptor.
import fs from "node:fs/promises";
import type { LeftAlone, Plan, Write } from "../../core/restore/state.ts";
import { Blobs } from "./blobs.ts";
import { ignoredOf } from "./folders.ts";
import type { Git } from "./git.ts";
import { nameOf, parentOf } from "./paths.ts";
import { TEMPORARY } from "./repository.ts";
import { type Folder, Folders } from "./walk.ts";

export async function bringBack(git: Git, plan: Plan, since: number): Promise<LeftAlone[]> {
  const left: LeftAlone[] = [];
  await using folders = new Folders(git.workspace);
  await using blobs = new Blobs(git);
  const attempt = async (path: string, act: (folder: Folder, name: string) => Promise<string | undefined>) => {
    const why = await folders.within(parentOf(path), (folder) => act(folder, nameOf(path)));
    if (why !== undefined) left.push({ path, why });
  };
  const write = (one: Write) =>
    attempt(one.path, async (folder, name) => {
      const inWay = await inTheWay(folder, name, one.fresh, since);
      if (inWay !== undefined) return inWay;
      await put(folder, name, one, await blobs.read(one.oid));
      return undefined;
    });
  // The patterns first: they say which of the files to delete were not kept then, only ignored.
  const isPattern = ({ path }: Write) => nameOf(path) === ".gitignore";
  const patterns = plan.writes.filter(isPattern);
  for (const one of patterns) await write(one);
  const ignored = new Set(patterns.length > 0 && plan.deletes.length > 0 ? await ignoredOf(git, plan.deletes) : []);
  for (const path of plan.deletes) {
    if (ignored.has(path)) left.push({ path, why: "ignored by the .gitignore that comes back" });
    else await attempt(path, (folder, name) => remove(folder, name, since));
  }
  for (const path of plan.removes) await attempt(path, (folder, name) => folder.removeFolder(name));
  for (const path of plan.makes) await attempt(path, (folder, name) => folder.makeFolder(name));
  for (const one of plan.writes) if (!isPattern(one)) await write(one);
  for (const { path, mode } of plan.chmods)
    await attempt(path.replace(/\/$/, ""), (folder, name) => folder.setMode(name, mode));
  return left;
}

/** Why a file may not be replaced: it is not what the point before this holds. */
async function inTheWay(folder: Folder, name: string, fresh: boolean, since: number): Promise<string | undefined> {
  const there = await folder.stat(name);
  if (!there) return undefined;
  if (there.isDirectory()) return "a folder with files that are not kept is in its place";
  if (fresh) return "a file that is not kept is in its place";
  if (!there.isFile() && !there.isSymbolicLink()) return "neither a file nor a link is in its place";
  return isLater(there, since) ? "changed at this moment; undo once more" : undefined;
}

/** Our clock counts whole milliseconds, the file system parts of them. */
function isLater({ ctimeMs }: { readonly ctimeMs: number }, since: number): boolean {
  return ctimeMs > since + 1;
}

async function remove(folder: Folder, name: string, since: number): Promise<string | undefined> {
  const there = await folder.stat(name);
  if (!there) return undefined;
  if (!there.isFile() && !there.isSymbolicLink()) return "no longer a file";
  if (isLater(there, since)) return "changed at this moment; undo once more";
  await fs.unlink(folder.path(name));
  return undefined;
}

async function put(folder: Folder, name: string, { mode }: Write, content: Buffer): Promise<void> {
  const temporary = folder.path(TEMPORARY);
  await fs.rm(temporary, { force: true, recursive: true });
  if (mode === null) await fs.symlink(content, temporary);
  else {
    // "wx" never opens what somebody else put there.
    const file = await fs.open(temporary, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.chmod(mode);
    } finally {
      await file.close();
    }
  }
  await fs.rename(temporary, folder.path(name));
}
