// What must not come into being while a box can write where it would lie: a later `mkdir .git/hooks` would win. A mount
// needs something to lie on, so each missing one is made before, and removed when no box needs it any more. Owns: the
// list of them, also for the next daemon. Refuses: to remove what somebody has changed.
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf } from "../../core/base/fault.ts";
import { inRealFolder, isThere } from "./links.ts";

/** Longer than what we write. */
const LONG_BYTES = 8;

/**
 * Nearly all are made as empty folders, whatever they are named: git does not see them, and tools that look for a file do
 * not take a folder for one. git itself insists on files for these. "." says what git takes for granted without the file.
 */
const FILES: Readonly<Record<string, string>> = { commondir: ".\n", "config.worktree": "" };

export class Reserved {
  readonly #folder: string;
  /** By whoever has a box there: a session's id, a run's id. */
  readonly #held = new Map<string, readonly string[]>();

  /** `folder` has one file for each of them. */
  constructor(folder: string) {
    this.#folder = folder;
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const owner of fs.readdirSync(folder)) this.#held.set(owner, written(join(folder, owner)));
  }

  /**
   * Makes what is missing, as folders, or as empty files where `files` says so. All of `paths` exist afterwards, unless their
   * own folder is gone or a link.
   */
  hold(owner: string, paths: readonly string[], files: ReadonlySet<string>): void {
    const ours = new Set([...this.#held.values()].flat());
    const missing = paths.filter((path) => ours.has(path) || !isThere(path));
    const before = this.#held.get(owner) ?? [];
    if (missing.every((path) => before.includes(path) && isThere(path))) return;
    // Written first: whoever comes after a crash knows what to remove. Of half a file nothing has been made yet.
    // What the owner had before and needs no more is removed with the rest.
    this.#held.set(owner, [...new Set([...before, ...missing])]);
    fs.writeFileSync(join(this.#folder, owner), JSON.stringify(this.#held.get(owner)), { mode: 0o600 });
    for (const path of missing)
      if (!isThere(path)) make(path, FILES[basename(path)] ?? (files.has(path) ? "" : undefined));
  }

  release(owner: string): void {
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

/** `text`: what is in the file. Undefined: it is a folder. */
function make(path: string, text: string | undefined): void {
  inRealFolder(path, (entry) => {
    try {
      if (text === undefined) fs.mkdirSync(entry);
      else makeFile(entry, text);
    } catch (error) {
      // Somebody was faster.
      if (codeOf(error) !== "EEXIST") throw error;
    }
  });
}

/** Whole at once, because git fails when it reads half of one. Everybody who may read the repository reads it. */
function makeFile(entry: string, text: string): void {
  // A name that nobody knows before, and a file that was not there: nothing of others is opened.
  const first = join(dirname(entry), `.duetty-${randomBytes(8).toString("hex")}`);
  fs.writeFileSync(first, text, { flag: "wx" });
  try {
    fs.linkSync(first, entry);
  } finally {
    fs.unlinkSync(first);
  }
}

function removeUnchanged(path: string): void {
  inRealFolder(path, (entry) => {
    try {
      const stat = fs.lstatSync(entry, { throwIfNoEntry: false });
      if (stat?.isFile() && stat.size < LONG_BYTES && textOf(entry) === (FILES[basename(path)] ?? ""))
        fs.unlinkSync(entry);
      if (stat?.isDirectory()) fs.rmdirSync(entry);
    } catch (error) {
      // Somebody has put something there, or has removed it.
      if (!["ENOTEMPTY", "ENOENT", "ENOTDIR", "ELOOP"].includes(codeOf(error))) throw error;
    }
  });
}

function textOf(entry: string): string {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  const fd = fs.openSync(entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const bytes = Buffer.alloc(LONG_BYTES);
    return bytes.toString("utf8", 0, fs.readSync(fd, bytes));
  } finally {
    fs.closeSync(fd);
  }
}
