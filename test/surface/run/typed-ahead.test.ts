// Lines that a person types ahead: for the shell, and for programs of theirs that read lines. Each goes to the one that it
// was meant for, however late the shell is.
import { describe, expect, test } from "vitest";
import { until } from "../../fixtures/soon.ts";
import { ANY_SHELL } from "../../fixtures/stand/shells.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { TestViewer } from "../../fixtures/stand/viewer.ts";

const { person, openGatedShell, duetty } = sharedStand();

describe.each(ANY_SHELL)("typed ahead in %s", (shell) => {
  // fish's own `read` is a line editor.
  const READ = shell === "fish" ? `sh -c 'read -r v; echo "<$v>"'` : 'read -r v; echo "<$v>"';

  async function typed(...pieces: readonly string[]): Promise<[string | null, string][]> {
    const { session_id } = await openGatedShell(shell);
    const viewer = TestViewer.open(duetty, session_id);
    await until(() => viewer.message("hello") !== undefined, "hello");
    for (const piece of pieces) viewer.socket.send(Buffer.from(piece));
    const over = async () => (await person.blocks({ session_id })).blocks.filter(({ state }) => state !== "running");
    await until(async () => (await over()).at(-1)?.cmd === "echo last", "the last line");
    const outputs = (await over()).map(async ({ cmd, block_id }): Promise<[string | null, string]> => {
      const { content, after } = await person.block({ block_id });
      // The echo of the next line is no output of a job.
      expect(after).toBe(undefined);
      return [cmd, content?.trim() ?? ""];
    });
    return Promise.all(outputs);
  }

  test("lines for programs and for the shell, typed while another program runs, go to each of them", async () => {
    const lines = [READ, "one", READ, "two  \\ words", "head -n 1", "three", "echo last", ""];
    const ran = await typed("sleep 0.5\r", lines.join("\r"));
    expect(ran.map(([cmd]) => cmd)).toEqual(["sleep 0.5", READ, READ, "head -n 1", "echo last"]);
    expect(ran.slice(1)).toEqual([
      [READ, "<one>"],
      [READ, "<two  \\ words>"],
      ["head -n 1", "three"],
      ["echo last", "last"],
    ]);
  });

  test("lines that come in one piece at the prompt go to each of them", async () => {
    const ran = await typed([READ, "one", "head -n 1", "two", "echo last", ""].join("\r"));
    expect(ran).toEqual([
      [READ, "<one>"],
      ["head -n 1", "two"],
      ["echo last", "last"],
    ]);
  });

  test("the rest of a line that comes after its command began belongs to it", async () => {
    const ran = await typed(`sleep 0.3\r${READ}\ron`, "e\recho la", "st\r");
    expect(ran.slice(1)).toEqual([
      [READ, "<one>"],
      ["echo last", "last"],
    ]);
  });

  test("Ctrl+D that is typed ahead ends the input of the program that reads then", async () => {
    const ran = await typed("sleep 0.5\r", ["cat", "one", "\x04echo last", ""].join("\r"));
    expect(ran.slice(1)).toEqual([
      ["cat", "one"],
      ["echo last", "last"],
    ]);
  });

  test("of two lines typed ahead of a program that reads one, the other stands at the prompt", async () => {
    const { session_id } = await openGatedShell(shell);
    const viewer = TestViewer.open(duetty, session_id);
    await until(() => viewer.message("hello") !== undefined, "hello");
    viewer.socket.send(Buffer.from("sleep 0.3\rhead -n 1\rone\recho hal"));
    await until(() => viewer.message("line")?.text === "echo hal", "the half line");
    const { blocks } = await person.blocks({ session_id });
    expect(blocks.map(({ cmd }) => cmd)).toEqual(["sleep 0.3", "head -n 1"]);
    expect((await person.block({ block_id: blocks[1]?.block_id ?? "" })).content?.trim()).toBe("one");
    expect(await person.lift_line({ session_id })).toMatchObject({ text: "echo hal", actor: "person" });
  });
});
