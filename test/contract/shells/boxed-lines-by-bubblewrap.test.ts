// A boxed line in a person's shell where our own maker of boxes does not work: bash starts bubblewrap for it.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
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
import { Shell } from "../../fixtures/pty/shell-marks.ts";

const sessions = NativeSessions.shared();
const folder = realpathSync(sessions.folder);
const root = join(folder, "root");
mkdirSync(join(root, "sub"), { recursive: true });
copyFileSync(fileURLToPath(new URL("../../fixtures/box/stops.py", import.meta.url)), join(root, "stops.py"));

const home = homeOf({ DUETTY_HOME: join(folder, "duetty") });
prepareHome(home);
const settings = { network: [], roots: [], masks: [], limits: NO_LIMITS };
const PATH = withoutPerl();
const sandbox = new Sandbox(home, settings, { homeFolder: join(folder, "person"), path: PATH });
const SHELLS: readonly ShellName[] = ["bash", "zsh", "fish"];

describe.each(SHELLS)("%s: a line that bubblewrap boxes", (shell) => {
  test("runs inside, with its exit code and its folder; secrets and descriptors stay outside", async () => {
    const env = { MY_TOKEN: "s3cret", "npm_config_//x/:_auth": "s3cret", KEEP: "kept", PATH };
    const it = await Shell.open(sessions, shell, { env });
    await it.type(`cd ${root}`);
    writeFileSync(join(it.home, "secret"), "s3cret");
    if (shell !== "fish") await it.type(`exec 5<${it.home}/secret`);
    it.layBox(sandbox, root);
    const text = "touch /etc/duetty-no; echo $KEEP; env; ls -l /proc/self/fd; cd sub; sh -c 'exit 37'";
    const ran = await it.agent(text, " boxed");
    expect(ran).toMatchObject({ exit: 37, text, output: expect.stringContaining("Read-only file system") });
    expect(ran.output).toContain("kept\r\n");
    expect(ran.output).not.toMatch(/s3cret|\/secret/);
    expect(existsSync("/etc/duetty-no")).toBe(false);
    expect((await it.type("pwd")).output).toBe(`${root}/sub\r\n`);
  });

  test("S7: cannot stop its own job, so nobody is left behind who reads the terminal", async () => {
    const it = await Shell.open(sessions, shell, { env: { PATH } });
    await it.type(`cd ${root}`);
    const { n } = it;
    const file = `stolen-${shell}`;
    it.layBox(sandbox, root);
    await it.key(`python3 stops.py SIGSTOP ${file}`, undefined, " boxed");
    await it.prompt(n + 1);
    // bubblewrap answers some milliseconds before its box is gone.
    await expect.poll(() => running(file)).toEqual([]);
    expect((await it.type("echo mine; jobs")).output).toMatch(/^mine\r\n(?!.*stops)/);
    expect(readFileSync(join(root, file), "utf8")).toBe("");
  });
});

/** All programs but the one that makes our own boxes. */
function withoutPerl(): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  for (const from of (process.env.PATH ?? "").split(":").filter((path) => existsSync(path)))
    for (const name of readdirSync(from))
      if (name !== "perl" && !existsSync(join(bin, name))) symlinkSync(realpathSync(join(from, name)), join(bin, name));
  return bin;
}

/** Processes with this word. */
function running(word: string): string[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && wordsOf(name).includes(word));
}

function wordsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    // It is gone.
    return [];
  }
}
