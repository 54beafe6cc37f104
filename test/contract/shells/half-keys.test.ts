// Our keys while the line editor waits for the rest of another one: Escape, Ctrl+X, Ctrl+V, an operator of vi.

import { describe, expect, test } from "vitest";
import { ENTER_KEY } from "../../../src/core/block/shells.ts";
import { NativeSessions } from "../../fixtures/pty/native-sessions.ts";
import { Shell } from "../../fixtures/pty/shell-marks.ts";

const sessions = NativeSessions.shared();

const [ESCAPE, CTRL_X, CTRL_V] = ["\x1b", "\x18", "\x16"];

describe.each(["bash", "zsh", "fish"] as const)("%s: half a key", (shell) => {
  test("stands in nobody's way, and a half line stays as it is", async () => {
    const it = await Shell.open(sessions, shell);
    // fish waits for nothing after them. A bound Escape Escape is no key of ours.
    const halves = shell === "fish" ? [ESCAPE] : [ESCAPE, ESCAPE.repeat(3), CTRL_X, CTRL_V];
    for (const half of halves) {
      it.write(half);
      await it.idle();
      expect(await it.agent("echo theirs"), JSON.stringify(half)).toMatchObject({ output: "theirs\r\n" });
    }
    for (const half of [ESCAPE, CTRL_V]) {
      await it.edit("echo mi");
      it.write(half);
      await it.idle();
      expect((await it.key("echo theirs", "r1")).answer, JSON.stringify(half)).toBe("r1;busy");
      await it.idle();
      expect(await it.type("ne")).toMatchObject({ output: "mine\r\n", text: "echo mine" });
    }
    const { n } = it;
    it.write(ESCAPE);
    await it.idle();
    it.pty.write(ENTER_KEY);
    await it.prompt(n + 1);
    expect(await it.type("echo end")).toMatchObject({ output: "end\r\n", text: "echo end" });
  });
});

test.each(["bash", "zsh"] as const)("%s with vi keys: half an operation changes nothing", async (shell) => {
  const it = await Shell.open(sessions, shell);
  await it.type({ bash: "set -o vi", zsh: "bindkey -v" }[shell]);
  it.write(CTRL_V);
  await it.idle();
  expect((await it.agent("echo inserted")).output).toBe("inserted\r\n");
  for (const half of ["d", "f"]) {
    await it.edit("echo mine");
    it.write(ESCAPE);
    await it.idle();
    it.write(half);
    await it.idle();
    expect((await it.key("echo theirs", "r1")).answer, half).toBe("r1;busy");
    await it.idle();
    expect(await it.type(""), half).toMatchObject({ output: "mine\r\n", text: "echo mine" });
  }
});
