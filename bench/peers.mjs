// Other programs that bring output onto a screen, each as a command that ends when all of it is there. They are installed from
// Debian's packages when that is permitted; one that is missing is left out.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const XTERM = fileURLToPath(new URL("xterm-peer.mjs", import.meta.url));
const has = (program) => spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;

/** In each of them, `command` is a shell line at 120×40. */
const PEERS = {
  // It exits with the session's program.
  screen: (command) => ["screen", "-D", "-m", "-S", `b${process.pid}`, "-c", "/dev/null", "sh", "-c", command],
  // It has no screen: it only reads and passes on.
  dtach: (command, dir) => ["dtach", "-N", join(dir, "dtach.sock"), "sh", "-c", command],
  "node-pty + @xterm/headless": (command) => [process.execPath, XTERM, command],
};

export function peers() {
  const lacks = ["screen", "dtach"].filter((name) => !has(name));
  if (lacks.length > 0 && process.getuid?.() === 0)
    spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...lacks], { stdio: "ignore" });
  return Object.entries(PEERS)
    .filter(([name]) => name.startsWith("node-pty") || has(name))
    .map(([name, argv]) => ({
      name,
      run(command, dir, env) {
        const [program, ...args] = argv(command, dir);
        const SCREENDIR = join(dir, "screens");
        mkdirSync(SCREENDIR, { recursive: true, mode: 0o700 });
        // dtach ends with 1 although all went well.
        const { error } = spawnSync(program, args, { env: { ...env, SCREENDIR }, stdio: "ignore" });
        if (error) throw error;
      },
    }));
}

/** The command line of tuistory, installed for this run. Undefined where npm cannot bring it. */
export function tuistory() {
  const folder = join(tmpdir(), "duetty-bench-tuistory");
  const cli = join(folder, "node_modules/tuistory/dist/cli.js");
  if (existsSync(cli)) return cli;
  mkdirSync(folder, { recursive: true });
  const args = ["install", "--prefix", folder, "--ignore-scripts", "--no-save", "--no-audit", "tuistory@0.10.1"];
  spawnSync("npm", args, { cwd: folder, stdio: "ignore" });
  return existsSync(cli) ? cli : undefined;
}
