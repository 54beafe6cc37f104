// What the tests need besides Node: real programs. Missing ones are installed from Debian's packages when that is
// permitted; otherwise a clear message says what to install. Peers of ours from npm (test/peers) have a lock of their own.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const NEEDS = {
  chromium: "chromium",
  vim: "vim",
  gdb: "gdb",
  htop: "htop",
  less: "less",
  tmux: "tmux",
  git: "git",
  python3: "python3",
  bash: "bash",
  zsh: "zsh",
  fish: "fish",
  bwrap: "bubblewrap",
  make: "make",
  pytest: "python3-pytest",
  setsid: "util-linux",
  ps: "procps",
};

const found = (program) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
const missing = () => Object.entries(NEEDS).filter(([program]) => !found(program));

const before = missing();
if (before.length > 0) {
  const packages = [...new Set(before.map(([, name]) => name))];
  const permitted = process.platform === "linux" && process.getuid?.() === 0 && found("apt-get");
  if (permitted) {
    console.log(`installing ${packages.join(" ")} for the tests …`);
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const apt = (...args) => spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"], env });
    apt("update", "-qq");
    apt("install", "-y", "-qq", "--no-install-recommends", ...packages);
  }
  const still = missing();
  if (still.length > 0) {
    const names = still.map(([program, name]) => `${program} (package ${name})`).join(", ");
    console.error(`The tests need programs that are not installed: ${names}.`);
    console.error(`On Debian: sudo apt-get install ${[...new Set(still.map(([, name]) => name))].join(" ")}`);
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
