// npm start: builds what is missing or older than its sources, then starts duetty and opens a session.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const newest = (dir) =>
  readdirSync(join(root, dir), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((latest, entry) => Math.max(latest, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0);
const builtAt = (file) => (existsSync(join(root, file)) ? statSync(join(root, file)).mtimeMs : 0);

const sources = Math.max(newest("src"), newest("web"), statSync(join(root, "package-lock.json")).mtimeMs);
if (Math.min(builtAt("dist/cli/verbs.json"), builtAt("dist/web/index.html")) < sources) {
  console.log("building …");
  execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit" });
}
const { status } = spawnSync(process.execPath, [join(root, "bin/duetty.js"), ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;
