// Records test/fixtures/homes/VERSION: a small home as a built checkout leaves it (journals, blocks, screens, events, a
// conversation) and what that checkout says about it afterwards. Usage: node scripts/record-home.mjs CHECKOUT. Runs in name
// spaces of its own (bubblewrap), as ada on a machine called demo, so that nothing in it knows this machine. Without tokens.
import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { FakeProvider } from "../test/fixtures/model/fake-provider.mjs";

const HOMES = fileURLToPath(new URL("../test/fixtures/homes/", import.meta.url));
const ADA = "/home/ada";
const CHECKOUT = "/opt/duetty";
const STATE = `${ADA}/state`;
/** Nothing that answers a reader, and no secret. */
const LEFT_OUT = ["person.token", "agent.token", "run"];
const FILES = {
  ".bashrc": "PS1='\\w> '\n",
  ".zshrc": "PROMPT='%~> '\nHISTSIZE=100\n",
  ".config/fish/config.fish": "function fish_prompt; echo -n (prompt_pwd)'> '; end\nset -g fish_greeting\n",
  "app/notes.txt": Array.from({ length: 60 }, (_, i) => `note ${i + 1}: nothing is lost\n`).join(""),
};
const ENVIRONMENT = {
  HOME: ADA,
  USER: "ada",
  LOGNAME: "ada",
  LANG: "C.UTF-8",
  TZ: "UTC",
  TERM: "xterm-256color",
  SHELL: "/bin/bash",
  PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  DUETTY_HOME: STATE,
};

if (process.argv[2] === "--inside") await inside();
else outside(resolve(process.argv[2] ?? "."));

function outside(checkout) {
  const { version } = JSON.parse(fs.readFileSync(join(checkout, "package.json"), "utf8"));
  const target = join(HOMES, version);
  fs.rmSync(target, { recursive: true, force: true });
  fs.mkdirSync(target, { recursive: true });
  const here = fileURLToPath(new URL("..", import.meta.url));
  const binds = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/home"];
  const mounts = ["--tmpfs", "/opt", "--ro-bind", checkout, CHECKOUT, "--ro-bind", here, "/opt/recorder"];
  const spaces = ["--unshare-pid", "--unshare-uts", "--unshare-ipc", "--hostname", "demo", "--die-with-parent"];
  const env = Object.entries(ENVIRONMENT).flatMap(([name, value]) => ["--setenv", name, value]);
  const program = [process.execPath, "/opt/recorder/scripts/record-home.mjs", "--inside"];
  const all = [...binds, ...mounts, "--bind", target, "/opt/home", ...spaces, "--clearenv", ...env];
  execFileSync("bwrap", [...all, "--chdir", "/", "--", ...program], { stdio: "inherit" });
  checkNothingPrivate(target);
}

async function inside() {
  for (const [name, text] of Object.entries(FILES)) write(join(ADA, name), text);
  fs.mkdirSync(STATE, { mode: 0o700 });
  write(join(STATE, "person.token"), `${randomBytes(32).toString("hex")}\n`);
  write(join(STATE, "agent.token"), `${randomBytes(32).toString("hex")}\n`);
  const provider = await FakeProvider.start(askedModel);
  Object.assign(process.env, { ANTHROPIC_API_KEY: "sk-test", ANTHROPIC_BASE_URL: provider.url });
  await cutOff();
  await personInBash();
  await agentAsks();
  await conversation();
  await vimInZsh();
  await killedFish();
  await duetty("shutdown");
  await kept();
  await provider[Symbol.asyncDispose]();
}

/** The built CLI, as the person. */
function duetty(...args) {
  const env = { ...process.env, DUETTY_TOKEN: fs.readFileSync(join(STATE, "person.token"), "utf8").trim() };
  return cli(env, args);
}

function agent(...args) {
  return cli(process.env, [...args, "--as", "agent:robin"]);
}

function cli(env, args) {
  return new Promise((done) => {
    const options = { env, cwd: `${ADA}/app`, encoding: "utf8", maxBuffer: 1 << 26 };
    const child = execFile(process.execPath, [`${CHECKOUT}/bin/duetty.js`, ...args], options, (error, stdout, stderr) =>
      done({ code: error ? error.code : 0, stdout, stderr }),
    );
    child.stdin.end();
  });
}

async function json(...args) {
  const { stdout, stderr } = await duetty(...args, "--json");
  if (stdout === "") throw new Error(`${args.join(" ")}: ${stderr}`);
  return JSON.parse(stdout);
}

async function open(name, shell, ...flags) {
  const { session_id } = await json(
    "open",
    "--name",
    name,
    "--shell",
    `/usr/bin/${shell}`,
    "--cwd",
    `${ADA}/app`,
    ...flags,
  );
  await duetty("wait", name, "--prompt");
  return session_id;
}

/** Typed, and waited for. */
async function type(name, text, ...wait) {
  const { stdout, stderr, code } = await duetty("send", name, "--text", text, ...wait);
  if (code !== 0) throw new Error(`${text}: ${stdout}${stderr}`);
}

/** A session that ran when daemon and holder were killed. */
async function cutOff() {
  await open("cut", "bash", "--cols", "60", "--rows", "12");
  await type("cut", "seq 3; echo before the cut\n", "--wait-block-end");
  await type("cut", "sleep 600\n");
  const { daemon, holder } = await json("status");
  // The newest screen is written in its own pace.
  await delay(1_500);
  for (const { pid } of [daemon, holder]) process.kill(pid, "SIGKILL");
  await delay(500);
}

async function personInBash() {
  await open("web", "bash", "--cols", "80", "--rows", "24");
  for (const line of ["echo one", "false", "printf '\\033[1;32mgreen\\033[m zwölf 漢字 🙂\\n'", "seq 1 40", "cd /tmp"])
    await type("web", `${line}\n`, "--wait-block-end");
  await type("web", "cd -\n", "--wait-block-end");
  await type("web", "less notes.txt\n", "--wait-text", "note 20");
  await type("web", " ", "--wait-text", "note 30");
  await duetty("resize", "web", "100", "30");
  await duetty("wait", "web", "--settled", "300");
  await type("web", "q", "--wait-block-end");
}

/** One line of an agent is allowed, one is not, one needs nobody. */
async function agentAsks() {
  await duetty("release", "web");
  await agent("run", "web", "pwd");
  for (const [line, answer] of [
    ["touch made", ["approve"]],
    ["rm notes.txt", ["deny", "--reason", "keep the notes"]],
  ]) {
    const ran = agent("run", "web", line);
    let asked;
    while (!asked) [asked] = (await json("approvals")).approvals;
    const [verb, ...more] = answer;
    await duetty(verb, asked.approval_id, ...more);
    await ran;
  }
}

function askedModel({ messages }) {
  const results = messages.filter(({ role }) => role === "tool").length;
  if (results === 0) return { text: "I look first.", calls: [{ name: "run_command", args: { command: "ls" } }] };
  return { text: "There are **two** files." };
}

async function conversation() {
  const { code, stderr } = await duetty("ask", "--session", "web", "which files are here?");
  if (code !== 0) throw new Error(stderr);
}

async function vimInZsh() {
  await open("tools", "zsh", "--cols", "70", "--rows", "16");
  await type("tools", "echo from zsh; (exit 7)\n", "--wait-block-end");
  await type("tools", "vim -u NONE -i NONE -n -N notes.txt\n", "--wait-text", "note 5");
  await type("tools", "Gohello from vim\u001b:w\n", "--wait-text", "written");
  await type("tools", ":q\n", "--wait-block-end");
  await type("tools", "tail -2 notes.txt\n", "--wait-block-end");
  await type("tools", "exit 3\n", "--wait-exit");
}

async function killedFish() {
  await open("fishy", "fish", "--cols", "80", "--rows", "24");
  await type("fishy", "echo from fish; false\n", "--wait-block-end");
  await type("fishy", "seq 5 | tail -1\n", "--wait-block-end");
  const { sessions } = await json("ls");
  process.kill(sessions.find(({ name }) => name === "fishy").pid, "SIGKILL");
  await duetty("wait", "fishy", "--exit");
}

/** The files first; what is said about them comes from another process, which may write. */
async function kept() {
  await delay(1_000);
  // A cut-off session leaves FIFOs, which no repository can hold.
  const isKept = (path) => !LEFT_OUT.includes(path.slice(STATE.length + 1)) && !fs.lstatSync(path).isFIFO();
  fs.cpSync(STATE, "/opt/home/state", { recursive: true, filter: isKept });
  fs.writeFileSync("/opt/home/golden.json", `${JSON.stringify(await golden(), null, 1)}\n`);
  await duetty("shutdown");
}

/** As test/surface/kept-home.test.ts asks it. */
async function golden() {
  const { sessions } = await json("ls", "--all");
  const all = {};
  for (const { session_id, name } of sessions)
    all[name] = {
      session: (await json("status", session_id)).session,
      screen: await json("see", session_id, "--scrollback", "200"),
      after_first_command: await json("see", session_id, "--at", "block:1"),
      blocks: (await json("blocks", session_id)).blocks,
      report: await json("report", session_id),
      cast: (await duetty("export", session_id, "--cast")).stdout,
      text: (await duetty("export", session_id, "--text")).stdout,
      conversation: (await json("conversation", session_id)).events,
    };
  return { sessions: all, search: (await json("search", "note 3")).matches };
}

/** Recordings must not tell about the machine that made them. */
function checkNothingPrivate(target) {
  const here = [fs.readFileSync("/etc/hostname", "utf8").trim(), "/work/", "/root/", "sk-test"];
  for (const entry of fs.readdirSync(target, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = fs.readFileSync(join(entry.parentPath, entry.name), "latin1");
    for (const word of here) if (text.includes(word)) throw new Error(`${entry.parentPath}/${entry.name} has ${word}`);
  }
}

function write(path, text) {
  fs.mkdirSync(dirname(path), { recursive: true });
  fs.writeFileSync(path, text, { mode: 0o600 });
}
