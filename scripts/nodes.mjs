// The tests that meet Node itself, on every line of Node that we promise and on the newest: `npm run test:nodes`. Words
// narrow it: `npm run test:nodes 26 surface/client` is one line and one folder. npm ships the binaries of Node. They are
// kept in .cache, because boxes hide what lies in a home. Owns: that folder.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The oldest line that we promise, those with long support, and the newest of all. */
const VERSIONS = ["20.20.2", "22.23.3", "24.21.0", "26.10.0"];
const PARTS = ["test/contract", "test/surface"];

const cache = fileURLToPath(new URL("../.cache/nodes", import.meta.url));

/** The folder of a version's programs. */
function installed(version) {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(cache, version);
  const bin = join(folder, "node_modules", name, "bin");
  if (existsSync(join(bin, "node"))) return bin;
  mkdirSync(folder, { recursive: true });
  const install = ["install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", `${name}@${version}`];
  const { status } = spawnSync("npm", install, { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`npm has no ${name}@${version}`);
  return bin;
}

const words = process.argv.slice(2);
const lines = words.filter((word) => /^\d+$/.test(word));
const parts = words.filter((word) => !lines.includes(word));
const results = VERSIONS.filter((version) => lines.length === 0 || lines.includes(version.split(".")[0])).map(
  (version) => {
    const bin = installed(version);
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
    console.log(`\nNode ${version}`);
    const vitest = ["node_modules/vitest/vitest.mjs", "run", ...(parts.length > 0 ? parts : PARTS)];
    const startedAt = Date.now();
    const { status } = spawnSync(join(bin, "node"), vitest, { env, stdio: "inherit" });
    return { version, ok: status === 0, seconds: Math.round((Date.now() - startedAt) / 1000) };
  },
);
console.log();
for (const { version, ok, seconds } of results)
  console.log(`Node ${version}: ${ok ? "passed" : "FAILED"} in ${seconds} s`);
process.exitCode = results.length > 0 && results.every(({ ok }) => ok) ? 0 : 1;
