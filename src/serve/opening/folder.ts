// Turns a caller's folder into the form that shells report: absolute, without links.
import fs from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";

/** A missing folder is reported later, when something starts in it. */
export function folderOf(wanted = "~"): string {
  const path = resolve(homedir(), untilde(wanted));
  return fs.existsSync(path) ? fs.realpathSync(path) : path;
}

export function untilde(path: string): string {
  return path === "~" || path.startsWith("~/") ? homedir() + path.slice(1) : path;
}
