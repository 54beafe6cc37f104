// A folder as a caller wrote it, as shells tell it: absolute, without links.
import fs from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";

/** One that is not there is left to whoever starts something in it. */
export function folderOf(wanted = "~"): string {
  const path = resolve(homedir(), untilde(wanted));
  return fs.existsSync(path) ? fs.realpathSync(path) : path;
}

export function untilde(path: string): string {
  return path === "~" || path.startsWith("~/") ? homedir() + path.slice(1) : path;
}
