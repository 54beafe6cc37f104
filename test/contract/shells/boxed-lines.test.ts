// A boxed line in a person's shell: it runs in the box, and to the shell and its user it is a line like any other. The box
// here is a small one of its own; what a real one refuses is shown where it is made.

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { prepareHome } from "../../../src/host/disk/home.ts";
import { Sandbox } from "../../../src/host/sandbox/sandbox.ts";
import { homeOf } from "../../../src/protocol/plain/home.ts";
import type { ShellName } from "../../../src/protocol/words/program.ts";
import { NO_LIMITS } from "../../fixtures/box/box.ts";
import { NativeSessions } from "../../fixtures/pty/native-sessions.ts";
import { IN_FRONT, type Launch, type Ran, Shell } from "../../fixtures/pty/shell-marks.ts";

const sessions = NativeSessions.shared();
const folder = realpathSync(sessions.folder);
const root = join(folder, "root");
mkdirSync(join(root, "sub/deep"), { recursive: true });
symlinkSync("/etc", join(root, "outside"));
symlinkSync(".", join(root, "named"));
mkdirSync(`${root}x`);
/** Leaves a process that reads the terminal and stops its own job. */
copyFileSync(fileURLToPath(new URL("../../fixtures/box/stops.py", import.meta.url)), join(root, "stops.py"));

const home = homeOf({ DUETTY_HOME: join(folder, "duetty") });
prepareHome(home);
const settings = { network: [], roots: [], masks: [], limits: NO_LIMITS };
const sandbox = new Sandbox(home, settings, { homeFolder: join(folder, "person"), path: process.env.PATH ?? "" });
const SHELLS: readonly ShellName[] = ["bash", "zsh", "fish"];

async function open(shell: ShellName, launch: Launch = {}): Promise<Shell> {
  const it = await Shell.open(sessions, shell, launch);
  await it.type(`cd ${root}`);
  return it;
}

/** An agent's boxed line. */
function boxed(it: Shell, text: string): Promise<Ran> {
  it.layBox(sandbox, root);
  return it.agent(text, " boxed");
}

/** One that goes on; resolves when it has printed this. */
async function begin(it: Shell, text: string, shown: string): Promise<void> {
  const { n } = it;
  it.layBox(sandbox, root);
  await it.key(text, undefined, " boxed");
  await it.seen.until(() => it.bytes.includes(shown, it.mark("133;C", n)?.end ?? Infinity));
}

describe.each(SHELLS)("%s: a boxed line", (shell) => {
  test("runs inside, with its exit code, its text and its block", async () => {
    const it = await open(shell);
    const text = `touch /etc/duetty-no; touch yes; sh -c 'echo $PPID >pids; exit 37'`;
    const ran = await boxed(it, text);
    expect(ran).toMatchObject({ exit: 37, text });
    expect(ran.output).toContain("Read-only file system");
    expect([existsSync(join(root, "yes")), existsSync("/etc/duetty-no")]).toEqual([true, false]);
    expect(Number(readFileSync(join(root, "pids"), "utf8"))).toBeLessThan(10);
    expect(await it.type("echo mine")).toMatchObject({ output: "mine\r\n", run: null });
  });

  test("several lines, tabs, quotes and exclamation marks arrive as they are", async () => {
    const it = await open(shell);
    const text = "  echo 'a\tb' \"!!\" !x;\necho \"é 'q' \\\\\" | cat\necho \"[$argv$1]\"\nsh -c 'exit 3'\n";
    const ran = await boxed(it, text);
    expect(Buffer.from(ran.output, "latin1").toString()).toBe("a\tb !! !x\r\né 'q' \\\r\n[]\r\n");
    expect(ran).toMatchObject({ exit: 3, text });
  });

  test("its folder comes back, by the name that the shell has for it", async () => {
    const it = await open(shell);
    await it.type(`cd ${root}/named`);
    await boxed(it, "cd sub; cd deep");
    expect((await it.type("pwd")).output).toBe(`${root}/named/sub/deep\r\n`);
    await boxed(it, "true");
    expect((await it.type("pwd")).output).toBe(`${root}/named/sub/deep\r\n`);
    expect(it.marks.findLast(({ body }) => body.startsWith("Cwd="))?.body).toBe(`Cwd=${root}/named/sub/deep`);
  });

  test.each([
    "cd /etc",
    "cd outside",
    "printf ROOT/outside >>FOLDER",
    "printf ROOT/../ >>FOLDER",
    "printf '%s' ROOTx >>FOLDER",
  ])("%s does not take the person's shell out of the roots", async (text) => {
    const it = await open(shell);
    await boxed(it, text.replace("ROOT", root).replace("FOLDER", `'${it.dir}/folder'`));
    expect((await it.type("pwd")).output).toBe(`${root}\r\n`);
  });

  test.each([
    "mkdir -p sub/nest; cd sub/nest; git init -q . 2>/dev/null || mkdir .git",
    "mkdir -p bare/objects bare/refs bare/in; echo 'ref: refs/heads/x' >bare/HEAD; cd bare/in",
    "mkdir -p env/in; ln -s /nowhere env/.envrc; cd env/in",
    "mkdir -p hg/.hg; cd hg",
  ])("C13: %s does not take the person's shell to where its prompt obeys what the line made", async (text) => {
    const it = await open(shell);
    await boxed(it, text);
    expect((await it.type("pwd")).output).toBe(`${root}\r\n`);
    await boxed(it, "cd sub/deep");
    expect((await it.type("pwd")).output).toBe(`${root}/sub/deep\r\n`);
  });

  test("S5: a line does not run for a folder that took the name of the shell's own", async () => {
    const it = await open(shell);
    const at = (name: string) => join(folder, `${shell}-${name}`);
    for (const name of ["lnk", "other"]) mkdirSync(at(name));
    await it.type(`cd ${at("lnk")}`);
    renameSync(at("lnk"), at("away"));
    symlinkSync(at("other"), at("lnk"));
    it.layBox(sandbox, at("lnk"));
    const ran = await it.agent(`touch ${at("other")}/made`, " boxed");
    expect(ran).toMatchObject({ exit: 126, output: expect.stringContaining("no longer the folder") });
    expect(existsSync(join(at("other"), "made"))).toBe(false);
  });

  test("variables and functions stay outside and inside", async () => {
    const it = await open(shell);
    await it.type(shell === "fish" ? "set -g mine 1" : "mine=1");
    expect((await boxed(it, 'echo "[$mine]"')).output).toBe("[]\r\n");
    await boxed(it, shell === "fish" ? "set -g theirs 1" : "theirs=1");
    expect((await it.type('echo "[$theirs]"')).output).toBe("[]\r\n");
  });

  test("the person's history has neither its text nor anything of ours", async () => {
    const it = await open(shell, { home: { ".zshrc": "HISTSIZE=100" } });
    await it.type("echo mine");
    await boxed(it, "echo planted");
    const entries = async () =>
      (await it.type({ bash: "history", zsh: "fc -l 1", fish: "history merge; history" }[shell])).output;
    await expect.poll(entries).toMatch(/echo mine\r\n/);
    expect(await entries()).not.toMatch(/planted|duetty-box/);
  });

  test("Ctrl+C ends a program that does not handle it", async () => {
    const it = await open(shell);
    await begin(it, `sh -c '${IN_FRONT}; echo go; exec sleep 100'`, "go");
    const { n } = it;
    it.write("\x03");
    await it.prompt(n + 1);
    expect(it.ran(n).exit).toBe(130);
    expect((await it.type("echo fine")).output).toBe("fine\r\n");
  });

  test("Ctrl+C reaches a program that handles it", async () => {
    const it = await open(shell);
    await begin(it, `sh -c '${IN_FRONT}; trap "echo caught; exit 5" INT; echo go; while :; do sleep 0.1; done'`, "go");
    const { n } = it;
    it.write("\x03");
    await it.prompt(n + 1);
    expect(it.ran(n)).toMatchObject({ output: expect.stringContaining("caught") });
  });

  test("Ctrl+Z ends it, and says so", async () => {
    const it = await open(shell);
    await begin(it, `sh -c '${IN_FRONT}; echo go; read answer; echo got $answer'`, "go");
    const { n } = it;
    it.write("\x1a");
    await it.prompt(n + 1);
    expect(it.ran(n)).toMatchObject({ exit: 137, output: expect.stringContaining("cannot be stopped") });
    expect((await it.type("jobs")).output).not.toContain("duetty-box");
    expect((await it.type("echo fine")).output).toBe("fine\r\n");
  });

  test.each([
    { signal: "SIGSTOP", key: "", exit: 1 },
    { signal: "SIGTSTP", key: "", exit: 137 },
    { signal: "SIGTTIN", key: "\x1a", exit: 137 },
  ])("S7: a line that stops its own job ($signal) leaves nobody behind who reads the terminal", async (how) => {
    const it = await open(shell);
    // The next prompt may come together with the word.
    const { n } = it;
    await begin(it, `python3 stops.py ${how.signal} ${shell}-${how.signal}`, "ready");
    it.write(how.key);
    await it.prompt(n + 1);
    expect(it.ran(n).exit).toBe(how.exit);
    for (const word of ["one", "two", "three"]) expect((await it.type(`echo ${word}`)).output).toBe(`${word}\r\n`);
    expect(readFileSync(join(root, `${shell}-${how.signal}`), "utf8")).toBe("");
  });

  test("leaves the terminal's modes as they were", async () => {
    const it = await open(shell);
    const modes = async () => (await it.type("command stty -a")).output;
    const before = await modes();
    await boxed(it, "stty -isig -echo -icanon intr ^G tostop");
    expect(await modes()).toBe(before);
  });

  test("secrets, odd variables and open descriptors of the shell stay outside", async () => {
    const env = { MY_TOKEN: "s3cret", DUETTY_SESSION_ID: "s3cret", "npm_config_//x/:_auth": "s3cret", KEEP: "kept" };
    const it = await open(shell, { env });
    writeFileSync(join(it.home, "secret"), "s3cret");
    if (shell !== "fish") await it.type(`exec 5<${it.home}/secret; exec {high}<${it.home}/secret`);
    const { output } = await boxed(it, "echo $KEEP; env; cat /proc/1/environ; ls -l /proc/1/fd /proc/self/fd");
    expect(output).toContain("kept\r\n");
    expect(output).not.toContain("s3cret");
    expect(output).not.toContain("/secret");
  });

  test("an alias or a function of that name does not take its place", async () => {
    const it = await open(shell);
    const alias = shell === "fish" ? "alias duetty-box 'echo stolen'" : "alias duetty-box='echo stolen'";
    await it.type(alias);
    expect((await boxed(it, "echo real")).output).toBe("real\r\n");
    await it.type(shell === "fish" ? "function duetty-box; echo stolen; end" : "duetty-box() { echo stolen; }");
    expect((await boxed(it, "echo real")).output).toBe("real\r\n");
  });

  test("a half-typed line is left alone", async () => {
    const it = await open(shell);
    it.layBox(sandbox, root);
    await it.edit("echo mi");
    expect((await it.key("echo theirs", "r1", " boxed")).answer).toBe("r1;busy");
    expect(await it.type("ne")).toMatchObject({ output: "mine\r\n", text: "echo mine", run: null });
    expect((await boxed(it, "echo theirs")).output).toBe("theirs\r\n");
  });

  test("an agent's Enter on a typed line runs it in the box", async () => {
    const it = await open(shell, { judge: () => "allow boxed" });
    it.layBox(sandbox, root);
    await it.edit(`touch /etc/duetty-no`);
    const ran = await it.enter();
    expect(ran).toMatchObject({ text: `touch /etc/duetty-no`, run: null });
    expect(ran?.output).toContain("Read-only file system");
  });
});

test.each(["set -e", "set -u", "set -f", "IFS=x", "set -a", "set +h", "set -x", "shopt -u promptvars", "set -o posix"])(
  "bash with %s",
  async (option) => {
    const it = await open("bash");
    await it.type(option);
    expect((await boxed(it, "cd sub; echo in*x; true")).output).toContain("in*x\r\n");
    expect((await it.type("pwd")).output).toContain(`${root}/sub\r\n`);
    expect((await it.type("echo after; set -o | grep '^history '")).output).toMatch(/after\r\n[\s\S]*history\s+\ton/);
  },
);

test("bash: a read-only function of that name does not take its place", async () => {
  const it = await open("bash");
  await it.type("duetty-box() { echo stolen; }; readonly -f duetty-box");
  expect((await boxed(it, "echo real")).output).toBe("real\r\n");
});

test.each([
  "setopt noglob",
  "setopt ksharrays",
  "setopt shwordsplit",
  "setopt extendedglob",
  "setopt errexit",
  "setopt rcquotes",
  "setopt autopushd",
  "unsetopt hashcmds",
])("zsh with %s", async (option) => {
  const it = await open("zsh");
  await it.type(option);
  expect((await boxed(it, "cd sub; echo 'it''s'; true")).output).toBe("its\r\n");
  expect((await it.type("pwd")).output).toBe(`${root}/sub\r\n`);
});

test("zsh: a line with newlines stays one boxed line, whatever zsh takes for the end of a string", async () => {
  const it = await open("zsh");
  await it.type("setopt csh_junkie_quotes");
  const text = `x='\ntouch ${folder}/outside\n'`;
  expect((await boxed(it, text)).text).toBe(text);
  expect(existsSync(join(folder, "outside"))).toBe(false);
  expect(await it.type("echo mine")).toMatchObject({ output: "mine\r\n" });
});
