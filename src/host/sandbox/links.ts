// What stands at a path, where it leads, and how to act in its folder. An agent may have laid a link in its place, or in place
// of any part of it, at any moment. So whoever makes or removes something opens the folder once, uses it by descriptor, and
// asks the kernel where it really is. Refuses: to change anything itself.
import fs from "node:fs";
import { basename, dirname } from "node:path";

/** Only a name for the folder. Node does not name this flag of Linux. */
const O_PATH = 0o10_000_000;
/** It is gone, it is not ours to enter, or links lead in circles. */
const NO_FOLDER = ["ENOENT", "ENOTDIR", "EACCES", "ELOOP"];

/** What stands there itself: of a link, the link. Undefined: nothing. */
export function standing(path: string): fs.Stats | undefined {
  return fs.lstatSync(path, { throwIfNoEntry: false });
}

/** Where it really is, all links followed. Undefined: they lead to nothing. */
export function realPath(path: string): string | undefined {
  // Most of what is looked for is missing, and to throw takes longer than to look.
  if (!fs.existsSync(path)) return undefined;
  try {
    return fs.realpathSync.native(path);
  } catch {
    // Gone just now, or not ours to enter: then nobody in the box can, either.
    return undefined;
  }
}

/** Calls `act` with a path that leads to the same entry whatever happens to the folders above. Undefined: no such folder. */
export function inRealFolder<T>(path: string, act: (entry: string) => T): T | undefined {
  const folder = dirname(path);
  const fd = opened(folder);
  if (fd === undefined) return undefined;
  try {
    const held = `/proc/self/fd/${fd}`;
    return fs.readlinkSync(held) === folder ? act(`${held}/${basename(path)}`) : undefined;
  } finally {
    fs.closeSync(fd);
  }
}

/** Whether anything is there, a link too. */
export function isThere(path: string): boolean {
  return inRealFolder(path, (entry) => fs.lstatSync(entry, { throwIfNoEntry: false }) !== undefined) ?? false;
}

function opened(folder: string): number | undefined {
  try {
    return fs.openSync(folder, O_PATH | fs.constants.O_DIRECTORY);
  } catch (error) {
    if (NO_FOLDER.includes(codeOf(error))) return undefined;
    throw error;
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
