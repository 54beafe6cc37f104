// What stands at a path, where it leads, and how to act in its folder. An agent may have laid a link in its place, or in place
// of any part of it, at any moment. So whoever makes or removes something opens the folder once, uses it by descriptor, and
// asks the kernel where it really is. Owns: the descriptors of what planned boxes will mount. Refuses: to change anything itself.
import fs from "node:fs";
import { basename, dirname } from "node:path";
import { codeOf } from "../../core/base/fault.ts";

/** Only a name for what is there. Node does not name this flag of Linux. */
const O_PATH = 0o10_000_000;
/** It is gone, it is not ours to enter, links lead in circles, or no path is that long. */
const NOTHING_THERE = ["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"];

/** What stands there itself: of a link, the link. Undefined: nothing. */
export function standing(path: string): fs.Stats | undefined {
  return looked(() => fs.lstatSync(path, { throwIfNoEntry: false }));
}

/** Where it really is, all links followed. Undefined: they lead to nothing. */
export function realPath(path: string): string | undefined {
  // Most of what is looked for is missing, and to throw takes longer than to look.
  if (!fs.existsSync(path)) return undefined;
  try {
    return fs.realpathSync.native(path);
  } catch {
    // Gone just now, or not ours to enter.
    return undefined;
  }
}

/** Calls `act` with a path that leads to the same entry whatever happens to the folders above. Undefined: no such folder. */
export function inRealFolder<T>(path: string, act: (entry: string) => T): T | undefined {
  const fd = openReal(dirname(path), fs.constants.O_DIRECTORY);
  if (fd === undefined) return undefined;
  try {
    return act(`/proc/self/fd/${fd}/${basename(path)}`);
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * Which file or folder lies there: its device and inode. Undefined: none does, or it is a link. Whoever opens it later follows no link
 * on the way and compares. Another one can have the same only where somebody may remove this one, who could write there anyway.
 */
export function identityOf(path: string): string | undefined {
  const stat = looked(() => fs.lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  return stat === undefined || stat.isSymbolicLink() ? undefined : `${stat.dev}:${stat.ino}`;
}

/** A descriptor that only names what lies there. Undefined: nothing does, or a link is on the way. */
function openReal(path: string, flags = 0): number | undefined {
  const fd = opened(path, flags);
  if (fd === undefined || fs.readlinkSync(`/proc/self/fd/${fd}`) === path) return fd;
  fs.closeSync(fd);
  return undefined;
}

/** Whether anything is there, a link too. */
export function isThere(path: string): boolean {
  return standing(path) !== undefined;
}

function opened(path: string, flags: number): number | undefined {
  // Most of what is looked for is missing, and to throw takes longer than to look.
  return fs.existsSync(path) ? looked(() => fs.openSync(path, O_PATH | flags)) : undefined;
}

export function looked<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (NOTHING_THERE.includes(codeOf(error))) return undefined;
    throw error;
  }
}

/**
 * A box starts some milliseconds after its plan, and programs in another box may put a link, or another folder, in place of a path
 * meanwhile. What starts bubblewrap opens these descriptors, so it mounts what the plan saw, or nothing.
 */
export class Handles {
  /** By whoever has a box there. */
  readonly #held = new Map<string, number[]>();

  /** The kernel's own name for what lies there now. Every process of the same user can open it until `close`. */
  open(owner: string, path: string): string | undefined {
    const fd = openReal(path);
    if (fd === undefined) return undefined;
    this.#held.set(owner, [...(this.#held.get(owner) ?? []), fd]);
    // Whoever opens a pipe waits for its other end.
    return fs.fstatSync(fd).isFIFO() ? undefined : `/proc/${process.pid}/fd/${fd}`;
  }

  close(owner: string): void {
    for (const fd of this.#held.get(owner) ?? []) fs.closeSync(fd);
    this.#held.delete(owner);
  }
}
