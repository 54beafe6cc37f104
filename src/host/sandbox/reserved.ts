// What must not come into being while a box can write where it would lie: a later `mkdir .git/hooks` would win. A mount
// needs something to lie on, so each missing one is made before, and removed when no box needs it any more. Owns: the
// list of them, also for the next daemon. Refuses: to remove what somebody has changed.
import fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { standing } from "./links.ts";

/** Longer than what we write. */
const LONG_BYTES = 8;

/**
 * Nearly all are made as empty folders, whatever they are named: git does not see them, and tools that look for a file do
 * not take a folder for one. git itself insists on files for these. "." says what git takes for granted without the file.
 */
const FILES: Readonly<Record<string, string>> = { commondir: ".\n", "config.worktree": "" };

/** While a box's mounts go, a folder below one takes milliseconds to remove, and somebody waits for an answer. */
const SOON_MS = 500;

export class Reserved {
  readonly #folder: string;
  /** By whoever has a box there: a session's id, a run's id. */
  readonly #held = new Map<string, readonly string[]>();
  readonly #leaving = new Map<string, NodeJS.Timeout>();

  /** `folder` has one file for each of them. */
  constructor(folder: string) {
    this.#folder = folder;
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const owner of fs.readdirSync(folder)) this.#held.set(owner, written(join(folder, owner)));
  }

  /** Makes what is missing. All of `paths` exist afterwards, unless their own folder is gone. */
  hold(owner: string, paths: readonly string[]): void {
    clearTimeout(this.#leaving.get(owner));
    const ours = new Set([...this.#held.values()].flat());
    const missing = paths.filter((path) => ours.has(path) || !fs.existsSync(path));
    if (missing.length === 0) return;
    if (missing.join("\0") === this.#held.get(owner)?.join("\0") && missing.every((path) => fs.existsSync(path)))
      return;
    // Written first: whoever comes after a crash knows what to remove. Of half a file nothing has been made yet.
    this.#held.set(owner, missing);
    fs.writeFileSync(join(this.#folder, owner), JSON.stringify(missing), { mode: 0o600 });
    for (const path of missing) if (!fs.existsSync(path)) make(path);
  }

  /** Unless the owner holds something again by then. */
  releaseSoon(owner: string): void {
    if (!this.#held.has(owner)) return;
    clearTimeout(this.#leaving.get(owner));
    this.#leaving.set(owner, setTimeout(() => this.release(owner), SOON_MS).unref());
  }

  release(owner: string): void {
    clearTimeout(this.#leaving.get(owner));
    this.#leaving.delete(owner);
    const paths = this.#held.get(owner);
    if (paths === undefined) return;
    this.#held.delete(owner);
    const needed = new Set([...this.#held.values()].flat());
    for (const path of paths) if (!needed.has(path)) removeUnchanged(path);
    fs.rmSync(join(this.#folder, owner), { force: true });
  }

  /** After a restart: what belonged to a box that has ended meanwhile is removed. */
  keepOnly(owners: ReadonlySet<string>): void {
    for (const owner of [...this.#held.keys()]) if (!owners.has(owner)) this.release(owner);
  }
}

function written(file: string): string[] {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch {
    return [];
  }
}

function make(path: string): void {
  const text = FILES[basename(path)];
  if (text === undefined) fs.mkdirSync(path, { recursive: true });
  else if (fs.existsSync(dirname(path))) {
    // Whole at once, because git fails when it reads half of one. Everybody who may read the repository reads it.
    fs.writeFileSync(`${path}.new`, text);
    fs.renameSync(`${path}.new`, path);
  }
}

function removeUnchanged(path: string): void {
  const stat = standing(path);
  if (stat?.isFile() && stat.size < LONG_BYTES && fs.readFileSync(path, "utf8") === FILES[basename(path)])
    fs.unlinkSync(path);
  if (!stat?.isDirectory()) return;
  try {
    fs.rmdirSync(path);
  } catch (error) {
    // Somebody has put something there, or has removed it.
    if (!["ENOTEMPTY", "ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
