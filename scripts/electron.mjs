// Runs examples/electron in a real Electron, where a binary exists: ELECTRON_PATH names one, or `electron` is in PATH. Says plainly
// where none does: then the bridge was proved only by test/surface/electron and test/e2e/electron.slow.test.ts.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const inPath = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "electron"));
const program = process.env.ELECTRON_PATH ?? inPath.find((path) => existsSync(path));

const app = mkdtempSync(join(tmpdir(), "duetty-electron-"));
try {
  cpSync(join(ROOT, "examples/electron"), app, { recursive: true });
  mkdirSync(join(app, "node_modules"));
  symlinkSync(ROOT, join(app, "node_modules/duetty"));
  symlinkSync(join(ROOT, "node_modules/@xterm"), join(app, "node_modules/@xterm"));
  const env = { ...process.env, ...(program === undefined ? {} : { ELECTRON_PATH: program }) };
  process.exitCode = spawnSync(process.execPath, ["test.js"], { cwd: app, env, stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(app, { recursive: true });
}
