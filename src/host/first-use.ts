// Packages that are loaded when somebody first needs them.
import fs from "node:fs";

/**
 * Node 20 does not follow the links in a package's path when the last file that was looked at synchronously is a pipe or a
 * socket. It then finds nothing that the package needs, also later. So we look at a folder right before.
 */
export function atFirstUse<T>(load: () => Promise<T>): Promise<T> {
  fs.statSync("/");
  return load();
}
