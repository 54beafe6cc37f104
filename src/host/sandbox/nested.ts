// Repositories inside a box's roots: clones in a folder of projects, bare ones, submodules. Each has settings that the
// person's git obeys. Owns: what it has found, also for the next daemon, and what it has seen of folders, so that a second
// search reads only those that changed.
import { createHash } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { codeOf } from "../../core/base/fault.ts";
import { isThere, looked, realPath } from "./links.ts";
import { closedOn } from "./protection.ts";

/** A search takes 10 to 30 ms. Folders near the top come first. */
const FOLDERS_MAX = 1_000;
/** An agent's lines come one after another, and people seldom clone. */
const FRESH_MS = 10_000;
/** Each repository takes several mounts. */
const REPOSITORIES_MAX = 50;
/** Large, and nobody works in there. */
const SKIPPED = new Set([".git", "node_modules"]);
/** Folders of many workspaces. They are read again after that. */
const KEPT_MAX = 20_000;
const ROOTS_MAX = 500;

interface Seen {
  readonly changed: number;
  readonly folders: readonly string[];
  readonly has: "work tree" | "bare" | null;
}

interface Found {
  /** Folders with a `.git`, other than `root` itself. */
  readonly trees: readonly string[];
  /** Repositories without a work tree. */
  readonly bare: readonly string[];
  /** Folders that we may not look into. */
  readonly closed: readonly string[];
  /** There may be more. */
  readonly isPart: boolean;
}

export class NestedRepositories {
  readonly #folder: string;
  readonly #seen = new Map<string, Seen>();
  readonly #found = new Map<string, Found & { readonly at: number }>();

  /** `folder` has one file for each root in which there are some. */
  constructor(folder: string) {
    this.#folder = folder;
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  in(root: string): Found {
    const known = this.#found.get(root);
    const found = known && performance.now() - known.at < FRESH_MS ? known : this.#keep(root);
    const all = [...found.trees, ...found.bare];
    const closed = [...found.closed, ...all.flatMap((folder) => closedAround(folder) ?? [])];
    return { ...found, trees: found.trees.filter(isStillThere), bare: found.bare.filter(isStillThere), closed };
  }

  #keep(root: string): Found {
    if (this.#seen.size > KEPT_MAX) this.#seen.clear();
    if (this.#found.size > ROOTS_MAX) this.#found.clear();
    const file = join(this.#folder, createHash("sha256").update(root).digest("hex").slice(0, 32));
    const known = this.#found.get(root) ?? written(file);
    const found = this.#withKnown(known, this.#search(root));
    this.#found.set(root, { ...found, at: performance.now() });
    const { trees, bare } = found;
    const isEqual = JSON.stringify([trees, bare]) === JSON.stringify([known?.trees ?? [], known?.bare ?? []]);
    if (!isEqual) keepFor(file, JSON.stringify({ trees, bare }));
    return found;
  }

  /** What was found once stays known: whoever makes a thousand folders in a box must not hide it from the next search. */
  #withKnown(known: Found | undefined, found: Found): Found {
    const still = (folders: readonly string[] = [], has: Seen["has"]) =>
      folders.filter((folder) => closedAround(folder) !== undefined || this.#look(folder)?.has === has);
    return {
      ...found,
      trees: [...new Set([...still(known?.trees, "work tree"), ...found.trees])],
      bare: [...new Set([...still(known?.bare, "bare"), ...found.bare])],
    };
  }

  #search(root: string): Found {
    const [trees, bare, closed, queue] = [[] as string[], [] as string[], [] as string[], [root]];
    for (let at = 0; at < queue.length; at += 1) {
      const isFull = trees.length + bare.length >= REPOSITORIES_MAX;
      if (at >= FOLDERS_MAX || isFull) return { trees, bare, closed, isPart: true };
      const folder = queue[at] ?? root;
      const seen = this.#look(folder);
      queue.push(...(seen?.folders ?? []).map((name) => join(folder, name)));
      if (!seen && isThere(folder)) closed.push(folder);
      if (folder === root) continue;
      if (seen?.has === "work tree") trees.push(folder);
      if (seen?.has === "bare") bare.push(folder);
    }
    return { trees, bare, closed, isPart: false };
  }

  #look(folder: string): Seen | undefined {
    const changed = looked(() => fs.statSync(folder, { throwIfNoEntry: false }))?.ctimeMs;
    const known = this.#seen.get(folder);
    if (changed === undefined || known?.changed === changed) return known;
    const seen = read(folder, changed);
    if (seen) this.#seen.set(folder, seen);
    return seen;
  }
}

/** For the next daemon. This one knows it anyway, so a full disk stops nothing. */
function keepFor(file: string, text: string): void {
  try {
    fs.writeFileSync(file, text, { mode: 0o600 });
  } catch (error) {
    if (!["ENOSPC", "EDQUOT", "EROFS", "EMFILE"].includes(codeOf(error))) throw error;
  }
}

/** What an earlier daemon found. Half a file, of one that was killed, says nothing. */
function written(file: string): Found | undefined {
  try {
    const { trees, bare } = JSON.parse(fs.readFileSync(file, "utf8")) as Found;
    return { trees, bare, closed: [], isPart: false };
  } catch {
    return undefined;
  }
}

/** A link in its place would lead elsewhere. */
function isStillThere(folder: string): boolean {
  return realPath(folder) === folder;
}

/** A repository that nobody sees at the moment is still there. */
function closedAround(folder: string): string | undefined {
  return closedOn(join(folder, ".git"));
}

function read(folder: string, changed: number): Seen | undefined {
  try {
    const entries = fs.readdirSync(folder, { withFileTypes: true });
    const names = new Set(entries.map(({ name }) => name));
    const folders = entries.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name)).map(({ name }) => name);
    const isBare = ["HEAD", "objects", "refs"].every((name) => names.has(name));
    // What lies in a repository's own folder is no work of anybody's.
    if (isBare) return { changed, folders: [], has: "bare" };
    return { changed, folders, has: names.has(".git") ? "work tree" : null };
  } catch {
    // Gone meanwhile, or not ours to read.
    return undefined;
  }
}
