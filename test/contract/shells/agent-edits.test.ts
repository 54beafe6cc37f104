// An agent changes the line at a prompt by name. No byte of its is a key there, so the person's key bindings, vi keys, locale and
// history do not count.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LineEdit } from "../../../src/core/gate/prompt-keys.ts";
import type { ShellName } from "../../../src/protocol/words/program.ts";
import { NativeSessions } from "../../fixtures/pty/native-sessions.ts";
import { type Launch, Shell } from "../../fixtures/pty/shell-marks.ts";

const sessions = NativeSessions.shared();
const SHELLS: readonly ShellName[] = ["bash", "zsh", "fish"];
const VI = { bash: "set -o vi", zsh: "bindkey -v", fish: "fish_vi_key_bindings" };

const open = (shell: ShellName, launch?: Launch) => Shell.open(sessions, shell, { judge: () => "allow", ...launch });
const asked = (it: Shell) => it.asked.at(-1)?.text;

/** The line that they make, as the shell asks about it. */
const EDITS: readonly [readonly LineEdit[], string][] = [
  [["=echo é $x `y`", "=!"], "echo é $x `y`!"],
  [["=echo ac", "left", "=b"], "echo abc"],
  [["=echo éöü", "left", "left", "back", "=e"], "echo eöü"],
  [["=cho a", "home", "=e", "end", "=b", "right", "=c"], "echo abc"],
  [["=echo abc", "left", "left", "delete"], "echo ac"],
  [["=echo abc", "left", "kill", "kill", "delete"], "echo ab"],
  [["=true one", "left", "left", "left", "clear", "=echo "], "echo one"],
  [["=echo one  two  ", "word", "word", "word", "word", "back", "left", "=echo b"], "echo b"],
  [["=echo a\n  echo b"], "echo a\n  echo b"],
];

describe.each(SHELLS)("%s: an agent's changes of the line", (shell) => {
  test("do what they say", async () => {
    const it = await open(shell);
    for (const [edits, line] of EDITS) {
      expect(await it.change(...edits)).toBe("edited");
      await it.enter();
      expect(asked(it)).toBe(line);
    }
  });

  test("B2: use no vi key, in insert and in command mode", async () => {
    const it = await open(shell);
    await it.type(VI[shell]);
    for (const mode of ["", "\x1b"]) {
      it.write(mode);
      await it.idle();
      await it.change("=#touch X #", "home", "=:accept-line", "end", "=#", "clear", "=echo fine");
      expect(existsSync("X") || existsSync(join(it.home, "X"))).toBe(false);
      const n = it.n;
      expect(await it.enter()).toMatchObject({ output: "fine\r\n" });
      expect([asked(it), it.n]).toEqual(["echo fine", n + 1]);
    }
  });

  test("B4: are text where the shell takes the eighth bit for Meta", async () => {
    const it = await open(shell, {
      env: { LANG: "C", LC_ALL: "C" },
      home: { ".inputrc": "set convert-meta on\n" },
      judge: () => ({ deny: "no" }),
    });
    await it.change("=echo `touch X`", "=\u0085\u0080\u0092");
    expect(await it.enter()).toBeNull();
    expect(asked(it)).toMatch(/^echo `touch X`./);
    expect(existsSync(join(it.home, "X"))).toBe(false);
  });

  test("are refused in a continued line and in a program that edits a line", async () => {
    const it = await open(shell);
    const from = it.bytes.length;
    it.write(shell === "fish" ? "if true\r" : "echo 'a\r");
    await it.seen.until(() => (shell === "fish" ? /true[\s\S]*\n/ : /'a[\s\S]*> /).test(it.bytes.slice(from)));
    if (shell !== "fish") expect(await it.change("=b'")).toBe("busy");
    await it.idle();
    const before = it.marks.length;
    it.write("\x03");
    // What is typed before zsh and bash have read it is thrown away. fish shows the same prompt without a mark.
    const isNew = () => it.marks.slice(before).some(({ kind }) => kind === "133;B");
    if (shell !== "fish") await it.seen.until(isNew);
    await it.idle();
    const n = it.n;
    it.write(`${{ bash: "read -ep 'ask: ' x", zsh: "vared -cp 'ask: ' x", fish: "read -P 'ask: ' x" }[shell]}\r`);
    await it.seen.until(() => it.bytes.includes("ask: ", it.mark("133;C", n)?.end ?? Infinity));
    expect(await it.change("=b'")).toBe("busy");
  });
});
