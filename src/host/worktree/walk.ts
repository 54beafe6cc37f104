// Every file of a tree by what the kernel says of it, and every other repository inside. Nothing is followed or opened.
import fs from "node:fs/promises";
import { join } from "node:path";
import { isForbidden, isMissing } from "../git/repository.ts";

export interface Walked {
  /** Inode, size and times by path. Equal ones say that nobody has written in between. */
  readonly files: ReadonlyMap<string, string>;
  /** Folders with a `.git` in them, without the top. */
  readonly repositories: readonly string[];
  /** The top has a repository of its own. */
  readonly git: "file" | "folder" | "none";
}

export async function walk(top: string): Promise<Walked> {
  const files = new Map<string, string>();
  const repositories: string[] = [];
  let git: Walked["git"] = "none";
  const queue = [""];
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    for (const entry of await entriesOf(join(top, folder))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.name.toLowerCase() === ".git") {
        if (folder === "") git = entry.isDirectory() ? "folder" : "file";
        else repositories.push(folder);
        if (folder === "") continue;
      }
      if (entry.isDirectory()) queue.push(path);
      else files.set(path, await markOf(join(top, path)));
    }
  }
  return { files, repositories: repositories.sort(), git };
}

export function isSameWalk(one: Walked, other: Walked): boolean {
  return one.files.size === other.files.size && [...one.files].every(([path, mark]) => other.files.get(path) === mark);
}

async function entriesOf(folder: string) {
  try {
    return await fs.readdir(folder, { withFileTypes: true });
  } catch (error) {
    // It is gone meanwhile, or nobody may look into it.
    if (isMissing(error) || isForbidden(error)) return [];
    throw error;
  }
}

async function markOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await fs.lstat(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(" ");
  } catch (error) {
    if (isMissing(error)) return "";
    throw error;
  }
}
