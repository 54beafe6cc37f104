// What works on this machine, found out by trying it.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { isFault } from "../../core/base/fault.ts";
import { makeGhostty } from "../../host/engine/ghostty.ts";
import { spawnPty } from "../../host/pty/pty.ts";
import type { Output } from "../../protocol/ops.ts";
import { sizeWords } from "../../protocol/plain/disk-size.ts";
import { readConfig } from "../config.ts";
import type { Context } from "./context.ts";

type Check = Output<"doctor">["checks"][number];

/** Below this a loud session fills the disk within minutes. */
const FREE_BYTES_MIN = 1 << 30;
/** Two descriptors per session, a few for the rest. */
const OPEN_FILES_MIN = 1024;

export async function examine(ctx: Context): Promise<Output<"doctor">> {
  const { home } = ctx;
  const checks: Check[] = [
    attempt("node", "Install Node 20.19 or newer.", () => process.version),
    await attemptPty(),
    attempt("screen engine", "Run npm ci again.", tryEngine),
    attempt("home is private", `Run: chmod 700 ${home.dir}`, () => privateHome(home.dir)),
    attempt("disk space", "Make room: sessions keep everything they print.", () => freeSpace(home.dir)),
    attempt("open files", `Raise it: ulimit -n ${OPEN_FILES_MIN * 4}`, openFiles),
    attempt("holder", "Run: duetty shutdown", () => `pid ${ctx.holder.pid}, version ${ctx.holder.version}`),
    attempt("page", "Run: npm run build", () => built(ctx.webRoot)),
    attempt("git", "Install git: without it no restore points are kept.", () => gitVersion()),
    boxes(ctx),
    trusted(ctx),
    readable(ctx),
    attempt("config", `Fix ${home.config}; the daemon reads it when it starts.`, () => configured(home.config)),
    given(ctx),
    await membership(ctx),
    journals(ctx),
    attempt("shell", "Set SHELL to a shell that exists.", () => shell(process.env.SHELL ?? "/bin/sh")),
  ];
  return { ok: checks.every((check) => check.ok), checks };
}

/** As it is now: a running daemon has read an earlier one. */
function configured(path: string): string {
  const { public_origins, embed_origins } = readConfig(path);
  const shown = public_origins.length > 0 ? [`also shown as ${public_origins.join(", ")}`] : [];
  const embedded = embed_origins.length > 0 ? [`pages of ${embed_origins.join(", ")} may use it with a token`] : [];
  return [...shown, ...embedded].join("; ") || "can be read";
}

function gitVersion(): string {
  return execFileSync("git", ["--version"], { encoding: "utf8", timeout: 10_000 }).trim();
}

function attempt(name: string, hint: string, run: () => string): Check {
  try {
    return { name, ok: true, detail: run(), hint: "" };
  } catch (error) {
    return { name, ok: false, detail: error instanceof Error ? error.message : String(error), hint };
  }
}

/** Without boxes agents can still work, with more questions. */
function boxes({ sandbox }: Context): Check {
  const { boxes } = sandbox;
  if (boxes.available) return { name: "box", ok: true, detail: "agents are confined by the kernel", hint: "" };
  return { name: "box", ok: false, detail: boxes.why, hint: boxes.hint };
}

function readable({ sessions, home }: Context): Check {
  const name = "sessions";
  const damaged = [...sessions.damaged].map(([id, why]) => `${id}: ${why}`);
  if (damaged.length === 0) return { name, ok: true, detail: `${sessions.list().length} can be read`, hint: "" };
  const hint = `What they printed is still in ${home.sessions}; the other sessions are whole.`;
  return { name, ok: false, detail: damaged.join("; "), hint };
}

function given({ passes, home }: Context): Check {
  const name = "links and devices";
  if (passes.damage === undefined)
    return { name, ok: true, detail: `${passes.shares.length} links, ${passes.devices.length} devices`, hint: "" };
  const hint = "Nobody gets in by what you gave away before. The next link or device begins a new file.";
  return { name, ok: false, detail: `${home.passes} cannot be read: ${passes.damage}`, hint };
}

/** Asks the fleet; nothing is loaded where there is none. */
async function membership({ members }: Context): Promise<Check> {
  const name = "fleet";
  if (!members.isUsed) return { name, ok: true, detail: "none", hint: "" };
  const fleet = await members.load();
  const { member, damage } = fleet.membership;
  if (!member && damage.length === 0) return { name, ok: true, detail: "none", hint: "" };
  const stands = await fleet.stands();
  if (isFault(stands)) return { name, ok: false, detail: stands.message, hint: stands.hint };
  const alone = stands === "unasked" ? "; the machine with its root key does not answer" : "";
  return { name, ok: true, detail: `${member?.name} at ${member?.url}${alone}`, hint: "" };
}

function journals({ sessions, care }: Context): Check {
  const all = sessions.list().map((session) => ({ id: session.id, bytes: care.diskUse(session) }));
  const largest = all.reduce((a, b) => (b.bytes > a.bytes ? b : a), { id: "none", bytes: 0 });
  const total = all.reduce((sum, { bytes }) => sum + bytes, 0);
  const detail = `${sizeWords(total)} on disk, the largest session is ${largest.id} with ${sizeWords(largest.bytes)}`;
  return { name: "journals", ok: true, detail: all.length === 0 ? "none" : detail, hint: "" };
}

function trusted({ ruleFiles }: Context): Check {
  const { folders, changed } = ruleFiles.list();
  const name = "trusted folders";
  if (changed.length === 0) return { name, ok: true, detail: `${folders.length}`, hint: "" };
  const hint = "What they allow does not count. Look at their .duetty.json, then: duetty trust FOLDER";
  return { name, ok: false, detail: `rules have changed since: ${changed.join(", ")}`, hint };
}

function attemptPty(): Promise<Check> {
  return new Promise((resolve) => {
    let output = "";
    const command = {
      file: "/bin/echo",
      args: ["ok"],
      cwd: "/",
      env: {},
      cols: 80,
      rows: 24,
      marker: "DUETTY_DOCTOR=1",
    };
    const pty = spawnPty(command, {
      bytes: (chunk) => {
        output += Buffer.from(chunk).toString();
      },
      exit: ({ code }) =>
        resolve({ name: "pty", ok: code === 0 && output === "ok\r\n", detail: "opened, ran and ended", hint: "" }),
    });
    if (isFault(pty)) resolve({ name: "pty", ok: false, detail: pty.message, hint: pty.hint });
  });
}

function tryEngine(): string {
  const engine = makeGhostty({ cols: 20, rows: 2, scrollback: 10 });
  engine.feed(new TextEncoder().encode("ok"));
  const [first] = engine.rows();
  engine.dispose();
  if (first !== "ok") throw new Error(`it shows "${first}"`);
  return "libghostty-vt";
}

function privateHome(dir: string): string {
  const mode = fs.statSync(dir).mode & 0o777;
  if (mode & 0o077) throw new Error(`${dir} has mode ${mode.toString(8)}`);
  return dir;
}

function freeSpace(dir: string): string {
  const { bavail, bsize } = fs.statfsSync(dir);
  const free = `${((bavail * bsize) / 2 ** 30).toFixed(1)} GiB free`;
  if (bavail * bsize < FREE_BYTES_MIN) throw new Error(free);
  return free;
}

function openFiles(): string {
  if (process.platform !== "linux") return "not checked here";
  const limit = Number(/Max open files\s+(\d+)/.exec(fs.readFileSync("/proc/self/limits", "utf8"))?.[1] ?? 0);
  if (limit < OPEN_FILES_MIN) throw new Error(`${limit} per process`);
  return `${limit} per process`;
}

function built(webRoot: string): string {
  if (!fs.existsSync(`${webRoot}/index.html`)) throw new Error("not built");
  return "built";
}

function shell(path: string): string {
  fs.accessSync(path, fs.constants.X_OK);
  return path;
}
