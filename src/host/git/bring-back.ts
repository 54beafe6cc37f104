// Carries a plan out in the workspace, file by file: each is either as before or as planned. Somebody else may work in the same
// folders, so no path is followed twice: every folder is opened step by step, never through a link, and used by its descriptor.
import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import fs from "node:fs/promises";
import type { Done, LeftAlone, Moved, Plan, Write } from "../../core/restore/state.ts";
import { Blobs } from "./blobs.ts";
import { ignoredOf } from "./folders.ts";
import type { Git } from "./git.ts";
import { inFolder, nameOf, parentOf } from "./paths.ts";
import { TEMPORARY } from "./repository.ts";
import { type Folder, Folders } from "./walk.ts";

type Act = (folder: Folder, name: string) => Promise<string | undefined>;

export async function bringBack(git: Git, plan: Plan, since: number): Promise<Done> {
  await using folders = new Folders(git.workspace);
  await using blobs = new Blobs(git);
  const left_alone: LeftAlone[] = [];
  const moved: Moved[] = [];
  const blocked = new Set<string>();
  const attempt = async (path: string, act: Act) => {
    const why = await folders.within(parentOf(path), (folder) => act(folder, nameOf(path)));
    if (why !== undefined) left_alone.push({ path, why, in_way: blocked.has(path) });
  };
  /** Puts something at a path. What is not kept there is moved first, or nothing is done. */
  const place = (path: string, obstacle: (there: Stats) => string | undefined, act: Act) =>
    attempt(path, async (folder, name) => {
      const there = await folder.stat(name);
      const why = there && obstacle(there);
      if (why === undefined) return act(folder, name);
      if (plan.in_way === "leave") {
        blocked.add(path);
        return why;
      }
      moved.push({ path, to: inFolder(parentOf(path), await folder.moveAside(name)) });
      return act(folder, name);
    });
  const write = (one: Write) =>
    place(
      one.path,
      (there) => inTheWay(there, one.fresh),
      async (folder, name) => {
        const there = await folder.stat(name);
        if (there && isLater(there, since)) return "changed at this moment; undo once more";
        await put(folder, name, one, await blobs.read(one.oid));
        return undefined;
      },
    );
  // The patterns first: they say which of the files to delete were not kept then, only ignored.
  const later = new Set([...plan.makes, ...plan.removes]);
  const isFirst = ({ path }: Write) => nameOf(path) === ".gitignore" && !later.has(parentOf(path)) && !later.has(path);
  const patterns = plan.writes.filter(isFirst);
  for (const one of patterns) await write(one);
  const ignored = new Set(patterns.length > 0 && plan.deletes.length > 0 ? await ignoredOf(git, plan.deletes) : []);
  for (const path of plan.deletes) {
    if (ignored.has(path)) left_alone.push({ path, why: "ignored by the .gitignore that comes back", in_way: false });
    else await attempt(path, (folder, name) => remove(folder, name, since));
  }
  for (const path of plan.removes) await attempt(path, (folder, name) => folder.removeFolder(name));
  const noFolder = (there: Stats) => (there.isDirectory() ? undefined : "a file is in its place");
  for (const path of plan.makes) await place(path, noFolder, (folder, name) => folder.makeFolder(name));
  for (const one of plan.writes) if (!isFirst(one)) await write(one);
  for (const { path, mode } of plan.chmods)
    await attempt(path.replace(/\/$/, ""), (folder, name) => folder.setMode(name, mode));
  return { left_alone, moved };
}

/** Why a file may not be replaced: it is not what the point before this holds. */
function inTheWay(there: Stats, fresh: boolean): string | undefined {
  if (there.isDirectory()) return "a folder with files that are not kept is in its place";
  if (fresh) return "a file that is not kept is in its place";
  return there.isFile() || there.isSymbolicLink() ? undefined : "neither a file nor a link is in its place";
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
  return folder.unlink(name);
}

async function put(folder: Folder, name: string, { mode }: Write, content: Buffer): Promise<void> {
  // A new name each time: nobody knows it before, so nothing has to be removed, and nothing of others is opened or followed.
  const first = `${TEMPORARY}-${randomBytes(6).toString("hex")}`;
  try {
    if (mode === null) await fs.symlink(content, folder.path(first));
    else {
      const file = await fs.open(folder.path(first), "wx", 0o600);
      try {
        await file.writeFile(content);
        await file.chmod(mode);
      } finally {
        await file.close();
      }
    }
    await fs.rename(folder.path(first), folder.path(name));
  } catch (error) {
    await folder.unlink(first);
    throw error;
  }
}
