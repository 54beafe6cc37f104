// What the tests need besides Node: real programs and files (programs.mjs lists them). Missing ones are installed from Debian's
// packages when that is permitted; otherwise a clear message says what to install. Peers of ours from npm (test/peers)
// have a lock of their own.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { isDebian, missing } from "./programs.mjs";

/** The end of what apt prints names the packages that failed, and why. */
const APT_LINES = 20;

const packagesOf = (lacks) => [...new Set(lacks.map(({ pkg }) => pkg))];

/** Says what apt said when it failed: dpkg's reasons are in its normal output. */
function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, stdout, stderr } = spawnSync("apt-get", args, { env, encoding: "utf8", maxBuffer: 1 << 26 });
  if (status !== 0) console.error(`${stdout}${stderr}`.split("\n").slice(-APT_LINES).join("\n"));
}

const before = missing();
if (before.length > 0) {
  if (isDebian() && process.getuid?.() === 0) {
    console.log(`installing ${packagesOf(before).join(" ")} for the tests …`);
    apt("update", "-qq");
    apt("install", "-y", "-qq", "--no-install-recommends", ...packagesOf(before));
  }
  const still = missing();
  if (still.length > 0) {
    const names = still.map(({ name, pkg }) => `${name} (package ${pkg})`).join(", ");
    console.error(`The tests need what is not installed: ${names}.`);
    console.error(`On Debian: sudo apt-get install ${packagesOf(still).join(" ")}`);
    process.exit(1);
  }
}

const PEERS = "test/peers";
const installed = `${PEERS}/node_modules/.installed`;
const wanted = readFileSync(`${PEERS}/package-lock.json`, "utf8");
if (!existsSync(installed) || readFileSync(installed, "utf8") !== wanted) {
  console.log("installing the programs that the tests run against …");
  const npm = spawnSync("npm", ["ci", "--loglevel=error"], { cwd: PEERS, stdio: ["ignore", "ignore", "inherit"] });
  if (npm.status !== 0) {
    console.error(`npm ci failed in ${PEERS}: the tests need what it lists.`);
    process.exit(1);
  }
  writeFileSync(installed, wanted);
}
