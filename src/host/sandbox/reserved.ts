// Folders that must not come into being while a box can write where they would lie: a later `mkdir .git/hooks` would win.
// A mount needs something to lie on, so each missing one is made as an empty folder, which git does not see, and removed
// when no box needs it any more. Owns: the list of them, also for the next daemon. Refuses: to remove what is not empty.
import fs from "node:fs";
import { writeWhole } from "../disk/files.ts";

export class ReservedFolders {
  readonly #file: string;
  /** By whoever has a box there: a session's id, a run's id. */
  readonly #held: Map<string, readonly string[]>;

  constructor(file: string) {
    this.#file = file;
    this.#held = new Map(fs.existsSync(file) ? Object.entries(JSON.parse(fs.readFileSync(file, "utf8"))) : []);
  }

  /** Makes what is missing. All of `paths` exist afterwards, unless their own folder is gone. */
  hold(owner: string, paths: readonly string[]): void {
    const ours = new Set([...this.#held.values()].flat());
    const missing = paths.filter((path) => ours.has(path) || !fs.existsSync(path));
    if (missing.length === 0) return;
    // Written first: whoever comes after a crash knows what to remove.
    this.#held.set(owner, missing);
    this.#write();
    for (const path of missing) fs.mkdirSync(path, { recursive: true });
  }

  release(owner: string): void {
    const paths = this.#held.get(owner);
    if (paths === undefined) return;
    this.#held.delete(owner);
    const needed = new Set([...this.#held.values()].flat());
    for (const path of paths) if (!needed.has(path)) removeEmpty(path);
    this.#write();
  }

  /** After a restart: what belonged to a box that has ended meanwhile is removed. */
  keepOnly(owners: ReadonlySet<string>): void {
    for (const owner of this.#held.keys()) if (!owners.has(owner)) this.release(owner);
  }

  #write(): void {
    writeWhole(this.#file, JSON.stringify(Object.fromEntries(this.#held)));
  }
}

function removeEmpty(path: string): void {
  try {
    fs.rmdirSync(path);
  } catch (error) {
    // Somebody has put something there, or has removed it.
    if (!["ENOTEMPTY", "ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
