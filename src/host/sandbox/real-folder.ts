// Where the daemon makes and removes things in folders that boxes can write. Whoever works there may put a link in place of
// any part of a path at any moment, so a path is opened once, its folder is used by descriptor, and the kernel says where
// that folder really is. Refuses: a path with a link in it. Linux only, as boxes are.
import fs from "node:fs";
import { basename, dirname } from "node:path";

/** Only a name for the folder. Node does not name this flag of Linux. */
const O_PATH = 0o10_000_000;
/** It is gone, it is not ours to enter, or links lead in circles. */
const NO_FOLDER = ["ENOENT", "ENOTDIR", "EACCES", "ELOOP"];

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
