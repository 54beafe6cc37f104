// What the tests need besides Node: real programs (programs.mjs lists them). Missing ones are installed from Debian's
// packages when that is permitted; otherwise a clear message says what to install. Peers of ours from npm (test/peers)
// have a lock of their own.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { isDebian, missingPrograms } from "./programs.mjs";

const packagesOf = (programs) => [...new Set(programs.map(({ pkg }) => pkg))];

const before = missingPrograms();
if (before.length > 0) {
  if (isDebian() && process.getuid?.() === 0) {
    console.log(`installing ${packagesOf(before).join(" ")} for the tests …`);
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const apt = (...args) => spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"], env });
    apt("update", "-qq");
    apt("install", "-y", "-qq", "--no-install-recommends", ...packagesOf(before));
  }
  const still = missingPrograms();
  if (still.length > 0) {
    const names = still.map(({ program, pkg }) => `${program} (package ${pkg})`).join(", ");
    console.error(`The tests need programs that are not installed: ${names}.`);
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
