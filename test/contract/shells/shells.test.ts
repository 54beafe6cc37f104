// Every shell we integrate, real and on a real terminal: what lies between C and D is what the command printed, to the
// byte. Hooks and options of the user are in user-hooks, the agent's key in agent-key.

import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { forget, integrate, shellOf } from "../../../src/host/shell/shells.ts";
import type { ShellName } from "../../../src/protocol/words/program.ts";
import { depth } from "../../fixtures/depth.ts";
import { NativeSessions } from "../../fixtures/pty/native-sessions.ts";
import { IN_FRONT, type Launch, NONCE, Shell } from "../../fixtures/pty/shell-marks.ts";
import { seeded } from "../../fixtures/seeded.ts";
import { soon } from "../../fixtures/soon.ts";
import { command } from "../pty/pty.ts";

const sessions = NativeSessions.shared();

const SHELLS: readonly ShellName[] = ["bash", "zsh", "fish"];
const COMMANDS = depth(40, 40, 200);
/** Ends what hangs: they take ten seconds at rest. */
const MANY_MS = 600_000;

const open = (shell: ShellName, launch?: Launch) => Shell.open(sessions, shell, launch);

/** A command, what the terminal shows of it, and its status. */
function randomCommand(random: () => number): { line: string; output: RegExp | string; exit: number } {
  const below = (limit: number): number => Math.floor(random() * limit);
  const bytes = Buffer.from(Array.from({ length: below(40) }, () => below(256)));
  const octal = [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  const output = bytes.toString("latin1").replaceAll("\n", "\r\n");
  switch (below(4)) {
    case 0:
      return { line: `env printf '${octal}'`, output, exit: 0 };
    case 1: {
      const exit = below(256);
      return { line: `sh -c "env printf '${octal}'; exit ${exit}"`, output, exit };
    }
    case 2: {
      const signal = [9, 15, 1, 6][below(4)] ?? 9;
      return { line: `sh -c 'printf it; kill -${signal} $$'`, output: /^it/, exit: 128 + signal };
    }
    default:
      return { line: `echo${" word".repeat(below(30))}`, output: /^(word ?)*\r\n$/, exit: 0 };
  }
}

describe.each(SHELLS)("%s: commands", (shell) => {
  test(`${COMMANDS} random commands, typed and given, have their bytes, status and text`, {
    timeout: MANY_MS,
  }, async () => {
    const it = await open(shell, { home: { ".bashrc": "HISTCONTROL=ignoredups" } });
    const random = seeded(7);
    for (let round = 0; round < COMMANDS; round += 1) {
      const { line, output, exit } = randomCommand(random);
      const ran = round % 2 === 0 ? await it.type(line) : await it.agent(line);
      if (typeof output === "string") expect(ran.output).toBe(output);
      else expect(ran.output).toMatch(output);
      expect(ran.exit).toBe(exit);
      expect(ran.text).toBe(line);
      expect(ran.run === null).toBe(round % 2 === 0);
      expect(it.mark("133;C", it.n - 1)?.more).toMatch(round % 2 === 0 ? /^;t=\d+\.\d+$/ : /^;t=\d+\.\d+;run=r\d+$/);
    }
  });

  test("no D comes before the first prompt, and P, A and B stand in this order", async () => {
    const it = await open(shell);
    expect(it.marks.map(({ kind, n }) => [kind, n])).toEqual([
      ["633;P", 1],
      ["133;A", 1],
      ["133;B", 1],
    ]);
  });

  test("the clock is the wall clock", async () => {
    const it = await open(shell, { env: { LC_ALL: "C.UTF-8" } });
    const before = Date.now() / 1_000;
    const { seconds } = await it.type("sleep 0.2");
    expect(seconds[0]).toBeGreaterThan(before - 0.1);
    expect(seconds[1] - seconds[0]).toBeGreaterThan(0.15);
    expect(seconds[1]).toBeLessThan(Date.now() / 1_000 + 0.1);
  });

  test("an empty line and an abandoned line run nothing", async () => {
    const it = await open(shell);
    it.write("\r");
    await it.prompt(2);
    it.write("half a li");
    await it.seen.until(() => it.bytes.includes("li", it.mark("133;B", 2)?.end));
    await it.idle();
    it.write("\x03");
    await it.seen.until(() => it.marks.filter(({ kind }) => kind === "133;B").length > 2);
    expect(it.marks.some(({ kind }) => kind === "133;C")).toBe(false);
    expect((await it.type("echo on")).output).toBe("on\r\n");
  });

  test("Ctrl-C ends the running command, Ctrl-Z and fg work, and exit ends the shell", async () => {
    const it = await open(shell);
    const n = it.n;
    it.write(`sh -c '${IN_FRONT}; echo up; exec sleep 60'\r`);
    await it.seen.until(() => it.bytes.includes("up\r\n", it.mark("133;C", n)?.end ?? Infinity));
    it.write("\x03");
    await it.prompt(n + 1);
    expect(it.ran(n).exit).toBe(130);
    // exec: a stop that meets a vfork of sh leaves it waiting for a child that is stopped as well.
    it.write(`sh -c '${IN_FRONT}; echo up; exec sleep 60'\r`);
    await it.seen.until(() => it.bytes.includes("up\r\n", it.mark("133;C", n + 1)?.end ?? Infinity));
    it.write("\x1a");
    await it.prompt(n + 2);
    expect(it.ran(n + 1).output).toContain("up\r\n");
    it.write("fg\r");
    await it.seen.until(() => it.mark("133;C", n + 2) !== undefined);
    await soon(() => expect(["sleep", "sh"]).toContain(it.pty.foreground()?.name));
    it.pty.signal("SIGKILL");
    await it.prompt(n + 3);
    // fish's fg tells nothing of how the job ended.
    expect(it.ran(n + 2).exit).toBe(shell === "fish" ? 0 : 137);
    it.write("exit 5\r");
    expect((await it.seen.exited()).code).toBe(5);
  });

  test("a background job that ends at the prompt or during a command does not disturb later commands", async () => {
    const it = await open(shell);
    expect((await it.type("sleep 0.1 &")).exit).toBe(0);
    expect((await it.type("sleep 0.2")).exit).toBe(0);
    await it.type("sleep 0.05 &");
    await it.idle();
    expect(await it.agent("echo on")).toMatchObject({ output: "on\r\n", exit: 0 });
  });

  test("a shell started by hand prints no marks", async () => {
    const it = await open(shell);
    it.write(`${shell}\r`);
    await it.seen.until(() => it.mark("133;C", 1) !== undefined);
    it.write("echo in''side\r");
    await it.seen.untilText("inside\r\n");
    it.write("exit 3\r");
    await it.prompt(2);
    expect(
      it.marks
        .filter(({ n }) => n === 1)
        .map(({ kind }) => kind)
        .slice(-3),
    ).toEqual(["633;E", "133;C", "133;D"]);
    expect(it.ran(1).exit).toBe(3);
    it.write("exec ls /\r");
    expect((await it.seen.exited()).code).toBe(0);
  });

  test("the environment and the arguments have nothing of ours, and the folder is private", async () => {
    const it = await open(shell);
    expect(statSync(it.dir).mode & 0o777).toBe(0o700);
    forget(it.dir);
    const env = (await it.type("env")).output;
    expect(env).not.toMatch(new RegExp(`${NONCE}|duetty_(?!SESSION_ID)|ZDOTDIR|PROMPT_COMMAND`));
    const line = (await it.type(shell === "fish" ? "cat /proc/$fish_pid/cmdline" : "cat /proc/$$/cmdline")).output;
    expect(line).not.toContain(NONCE);
    expect((await it.agent("echo still")).output).toBe("still\r\n");
  });

  test("a folder's strange name is escaped", async () => {
    const it = await open(shell);
    await it.type("mkdir 'a;b\\c é'; cd 'a;b\\c é'");
    const folder = Buffer.from(it.mark("633;P", it.n)?.body ?? "", "latin1").toString();
    expect(folder).toBe(`Cwd=${join(sessions.folder, "a\\x3bb\\\\c é")}`);
    await it.type("cd ..; rm -r 'a;b\\c é'");
  });
});

describe("integrated commands", () => {
  test.each([
    ["bash", [], "bash"],
    ["/bin/bash", ["-i"], "bash"],
    ["bash", ["-il", "--norc", "--rcfile", "x", "-o", "vi"], "bash"],
    ["zsh", ["-l"], "zsh"],
    ["fish", ["--no-config", "-i"], "fish"],
    ["bash", ["-c", "ls"], null],
    ["bash", ["script.sh"], null],
    ["bash", ["-r"], null],
    ["zsh", ["-f"], null],
    ["zsh", ["-o", "no_rcs"], null],
    ["fish", ["-c", "ls"], null],
    ["sh", [], null],
    ["vim", [], null],
  ])("%s %j is %s", (file, args, shell) => {
    expect(shellOf(file, args)).toBe(shell);
  });

  test("only the daemon's user can read the files", () => {
    const dir = join(sessions.folder, "modes");
    for (const shell of SHELLS) integrate(command(shell), { shell, nonce: NONCE, dir });
    for (const name of ["start.bash", ".zshrc", "start.fish"])
      expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
  });
});
