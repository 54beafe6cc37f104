// The guard leaves the shell as it was. Its limits: no answer, no daemon, long texts, many questions at once.

import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { GuardAnswer, GuardQuestion } from "../../../src/core/block/shells.ts";
import { forget } from "../../../src/host/shell/shells.ts";
import type { ShellName } from "../../../src/protocol/words/program.ts";
import { depth } from "../../fixtures/depth.ts";
import { NativeSessions } from "../../fixtures/pty/native-sessions.ts";
import { type Launch, Shell } from "../../fixtures/pty/shell-marks.ts";

const sessions = NativeSessions.shared();

const GUARDING = ["bash", "zsh"] as const;
const victim = join(sessions.folder, "victim");

function judge({ kind, text }: GuardQuestion): GuardAnswer {
  if (/^rm\b/.test(text)) return { deny: "not here" };
  return kind === "line" ? "allow guarded" : "allow";
}

async function open(shell: ShellName, launch: Launch = {}): Promise<Shell> {
  writeFileSync(victim, "");
  const opened = await Shell.open(sessions, shell, { judge, ...launch });
  forget(opened.dir);
  return opened;
}

const texts = (it: Shell): string[] => it.asked.map(({ text }) => text);

describe("bash: a guarded line leaves the shell as it was", () => {
  const state = "trap -p; shopt extdebug promptvars || true; set -o; declare -p PROMPT_COMMAND";

  test.each([
    "true",
    "trap 'echo \"mine: $BASH_COMMAND\" >/dev/null' DEBUG",
    "trap 'true' DEBUG; shopt -s extdebug",
    "set -T",
    "set -E; trap 'true mine' ERR RETURN",
    "shopt -u promptvars",
    "set -e",
    "set -u",
    "set -x",
    "set -o posix",
    "IFS=0123456789abc",
    "set -C; set -f",
    "PROMPT_COMMAND='true hook'",
    "PROMPT_COMMAND+=('true hook')",
    "PS1='$(true one)> ' PS0='$(true two)'",
  ])("%s", async (line) => {
    const it = await open("bash");
    await it.type(line);
    const before = (await it.type(state)).output;
    expect(await it.guarded("rm victim")).toMatchObject({
      exit: 126,
      output: expect.stringMatching(/^duetty: not allowed: rm victim\r\n$/),
    });
    expect((await it.guarded("echo a; (exit 3) || echo b")).output.replace(/^\+.*\r\n/gm, "")).toBe("a\r\nb\r\n");
    expect(texts(it)).toEqual(["rm victim", "echo a", "exit 3", "echo b"]);
    expect((await it.type(state)).output).toBe(before);
    expect((await it.type("rm victim")).exit).toBe(0);
    expect(texts(it)).toHaveLength(4);
  });
});

test("bash: our functions cannot be redefined", async () => {
  const it = await open("bash");
  const { output } = await it.type("declare -F");
  expect(output.match(/__duetty_\w+/g)?.length).toBeGreaterThan(20);
  for (const line of output.split("\r\n")) expect(line).not.toMatch(/^declare -f __duetty/);
});

describe("zsh: a guarded line leaves the shell as it was", () => {
  const state =
    "functions TRAPDEBUG; trap; setopt; print -r -- $precmd_functions $preexec_functions $+functions[precmd]";

  test.each([
    "true",
    "TRAPDEBUG() { print mine >/dev/null }",
    "trap 'print \"it'\\''s mine\" >/dev/null' DEBUG",
    "setopt local_traps local_options",
    "setopt local_options no_debug_before_cmd; setopt no_local_options",
    "setopt err_return",
    "setopt no_debug_before_cmd",
    "setopt ksh_arrays sh_word_split",
    "set -u",
    "PS4='+ '; set -x",
    "alias -g if=false setopt=false",
    "precmd() { true hook }; preexec() { true hook }",
    "hook() { true hook }; precmd_functions+=(hook) preexec_functions+=(hook)",
    "setopt prompt_subst; PROMPT='$(true one)> '",
    "zle-line-init() { true hook }; zle -N zle-line-init; zle -N zle-line-finish zle-line-init",
  ])("%s", async (line) => {
    const it = await open("zsh", { home: { ".zshrc": "" } });
    await it.type(line);
    const before = (await it.type(state)).output;
    expect(await it.guarded("rm victim")).toMatchObject({ exit: 126, output: "duetty: not allowed: rm victim\r\n" });
    const ran = await it.guarded("echo a\n(exit 3) || echo b");
    expect(ran.output.replace(/^\+.*\r\n/gm, "")).toBe("a\r\nb\r\n");
    expect(texts(it)).toEqual(["rm victim", "echo a", "(\n\texit 3\n) || echo b", "exit 3"]);
    expect((await it.type(state)).output).toBe(before);
    expect((await it.type("rm victim")).exit).toBe(0);
    expect(texts(it)).toHaveLength(4);
  });
});

describe.each(GUARDING)("%s: the channel", (shell) => {
  test("the channel is private, and no child inherits it", async () => {
    const it = await open(shell);
    for (const name of ["ask", "verdict", "turn"]) {
      expect(statSync(join(it.dir, name)).isFIFO()).toBe(true);
      expect(statSync(join(it.dir, name)).mode & 0o777).toBe(0o600);
    }
    const look = "ls -l /proc/self/fd; echo $(ls -l /proc/self/fd); (ls -l /proc/self/fd) | cat; ls -l /proc/$$/fd";
    const ran = await it.guarded(`${look}; rm victim`);
    expect(ran.output).toContain("/dev/");
    expect(ran.output).not.toMatch(/ask|verdict|turn/);
  });

  test("the channel delivers answers to the right one of many callers", async () => {
    const it = await open(shell, {
      judge: async ({ text }) => {
        await new Promise<void>((resolve) => setImmediate(resolve));
        return /[13579]'?$/.test(text) ? { deny: "odd" } : "allow";
      },
    });
    const jobs = Array.from({ length: 24 }, (_, i) => `(printf '%s\\n' ${i}; printf '%s\\n' ${i + 100}) 2>/dev/null`);
    const ran = await it.guarded(`{ ${jobs.join(" & ")} & } 2>/dev/null; wait; true`);
    const lines = ran.output.split("\r\n").filter((line) => /^\d+$/.test(line));
    const even = Array.from({ length: 12 }, (_, i) => 2 * i);
    expect(lines.map(Number).sort((a, b) => a - b)).toEqual([...even, ...even.map((i) => i + 100)]);
  });

  test("a job that outlives its line still asks", async () => {
    const it = await open(shell);
    await it.type("mkfifo go");
    await it.guarded("(read x <go; rm victim; echo do''ne) &");
    const n = it.n;
    await it.type("echo >go");
    await it.seen.untilText("done\r\n");
    expect(existsSync(victim)).toBe(true);
    expect(it.n).toBeGreaterThan(n);
    expect(it.asked.at(-2)?.text).toBe("rm victim");
    await it.type("rm go");
  });
});

test.each(GUARDING.slice(0, depth(1, GUARDING.length)))(
  "%s: a command that waits for another's answer is not refused",
  async (shell) => {
    // Each answer takes longer than a shell waits in silence.
    const slow = () => new Promise<GuardAnswer>((resolve) => setTimeout(() => resolve("allow"), 1_200));
    const it = await open(shell, { judge: ({ text }) => (text.startsWith("echo") ? slow() : "allow") });
    const ran = await it.guarded("{ (echo 1) & (echo 2) & (echo 3) & } 2>/dev/null; wait; true");
    const lines = ran.output.split("\r\n").filter((line) => /^\d$/.test(line));
    expect(lines.sort()).toEqual(["1", "2", "3"]);
  },
);

describe.each(GUARDING)("%s: no answer", (shell) => {
  test("a text that is too long is denied without a question", async () => {
    const it = await open(shell);
    const ran = await it.guarded(`echo ${"é".repeat(2_100)}; echo short`);
    expect(Buffer.from(ran.output, "latin1").toString()).toMatch(/^duetty: not allowed: echo é+\r\nshort\r\n$/);
    expect(texts(it)).toEqual(["echo short"]);
  });

  test("nothing runs when the judge never answers, and the next question is heard", async () => {
    const never = new Promise<GuardAnswer>(() => undefined);
    const answers: (GuardAnswer | Promise<GuardAnswer>)[] = [never, "allow", never];
    // Long enough for an answer on a busy machine.
    const it = await open(shell, { judge: () => answers.shift() ?? "allow", answer_seconds: 1.5 });
    expect(await it.guarded("echo a; echo b")).toMatchObject({
      exit: 126,
      output: "duetty: not allowed: echo a\r\nduetty: not allowed: echo b\r\n",
    });
    expect(await it.guarded("echo c")).toMatchObject({ exit: 0, output: "c\r\n" });
    it.write("echo d");
    expect(await it.enter()).toBeNull();
    expect(await it.enter()).toMatchObject({ output: "d\r\n" });
  });

  test("Ctrl-C while it waits ends the line, not the guard", async () => {
    let asked = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const it = await open(shell, {
      judge: (question) => {
        if (question.text !== "sleep 60") return judge(question);
        asked();
        return new Promise(() => undefined);
      },
    });
    const n = it.n;
    await it.key("sleep 60; echo no", "r1", " guarded");
    await waiting;
    await it.idle();
    it.write("\x03");
    await it.prompt(n + 1);
    expect(it.ran(n)).toMatchObject({
      exit: shell === "bash" ? 130 : 1,
      output: expect.stringMatching(/^\^C[\r\n]*$/),
    });
    expect((await it.type("echo mine")).output).toMatch(/mine\r\n$/);
    expect(await it.guarded("rm victim")).toMatchObject({ exit: 126, output: "duetty: not allowed: rm victim\r\n" });
    expect(await it.guarded("echo a")).toMatchObject({ exit: 0, output: "a\r\n" });
  });

  test("nothing runs without a daemon", async () => {
    const it = await open(shell);
    it.closeGuard();
    expect(await it.guarded("echo a")).toMatchObject({ exit: 126, output: "duetty: not allowed: echo a\r\n" });
    it.write("echo d");
    expect(await it.enter()).toBeNull();
    expect(existsSync(join(it.dir, "verdict"))).toBe(false);
    expect((await it.type("")).output).toBe("d\r\n");
  });
});

test("fish: nothing runs when the judge never answers or the daemon is gone", async () => {
  const it = await open("fish", { judge: () => new Promise(() => undefined), answer_seconds: 0.2 });
  it.write("echo d");
  expect(await it.enter()).toBeNull();
  it.closeGuard();
  expect(await it.enter()).toBeNull();
  expect((await it.type("")).output).toBe("d\r\n");
});
