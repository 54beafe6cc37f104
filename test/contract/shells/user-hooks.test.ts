// What users do to their shells, and the marks that survive it: prompts, hooks, options, traps, start files.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ShellName } from "../../../src/protocol/words/program.ts";
import { NativeSessions } from "../../fixtures/pty/native-sessions.ts";
import { type Launch, type Mark, Shell } from "../../fixtures/pty/shell-marks.ts";

const sessions = NativeSessions.shared();

const open = (shell: ShellName, launch?: Launch) => Shell.open(sessions, shell, launch);

/** What the user's hooks and prompt printed for the prompt that stands now. */
function between(it: Shell, from: (mark: Mark) => boolean, to: (mark: Mark) => boolean): string {
  const start = it.marks.find(from)?.end ?? 0;
  return it.bytes.slice(start, it.marks.find((mark) => to(mark) && mark.start >= start)?.start);
}

const hooks = (it: Shell): string =>
  between(
    it,
    ({ kind, n }) => kind === "133;D" && n === it.n - 1,
    ({ kind }) => kind === "633;P",
  );
const prompt = (it: Shell): string =>
  between(
    it,
    ({ kind, n }) => kind === "133;A" && n === it.n,
    ({ kind }) => kind === "133;B",
  );

/** The marks still work, for a person and for an agent. */
async function healthy(it: Shell): Promise<void> {
  expect(await it.type("echo typed")).toMatchObject({ output: "typed\r\n", exit: 0 });
  expect(await it.agent("echo given; sh -c 'exit 9'")).toMatchObject({ output: "given\r\n", exit: 9 });
}

describe("bash", () => {
  const home = {
    ".bashrc":
      "PROMPT_COMMAND='echo hook $?; PS1=\"<$?> \"'\nPS0='[user ps0]'\nHISTCONTROL=ignoredups\nalias printf=false",
  };

  test("hooks see the exit status and run after D; PS1 may be rebuilt each time; PS0 is kept", async () => {
    const it = await open("bash", { home });
    const ran = await it.type("sh -c 'exit 4'");
    expect(ran).toMatchObject({ exit: 4, output: "" });
    expect(hooks(it)).toBe("hook 4\r\n");
    expect(prompt(it)).toContain("<0> ");
    expect(it.bytes).toContain("[user ps0]\x1b]633;E;");
    await healthy(it);
  });

  test.each([
    ["PROMPT_COMMAND='echo new $?'", "new 1\r\n"],
    ['PROMPT_COMMAND="echo new; $PROMPT_COMMAND"', "new\r\nhook 0\r\n"],
    ["PROMPT_COMMAND=('echo one $?' 'echo two $?')", "one 1\r\ntwo 1\r\n"],
    ["PROMPT_COMMAND+=('echo more $?')", "hook 1\r\nmore 1\r\n"],
    ["unset PROMPT_COMMAND", ""],
    ["PROMPT_COMMAND=", ""],
  ])("%s at the prompt", async (line, expected) => {
    const it = await open("bash", { home });
    // Where the whole list was replaced it takes two prompts until its output is out of our way.
    for (const once of [line, "true"]) expect(await it.type(once)).toMatchObject({ exit: 0 });
    expect((await it.type("false")).output).toBe("");
    expect((await it.type("false")).text).toBe("false");
    expect(hooks(it)).toBe(expected);
    await healthy(it);
    expect(await it.type("echo last")).toMatchObject({ text: "echo last" });
  });

  test.each([
    "PS1='new> '",
    'PS1="$PS1 more "',
    "PROMPT_DIRTRIM=1 PS1='\\w $ '",
    "shopt -u promptvars",
    "PS0=",
    "set -a",
    "set -C",
    "set -f; IFS=0123456789",
    "set -o posix",
    "trap 'echo dbg >/dev/null' DEBUG",
  ])("%s", async (line) => {
    const it = await open("bash");
    await it.type(line);
    await healthy(it);
    await healthy(it);
    expect((await it.type("env")).output).not.toMatch(/__duetty|0123456789abcdef/);
  });

  test("a DEBUG trap prints before the command, never before D", async () => {
    const it = await open("bash");
    await it.type("trap 'echo dbg' DEBUG");
    expect((await it.type("echo x")).output).toBe("dbg\r\nx\r\n");
  });

  test("set -x shows none of our commands", async () => {
    const it = await open("bash");
    await it.type("set -x");
    expect((await it.type("echo x")).output).toBe("+ echo x\r\nx\r\n");
    expect((await it.agent("echo y")).output).toBe("+ echo y\r\ny\r\n");
    expect(it.bytes.replace(/\x1b\][^\x07]*\x07/g, "")).not.toContain("__duetty");
  });

  test("a line that is not stored has no text; a duplicate has its own", async () => {
    const it = await open("bash", { home: { ".bashrc": "HISTCONTROL=ignorespace\nHISTIGNORE='ls*'" } });
    await it.type("echo seen");
    for (const line of [" echo secret", "ls /dev/null"]) expect((await it.type(line)).text).toBeNull();
    expect((await it.type("HISTIGNORE= HISTCONTROL=ignoredups")).text).toContain("HISTIGNORE=");
    for (const _ of [1, 2]) expect((await it.type("echo same")).text).toBe("echo same");
    await it.type("HISTCONTROL=erasedups");
    for (const _ of [1, 2]) expect((await it.type("echo same")).text).toBe("echo same");
    await it.type("HISTCONTROL=ignoreboth");
    for (const _ of [1, 2]) await it.type("echo same");
    expect(it.marks.filter(({ kind }) => kind === "633;E").at(-1)).toMatchObject({
      body: "echo same",
      more: ";maybe=1",
    });
    await it.type("set +o history");
    expect((await it.type("echo off")).text).toBeNull();
  });

  test("a paste of several lines is one cycle", async () => {
    const it = await open("bash");
    const ran = await it.type("\x1b[200~echo a\nsh -c 'exit 2'\necho b\x1b[201~");
    expect(ran).toMatchObject({ output: "a\r\nb\r\n", exit: 0 });
    await healthy(it);
  });

  test("here-documents and compound commands have their text", async () => {
    const it = await open("bash");
    const n = it.n;
    it.write("cat <<X\rhi;\rX\r");
    await it.prompt(n + 1);
    expect(it.ran(n)).toMatchObject({ output: "hi;\r\n", text: "cat <<X\nhi;\nX\n" });
    expect(await it.type("true && { echo b; (exit 7); }")).toMatchObject({ exit: 7, output: "b\r\n" });
  });

  test("login, --norc and --rcfile read what bash would", async () => {
    const files = { ".bash_profile": "echo profile", ".bashrc": "echo rc", other: "echo other" };
    const login = await open("bash", { args: ["-l"], home: files });
    expect(login.bytes).toMatch(/profile\r\n/);
    await healthy(login);
    const bare = await open("bash", { args: ["--norc"], home: files });
    expect(bare.bytes).not.toContain("rc\r\n");
    await healthy(bare);
    const other = join(sessions.folder, "other");
    writeFileSync(other, files.other);
    const asked = await open("bash", { args: ["--rcfile", other], home: files });
    expect(asked.bytes).toMatch(/^other\r\n/);
    await healthy(asked);
  });
});

describe("zsh", () => {
  const home = {
    ".zshenv": "export FROM_ENV=1",
    ".zshrc": `precmd() { print "precmd $?" }\nhook() { print "hook $?"; PROMPT="rebuilt> " }\nprecmd_functions+=(hook)
preexec() { print "preexec" }\nalias -g print=false\nsetopt no_prompt_sp`,
  };

  test("precmd and the hooks see the exit status and run after D; preexec runs before C", async () => {
    const it = await open("zsh", { home: { ...home, ".zshrc": home[".zshrc"].replace("alias -g print=false", "") } });
    expect(await it.type("sh -c 'exit 4'")).toMatchObject({ exit: 4, output: "" });
    expect(hooks(it)).toBe("precmd 4\r\nhook 4\r\n");
    expect(prompt(it)).toContain("rebuilt> ");
    expect(it.bytes).toContain("preexec\r\n\x1b]633;E;");
    expect((await it.type("echo $FROM_ENV; env | grep -c ZDOT")).output).toBe("1\r\n0\r\n");
    await healthy(it);
  });

  test.each([
    'PROMPT="new%# "',
    'PROMPT="x $PROMPT"',
    "precmd_functions=()",
    "preexec_functions=()",
    "unset precmd_functions preexec_functions",
    "unfunction precmd",
    "precmd() { true }",
    "setopt no_prompt_subst",
    "setopt ksh_arrays sh_word_split",
    "emulate sh",
    "emulate -R sh; emulate zsh",
    "emulate ksh",
    "setopt all_export warn_create_global no_clobber",
    "alias -g echo=echo",
    "bindkey -d",
    "RPROMPT=right",
  ])("%s", async (line) => {
    const it = await open("zsh", { home: { ".zshrc": "HISTSIZE=100" } });
    await it.type(line);
    await healthy(it);
    await healthy(it);
    expect((await it.type("export PS1; env")).output).not.toMatch(/__duetty|0123456789abcdef/);
  });

  test("PROMPT_SP comes after D, as zsh prints it", async () => {
    const it = await open("zsh");
    expect((await it.type("printf abc")).output).toBe("abc");
    expect(hooks(it)).toBe(
      `\x1b[1m\x1b[7m${process.getuid?.() === 0 ? "#" : "%"}\x1b[27m\x1b[1m\x1b[0m${" ".repeat(79)}\r \r`,
    );
  });

  test("set -x shows none of our commands", async () => {
    const it = await open("zsh", { home: { ".zshrc": "precmd() { true }" } });
    await it.type("PS4='+ '; set -x");
    expect((await it.type("echo x")).output).toBe("+ echo x\r\nx\r\n");
    expect((await it.agent("echo y")).output).toBe("+ echo y\r\ny\r\n");
    expect(it.bytes.replace(/\x1b\][^\x07]*\x07/g, "")).not.toContain("__duetty");
  });

  test("the user's ZDOTDIR is respected, from the environment and from .zshenv; a login shell reads .zprofile", async () => {
    const folder = join(sessions.folder, "zdot");
    const it = await open("zsh", {
      args: ["-l"],
      home: { ".zshenv": "ZDOTDIR=$HOME/z", "z/.zprofile": "print profile", "z/.zshrc": "print rc" },
    });
    expect(it.bytes).toMatch(/^profile\r\nrc\r\n/);
    expect((await it.type("echo $ZDOTDIR; env | grep -c ZDOT")).output).toBe(`${it.home}/z\r\n0\r\n`);
    const other = await open("zsh", { env: { ZDOTDIR: folder } });
    expect((await other.type("env | grep ZDOT")).output).toBe(`ZDOTDIR=${folder}\r\n`);
    await healthy(other);
  });

  test("a paste of several lines is one cycle", async () => {
    const it = await open("zsh");
    expect(await it.type("\x1b[200~echo a\necho b\x1b[201~")).toMatchObject({
      output: "a\r\nb\r\n",
      text: "echo a\necho b",
    });
  });
});

describe("fish", () => {
  const config = `set fish_greeting
function fish_prompt; set -l s $status $pipestatus; echo "$s> "; end
function fish_right_prompt; echo right; end
function after --on-event fish_postexec; echo "post $status"; end
function before --on-event fish_preexec; echo pre; end`;

  test("the user's events run before C and after D; the prompt sees the exit status", async () => {
    const it = await open("fish", { home: { ".config/fish/config.fish": config } });
    expect(await it.type("sh -c 'exit 4' | sh -c 'exit 5'")).toMatchObject({ exit: 5, output: "" });
    expect(hooks(it)).toMatch(/^post 5\r\n/);
    expect(prompt(it)).toContain("5 4 5> ");
    await healthy(it);
  });

  test.each([
    'function fish_prompt; echo "new> "; end',
    'function fish_prompt; printf "two\\nlines> "; end',
    "function fish_title; echo title; end",
    "functions -e fish_title",
    "function late --on-event fish_preexec; echo late; end",
    "function later --on-event fish_postexec; echo later; end",
    "fish_vi_key_bindings",
    "set -gx fish_key_bindings fish_vi_key_bindings",
    "fish_config prompt choose arrow",
  ])("%s", async (line) => {
    const it = await open("fish", { home: { ".config/fish/config.fish": config } });
    await it.type(line);
    await healthy(it);
    await healthy(it);
  });

  test.each(["linux", "dumb", "tmux-256color"])("marks work on a terminal of type %s", async (TERM) => {
    const it = await open("fish", { env: { TERM } });
    await healthy(it);
  });

  test("marks work with --no-config, and fish still sets the title", async () => {
    const it = await open("fish", { args: ["--no-config"] });
    await healthy(it);
    expect(it.bytes).toContain("\x1b]0;echo typed");
  });
});
