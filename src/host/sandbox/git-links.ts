// Links in the folders in which git writes files by name: messages, logs, branches, what it fetched. git follows them, so with an
// agent's link there a commit of the person's would write anywhere. git itself makes none. Owns: which ones lay there before
// a box. Refuses: to touch those, because they are the person's.
import fs from "node:fs";
import { join } from "node:path";
import { inRealFolder, looked, standing } from "./links.ts";

/** git writes in all folders below these. */
const DEEP = ["logs", "refs"];
/** A look takes 10 µs for each. A repository with more is looked at in part. */
const FOLDERS_MAX = 1_000;
/** All that an owner can do with a folder. */
const OWNERS = 0o700;

interface Before {
  readonly folders: readonly string[];
  readonly links: ReadonlySet<string>;
}

export class GitLinks {
  /** By whoever has a box there. */
  readonly #before = new Map<string, Before>();

  /** Before a box is made, with the repositories' own folders that it may write. */
  note(owner: string, folders: readonly string[]): void {
    this.sweep(owner);
    this.#before.set(owner, { folders, links: new Set(linksIn(folders)) });
  }

  /** Removes those that came since. */
  sweep(owner: string): void {
    const { folders = [], links } = this.#before.get(owner) ?? {};
    for (const path of linksIn(folders)) if (!links?.has(path)) removeLink(path);
  }

  forget(owner: string): void {
    this.sweep(owner);
    this.#before.delete(owner);
  }
}

function linksIn(folders: readonly string[]): string[] {
  const links: string[] = [];
  const queue = folders.flatMap((folder) => [folder, ...DEEP.map((name) => join(folder, name))]);
  const shallow = new Set(folders);
  for (let at = 0; at < Math.min(queue.length, FOLDERS_MAX); at += 1) {
    const folder = queue[at] ?? "";
    for (const entry of entriesOf(folder)) {
      if (entry.isSymbolicLink()) links.push(join(folder, entry.name));
      else if (entry.isDirectory() && !shallow.has(folder)) queue.push(join(folder, entry.name));
    }
  }
  return links;
}

/** None where a link, or nothing, stands by now. A folder that its owner cannot list was closed in a box: git needs it open. */
function entriesOf(folder: string): fs.Dirent[] {
  const stat = standing(folder);
  if (!stat?.isDirectory()) return [];
  if ((stat.mode & OWNERS) !== OWNERS && stat.uid === process.geteuid?.())
    looked(() => fs.chmodSync(folder, (stat.mode & 0o7777) | OWNERS));
  return looked(() => fs.readdirSync(folder, { withFileTypes: true })) ?? [];
}

function removeLink(path: string): void {
  inRealFolder(path, (entry) => {
    if (standing(entry)?.isSymbolicLink()) fs.rmSync(entry, { force: true });
  });
}
