// The agent's key: its text is taken whole or not at all, run once, shown and remembered as if typed.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LINE_KEY } from "../../../src/core/block/shells.ts";
import { LINE_FILE } from "../../../src/host/shell/shells.ts";
import type { ShellName } from "../../../src/protocol/words/program.ts";
import { NativeSessions } from "../../fixtures/pty/native-sessions.ts";
import { type Launch, Shell } from "../../fixtures/pty/shell-marks.ts";

const sessions = NativeSessions.shared();

const SHELLS: readonly ShellName[] = ["bash", "zsh", "fish"];

const open = (shell: ShellName, launch?: Launch) => Shell.open(sessions, shell, launch);

describe.each(SHELLS)("%s: the agent's key", (shell) => {
  test("works at the very first prompt", async () => {
    const it = await open(shell);
    expect(await it.agent("echo first")).toMatchObject({ output: "first\r\n", exit: 0, text: "echo first" });
  });

  test("several lines, tabs, quotes, exclamation marks and leading spaces arrive unchanged", async () => {
    const it = await open(shell);
    const text = "  echo 'a\tb' \"!!\" !x;\necho \"é 'q' \\\\\" | cat\nif true\n  echo yes\nend\nsh -c 'exit 3'\n";
    const given = shell === "fish" ? text : text.replace("if true", "if true; then").replace("\nend\n", "\nfi\n");
    const ran = await it.agent(given);
    expect(Buffer.from(ran.output, "latin1").toString()).toBe("a\tb !! !x\r\né 'q' \\\r\nyes\r\n");
    expect(ran).toMatchObject({ exit: 3, text: given });
  });

  test("a long text arrives whole", async () => {
    const it = await open(shell);
    const text = `echo ${"0123456789".repeat(1_000)}`;
    expect((await it.agent(text)).output).toBe(`${text.slice(5)}\r\n`);
  });

  test("a half-typed line is left alone and not run", async () => {
    const it = await open(shell);
    await it.edit("echo mi");
    expect((await it.key("echo theirs", "r1")).answer).toBe("r1;busy");
    expect(await it.type("ne")).toMatchObject({ output: "mine\r\n", run: null });
    expect(await it.agent("echo theirs")).toMatchObject({ output: "theirs\r\n" });
  });

  test("a continued line is reported as busy and goes on", async () => {
    const it = await open(shell);
    const from = it.bytes.length;
    it.write(shell === "fish" ? "if true\r" : "echo 'a\r");
    await it.seen.until(() => (shell === "fish" ? /true[\s\S]*\n/ : /'a[\s\S]*> /).test(it.bytes.slice(from)));
    expect((await it.key("echo theirs", "r1")).answer).toBe("r1;busy");
    expect((await it.type(shell === "fish" ? "echo a\recho b\rend" : "b'")).output).toBe("a\r\nb\r\n");
    expect(await it.agent("echo theirs")).toMatchObject({ output: "theirs\r\n" });
  });

  test("a program that edits a line is not a prompt", async () => {
    const it = await open(shell);
    it.write(`${{ bash: "read -ep 'ask: ' x", zsh: "vared -cp 'ask: ' x", fish: "read -P 'ask: ' x" }[shell]}\r`);
    await it.seen.until(() => it.bytes.includes("ask: ", it.mark("133;C", 1)?.end ?? Infinity));
    expect((await it.key("echo theirs", "r1")).answer).toBe("r1;busy");
    it.write("answer\r");
    await it.prompt(2);
    expect((await it.type("echo $x")).output).toBe("answer\r\n");
  });

  test("the key does nothing without a file, or when the run was already taken", async () => {
    const it = await open(shell);
    it.pty.write(LINE_KEY);
    expect((await it.type("echo none")).output).toBe("none\r\n");
    expect((await it.key("echo once", "r1")).answer).toBe("r1;taken");
    await it.prompt(3);
    it.pty.write(LINE_KEY);
    expect((await it.type("echo after")).output).toBe("after\r\n");
    rmSync(join(it.dir, LINE_FILE));
    it.pty.write(LINE_KEY);
    expect((await it.type("echo end")).output).toBe("end\r\n");
    expect(it.marks.filter(({ kind }) => kind === "633;R")).toHaveLength(1);
  });

  test("the line is in the history, and Up brings it back", async () => {
    const it = await open(shell);
    await it.agent("echo remembered");
    expect(await it.type("\x1b[A")).toMatchObject({ output: "remembered\r\n", run: null });
  });

  test("the key works with vi keys, in insert and in command mode", async () => {
    const it = await open(shell);
    await it.type({ bash: "set -o vi", zsh: "bindkey -v", fish: "fish_vi_key_bindings" }[shell]);
    expect((await it.agent("echo insert")).output).toBe("insert\r\n");
    const from = it.bytes.length;
    it.write("abc\x1b");
    await it.seen.until(() => it.bytes.includes("c", from));
    await it.idle();
    expect((await it.key("echo no", "r1")).answer).toBe("r1;busy");
    it.write("0D");
    await it.idle();
    expect((await it.agent("echo command")).output).toBe("command\r\n");
  });
});

test.each(["bash", "zsh"] as const)(
  "%s: a person's history expansion works again after the agent's line",
  async (shell) => {
    const it = await open(shell, { home: { ".zshrc": "HISTSIZE=100" } });
    await it.type("echo one");
    expect((await it.agent("echo '!!' !e")).output).toBe("!! !e\r\n");
    expect((await it.type("echo two")).output).toBe("two\r\n");
    const { output, text } = await it.type("!!");
    expect([output, text]).toEqual(["two\r\n", "echo two"]);
  },
);

test.each(["set -e", "set -u", "set -eu"])("bash and zsh: the agent's key works after %s", async (option) => {
  for (const shell of ["bash", "zsh"] as const) {
    const it = await open(shell);
    await it.type(option);
    expect((await it.agent("echo fine")).output).toBe("fine\r\n");
    expect((await it.type("! true")).exit).toBe(1);
    expect((await it.agent("echo fine")).output).toBe("fine\r\n");
  }
});
