// What the scripts that try real agents share: installing them, running programs, and the end of an installation of duetty.
import { execFile } from "node:child_process";
import fs from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const BIN = join(ROOT, "bin/duetty.js");
/** Installed once, for all checkouts; exact versions, so that a failure is ours or known. */
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "duetty-agents");
/** Time to install one package: 400 MB over a slow line. */
const INSTALL_MS_MAX = 600_000;
export const CALL_MS_MAX = 30_000;
/** From the answer to shutdown to the last process: a grace of two seconds, and a kill. */
const GONE_MS_MAX = 10_000;
const LOOK_MS = 100;

export async function install({ name, from }) {
  const folder = join(CACHE, from.replaceAll("/", "+"));
  const bin = join(folder, "node_modules/.bin");
  if (fs.existsSync(bin)) return bin;
  console.log(`${name}: installing ${from} …`);
  // Beside its place until it is whole.
  const half = `${folder}.${process.pid}`;
  fs.mkdirSync(half, { recursive: true });
  const args = ["install", "--prefix", half, "--no-audit", "--no-fund", from];
  const { code, stderr } = await ran("npm", args, { env: process.env, cwd: half, ms: INSTALL_MS_MAX });
  if (code === 0) fs.renameSync(half, folder);
  else fs.rmSync(half, { recursive: true, force: true });
  if (code !== 0) throw new Error(`npm install ${from}: ${stderr.slice(-500)}`);
  return bin;
}

/** How many processes of this installation were still there after it; they are ended by their ids. */
export async function shutDown(env, home) {
  await ran(process.execPath, [BIN, "shutdown"], { env, cwd: "/", ms: CALL_MS_MAX });
  const marker = `DUETTY_HOME=${home.dir}`;
  const ends = Date.now() + GONE_MS_MAX;
  let left = processesOf(marker);
  // The daemon answers before it is gone, and its agents get a moment to leave.
  while (left.length > 0 && Date.now() < ends) {
    await sleep(LOOK_MS);
    left = processesOf(marker);
  }
  for (const pid of left) {
    console.error(`left behind: ${pid} ${readable(`/proc/${pid}/cmdline`).replaceAll("\0", " ")}`);
    process.kill(Number(pid), "SIGKILL");
  }
  return left.length;
}

function processesOf(marker) {
  const all = fs.readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid);
  return all.filter((pid) => readable(`/proc/${pid}/environ`).split("\0").includes(marker));
}

function readable(path) {
  try {
    return fs.readFileSync(path, "utf8");
  } catch {
    return ""; // It is gone, or another user's.
  }
}

export function ran(file, args, { env, cwd, ms }) {
  return new Promise((done) => {
    const options = { env, cwd, timeout: ms, maxBuffer: 1 << 26, encoding: "utf8" };
    const child = execFile(file, args, options, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
    child.stdin?.end();
  });
}
