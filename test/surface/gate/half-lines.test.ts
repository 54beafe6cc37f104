// A half line at a shell's prompt: people see it with its owner and can take it, and a refused line of an agent is gone.
import { describe, expect, test } from "vitest";
import { until } from "../../fixtures/soon.ts";
import { SHELLS } from "../../fixtures/stand/shells.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { TestViewer } from "../../fixtures/stand/viewer.ts";

const { person, agent, openGatedShell, duetty } = sharedStand();
const helper = agent("helper");

describe.each(SHELLS)("half lines in %s", (shell) => {
  const open = async () => (await openGatedShell(shell)).session_id;
  const half = (viewer: TestViewer) => viewer.message("line")?.text;

  test("a half line is told with its owner, given up whole, and then a line runs", async () => {
    const session_id = await open();
    const viewer = TestViewer.open(duetty, session_id);
    const text = "echo 'a; b\\\\c' é 日本";
    await person.pty_send({ session_id, text, then: { any: [{ text: "日本" }] } });
    await until(() => half(viewer) === text, "the half line").catch(() => expect(half(viewer)).toBe(text));
    expect(viewer.message("line")?.actor).toBe("person");
    await expect(person.run_command({ session_id, command: "echo mine" })).rejects.toMatchObject({
      code: "prompt.busy",
      message: `there is unfinished text at the shell prompt: \`${text}\` (typed by you)`,
    });
    viewer.socket.send(JSON.stringify({ type: "lift" }));
    await until(() => viewer.message("lifted") !== undefined, "an answer");
    expect(viewer.message("lifted")).toMatchObject({ text, actor: "person" });
    const ran = await person.run_command({ session_id, command: "echo mine" });
    expect(ran).toMatchObject({ status: "done", exit_code: 0 });
    // The answer comes by another socket.
    await viewer.until(() => half(viewer) === "");
  });

  test("what an agent leaves at a person's prompt is short and pushes nothing out of sight; with Enter it is judged", async () => {
    const session_id = await open();
    const types = (text: string) => helper.pty_send({ session_id, text });
    const refused = { code: "input.invalid", message: expect.stringContaining("left at a person's prompt") };
    for (const text of [`touch x #${" ".repeat(70)}$ `, `touch x #${"-".repeat(60)}`])
      await expect(types(text)).rejects.toMatchObject(refused);
    await expect(helper.pty_send({ session_id, paste: "touch x #\n$ " })).rejects.toMatchObject(refused);
    await types("echo short");
    const blanks = async () => {
      for (let i = 0; i < 26; i += 1) await types(" ");
    };
    await expect(blanks()).rejects.toMatchObject(refused);
    await types(` ${"long".repeat(20)}\n`);
    await expect.poll(async () => (await person.blocks({ session_id })).total).toBe(1);
  });

  test("half a key is no part of it: Escape or Ctrl+V, and then a line of the page's prompt or an agent's runs", async () => {
    const session_id = await open();
    await person.pty_send({ session_id, text: "ech", then: { any: [{ text: "ech" }] } });
    // fish has another use for it.
    await person.pty_send({ session_id, keys: [shell === "fish" ? "Escape" : "Ctrl+V"] });
    expect(await person.lift_line({ session_id })).toMatchObject({ text: "ech" });
    await person.pty_send({ session_id, keys: ["Escape"] });
    expect(await person.lift_line({ session_id })).toMatchObject({ text: "" });
    for (const runner of [person, helper]) {
      await person.pty_send({ session_id, keys: ["Escape"] });
      await person.release({ session_id });
      expect(await runner.run_command({ session_id, command: "echo ok" })).toMatchObject({ output: { head: "ok" } });
    }
    expect((await person.blocks({ session_id })).blocks.map(({ cmd }) => cmd)).toEqual(["echo ok", "echo ok"]);
  });

  test("what is sent before the question for the half line is part of it", async () => {
    const session_id = await open();
    const viewer = TestViewer.open(duetty, session_id);
    await until(() => viewer.message("hello") !== undefined, "hello");
    viewer.socket.send(Buffer.from("sleep 0.4; echo one\r"));
    await until(() => viewer.message("block_begin") !== undefined, "a command");
    viewer.socket.send(Buffer.from("echo two\recho th"));
    await until(() => viewer.message("block_begin")?.block.cmd === "echo two", "the line typed ahead");
    viewer.socket.send(Buffer.from("ree"));
    // Null while the shell is not at its prompt. Each question waits for its answer: a second one would take an empty line.
    let asked = 0;
    const answers = () => viewer.messages.filter((message) => message.type === "lifted");
    const isLifted = async () => {
      viewer.tell({ type: "lift" });
      asked += 1;
      await viewer.until(() => answers().length === asked);
      return answers().at(-1)?.text !== null;
    };
    await until(isLifted, "the half line");
    expect(answers().at(-1)?.text).toBe("echo three");
    expect((await person.blocks({ session_id })).blocks.map(({ cmd }) => cmd)).toEqual([
      "sleep 0.4; echo one",
      "echo two",
    ]);
  });

  test("a refused line of an agent does not stay, and agents take nobody's line", async () => {
    const session_id = await open();
    const typed = helper.pty_send({ session_id, text: "rm -rf everything", keys: ["Enter"] });
    await expect(typed).rejects.toMatchObject({ code: "approval.pending" });
    await expect(helper.lift_line({ session_id })).rejects.toMatchObject({ code: "auth.forbidden" });
    const { rows } = await person.pty_read_screen({ session_id });
    expect(rows.join("\n")).not.toContain("rm -rf everything");
    expect(await person.lift_line({ session_id })).toMatchObject({ text: "" });
    expect(await person.run_command({ session_id, command: "echo mine" })).toMatchObject({ status: "done" });
  });
});
