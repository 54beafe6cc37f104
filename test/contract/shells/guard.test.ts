// The guard in the shell: what an agent typed, edited, recalled, pasted or was given runs only as far as the judge allows,
// whatever it is called. Here the routes to `rm victim`; guard-state has what remains afterwards, and the limits.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ENTER_KEY, type GuardAnswer, type GuardQuestion } from "../../../src/core/block/shells.ts";
import type { ShellName } from "../../../src/protocol/words/program.ts";
import { NativeSessions } from "../../fixtures/pty/native-sessions.ts";
import { type Launch, Shell } from "../../fixtures/pty/shell-marks.ts";

const sessions = NativeSessions.shared();

const SHELLS: readonly ShellName[] = ["bash", "zsh", "fish"];
const GUARDING = ["bash", "zsh"] as const;
const victim = join(sessions.folder, "victim");
const NO = { deny: "not here" } as const;

const rc = "alias gone='rm victim'\nboth() { echo before; rm victim; }\nshopt -s expand_aliases 2>/dev/null";
const HOME = {
  ".bashrc": rc,
  ".zshrc": `${rc}\nHISTSIZE=100`,
  ".config/fish/config.fish": `set fish_greeting\nabbr -a zap rm victim\nalias gone='rm victim'
function both; rm victim; end\nfunction echoes --wraps echo; command rm victim; end`,
};

/** Whatever removes, and what could end the guard. zsh asks about a whole pipeline or `&&` list at once. */
function judge({ kind, text }: GuardQuestion): GuardAnswer {
  if (/^(command |! |time |coproc )?rm\b|[|&]\s*rm\b|^(trap|shopt|set|TRAPDEBUG|unfunction|unsetopt)\b/.test(text))
    return NO;
  return kind === "line" ? "allow guarded" : "allow";
}

async function open(shell: ShellName, launch: Launch = {}): Promise<Shell> {
  writeFileSync(victim, "");
  return Shell.open(sessions, shell, { home: HOME, judge, ...launch });
}

describe.each(SHELLS)("%s: the agent's Enter", (shell) => {
  /** Denied, still in the buffer, and a person's Enter runs it. */
  async function denied(it: Shell): Promise<void> {
    expect(await it.enter()).toBeNull();
    expect(it.asked.map(({ kind, run_id, text }) => [kind, run_id, text])).toEqual([["line", "-", "rm victim"]]);
    expect(existsSync(victim)).toBe(true);
    expect(await it.type("")).toMatchObject({ text: "rm victim", exit: 0, output: "" });
    expect(existsSync(victim)).toBe(false);
    expect(it.asked).toHaveLength(1);
  }

  test("a line typed byte by byte is denied", async () => {
    const it = await open(shell);
    for (const byte of "rm victim") await it.edit(byte);
    await denied(it);
  });

  test("a corrected line is denied", async () => {
    const it = await open(shell);
    await it.edit("xrm victim");
    it.write("\x01\x04");
    await it.idle();
    await denied(it);
  });

  test("a line from the history is denied", async () => {
    const it = await open(shell);
    await it.type("rm victim");
    writeFileSync(victim, "");
    await it.edit("\x1b[A", "victim");
    await denied(it);
  });

  test("a line found by searching the history is denied", async () => {
    const it = await open(shell);
    await it.type("rm victim");
    writeFileSync(victim, "");
    it.write("\x12victi");
    await it.idle();
    expect(await it.enter()).toBeNull();
    expect(existsSync(victim)).toBe(true);
  });

  test("a pasted line is denied", async () => {
    const it = await open(shell);
    await it.edit("\x1b[200~rm victim\x1b[201~", "victim");
    await denied(it);
  });

  test("an allowed line runs and has its marks", async () => {
    const it = await open(shell, shell === "fish" ? { judge: () => "allow" } : {});
    await it.edit("echo 'é;'; sh -c 'exit 3'");
    const ran = await it.enter();
    expect(ran).toMatchObject({ exit: 3, text: "echo 'é;'; sh -c 'exit 3'", run: null });
    expect(Buffer.from(ran?.output ?? "", "latin1").toString()).toBe("é;\r\n");
    expect(it.asked[0]).toEqual({ kind: "line", run_id: "-", text: "echo 'é;'; sh -c 'exit 3'" });
  });

  test("on an empty line the key is Enter and asks nothing", async () => {
    const it = await open(shell);
    it.pty.write(ENTER_KEY);
    await it.prompt(2);
    expect(it.asked).toEqual([]);
    expect(it.marks.some(({ kind }) => kind === "133;C" || kind === "633;R")).toBe(false);
  });

  test("a continued line is denied, and stays", async () => {
    const it = await open(shell, { judge: () => "allow" });
    if (shell === "fish") {
      // fish knows the whole of it.
      it.write("if true\r");
      await it.idle();
      await it.edit("echo yes; end");
      expect(await it.enter()).toMatchObject({ output: "yes\r\n" });
      return;
    }
    await it.edit("echo 'a\r", "> ");
    expect(await it.enter()).toBeNull();
    await it.edit("b'");
    expect(await it.enter()).toBeNull();
    expect(it.asked).toEqual([]);
    expect((await it.type("")).output).toBe("a\r\nb\r\n");
  });

  test("the key is denied in a program that edits a line, and the line stays", async () => {
    const it = await open(shell, { judge: () => "allow" });
    it.write(`${{ bash: "read -ep 'ask: ' x", zsh: "vared -cp 'ask: ' x", fish: "read -P 'ask: ' x" }[shell]}\r`);
    await it.seen.until(() => it.bytes.includes("ask: ", it.mark("133;C", 1)?.end ?? Infinity));
    await it.edit("answer");
    expect(await it.enter()).toBeNull();
    it.write("\r");
    await it.prompt(2);
    expect((await it.type("echo $x")).output).toBe("answer\r\n");
    expect(it.asked).toEqual([]);
  });

  test("a line typed with vi keys is denied", async () => {
    const it = await open(shell);
    await it.type({ bash: "set -o vi", zsh: "bindkey -v", fish: "fish_vi_key_bindings" }[shell]);
    await it.edit("rm victim");
    it.write("\x1b");
    await it.idle();
    await denied(it);
  });
});

test.each(GUARDING)(
  "%s: an allowed line is guarded when the answer says so, and its ! is not expanded",
  async (shell) => {
    const it = await open(shell);
    await it.type("rm nothing 2>/dev/null");
    await it.edit("echo a; gone");
    expect(await it.enter()).toMatchObject({ exit: 126, output: "a\r\nduetty: not allowed: rm victim\r\n", run: null });
    await it.edit("!rm");
    expect((await it.enter())?.exit).toBe(127);
    expect(existsSync(victim)).toBe(true);
    expect(it.asked.at(-2)).toEqual({ kind: "line", run_id: "-", text: "!rm" });
  },
);

describe.each(GUARDING)("%s: a guarded line", (shell) => {
  test.each([
    "rm victim",
    "echo $(rm victim)",
    "echo `rm victim`",
    "gone",
    "both",
    "x=$(ls); rm victim",
    "ls | rm victim",
    "ls | both",
    "{ ls; } | { rm victim; cat; }",
    "true && rm victim",
    "(rm victim)",
    "(both)",
    "for f in victim; do rm $f; done",
    "if rm victim; then echo; fi",
    "[[ -n $(rm victim) ]]",
    "case $(rm victim) in x) ;; esac",
    "echo $((1 + $(rm victim; echo 1)))",
    "cat <<X\n$(rm victim)\nX",
    "cat <(rm victim)",
    "echo hi > >(rm victim)",
    "eval 'r''m victim'",
    "eval 'eval rm victim'",
    ". ./sourced",
    "command rm victim",
    "! rm victim",
    "time rm victim",
    "f() { rm victim; }; f",
    "trap - DEBUG; rm victim",
    "set +T; rm victim",
    "(trap - DEBUG; rm victim)",
    "echo one\nrm victim\necho two",
    "rm victim & wait",
    "(sleep 0.05; rm victim) & wait",
  ])("%s", async (line) => {
    const it = await open(shell);
    writeFileSync(join(sessions.folder, "sourced"), "rm victim\n");
    const ran = await it.guarded(line);
    // The last process of a pipeline into >(…) may be later than the prompt.
    await it.seen.untilText("duetty: not allowed: ");
    await it.idle();
    expect(existsSync(victim)).toBe(true);
    expect(it.bytes.match(/duetty: not allowed: /g)?.length).toBeGreaterThan(0);
    if (!line.includes(">(")) expect(ran.exit).not.toBe(0);
    for (const { run_id } of it.asked) expect(run_id).toBe(ran.run);
    expect((await it.type("rm victim")).exit).toBe(0);
    expect(existsSync(victim)).toBe(false);
  });

  test.each([
    ...(shell === "bash"
      ? [
          "f() { local -; set() { :; }; builtin set +eux; rm victim; }; f",
          "coproc rm victim; wait",
          "__duetty_veto() { return 1; }; rm victim",
          "unset -f __duetty_veto; rm victim",
          "shopt -u extdebug; rm victim",
          "__duetty_guard=(); rm victim",
          "__duetty_lift; rm victim",
          "PROMPT_COMMAND=; rm victim",
        ]
      : [
          "f() { emulate -L zsh; rm victim }; f",
          "f() { setopt local_options local_traps err_return; rm victim }; f",
          "() { emulate -L sh; rm victim; }",
          "() { emulate -L ksh; (rm victim); }",
          "coproc rm victim",
          "TRAPDEBUG() { : }; rm victim",
          "unfunction TRAPDEBUG; rm victim",
          "__duetty_veto() { return 1 }; rm victim",
          "__duetty_first; rm victim",
          "precmd; rm victim",
          "unsetopt debugbeforecmd; rm victim",
        ]),
  ])("a guarded line cannot end its guard: %s", async (line) => {
    const it = await open(shell);
    await it.guarded(line);
    expect(existsSync(victim)).toBe(true);
    expect((await it.guarded("rm victim")).exit).toBe(126);
    expect(await it.type("echo on")).toMatchObject({ output: "on\r\n", exit: 0 });
  });

  test("an allowed line runs as it would without a guard", async () => {
    const it = await open(shell);
    const lines = [
      ["echo a; sh -c 'exit 3'", "a\r\n", 3],
      ["false", "", 1],
      ["echo hi >&2; echo one | tr o 0; echo $(echo in)", "hi\r\n0ne\r\nin\r\n", 0],
      ["for i in 1 2 3; do echo $i; done", "1\r\n2\r\n3\r\n", 0],
      [`false | true; echo \${PIPESTATUS[@]}\${pipestatus[@]} $?`, "1 0 0\r\n", 0],
      ["echo a b; echo $_", "a b\r\nb\r\n", 0],
      [`[[ xay =~ a ]]; echo \${BASH_REMATCH[0]}$MATCH`, "a\r\n", 0],
      ["REPLY=mine; true 'a\nb'; echo $REPLY", "mine\r\n", 0],
      ["echo 'a]\\;' \"@\" '*'", "a]\\; @ *\r\n", 0],
      ["printf abc", "abc", 0],
      ["cat <<X\nhere\nX", "here\r\n", 0],
      ["exec 3>&1; echo three >&3; exec 3>&-", "three\r\n", 0],
      ["sh -c 'kill -9 $$'; (exit 4)", /killed/i, 4],
    ] as const;
    for (const [line, output, exit] of lines) {
      const ran = await it.guarded(line);
      expect({ line, exit: ran.exit, text: ran.text }).toEqual({ line, exit, text: line });
      if (typeof output === "string") expect(ran.output).toBe(output);
      else expect(ran.output).toMatch(output);
    }
  });

  test("each text is asked once per run", async () => {
    const it = await open(shell);
    await it.guarded("for i in 1 2 3; do echo $i; rm victim; done");
    const asked = it.asked.filter(({ text }) => text === "echo $i" || text === "rm victim");
    expect(asked.map(({ text }) => text)).toEqual(["echo $i", "rm victim"]);
    await it.guarded('for i in 1 2; do true \'a]b\\c"$x\' "[*@]" $(true); done');
    expect(it.asked.filter(({ text }) => text.startsWith("true 'a"))).toHaveLength(1);
    await it.guarded("rm victim");
    expect(it.asked.at(-1)?.text).toBe("rm victim");
    expect(it.asked.at(-1)?.run_id).not.toBe(asked[0]?.run_id);
  });
});
