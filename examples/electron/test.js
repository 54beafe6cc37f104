// Starts the app and lets it test itself. Where there is no Electron binary it says so: the npm package alone brings none.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

function electron() {
  if (process.env.ELECTRON_PATH) return process.env.ELECTRON_PATH;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve("electron/package.json"));
    const program = join(folder, "dist", readFileSync(join(folder, "path.txt"), "utf8"));
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

const program = electron();
if (program === undefined) {
  console.log(
    "No Electron binary here: the app was not run. Install one (npx install-electron) or name it in ELECTRON_PATH.",
  );
} else {
  const env = { ...process.env, SELF_TEST: "1", ELECTRON_RUN_AS_NODE: undefined };
  const { status } = spawnSync(program, [import.meta.dirname], { stdio: "inherit", env });
  process.exitCode = status ?? 1;
}
