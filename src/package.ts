// Where the files of this installation are. The one place that knows: the code runs as a module of src (tests), of build
// (benches and scripts) or inside a bundle in dist (scripts/bundle.mjs), so paths relative to a module mean nothing.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = rootAbove(dirname(fileURLToPath(import.meta.url)));

/** What starts a daemon and a holder. */
export const DAEMON_MAIN = packageFile("dist/serve/main.js");
export const HOLDER_MAIN = packageFile("dist/holder/main.js");
/** The CLI. */
export const BIN = packageFile("bin/duetty.js");

/** A file or folder of the package, by its path from the package's root. */
export function packageFile(path: string): string {
  return join(ROOT, path);
}

function rootAbove(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder;
  const above = dirname(folder);
  if (above === folder) throw new Error("no package.json above the code: this installation is not whole");
  return rootAbove(above);
}
