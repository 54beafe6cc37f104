// What is printed while nothing runs: by background jobs, by the shell about them, by messages to the terminal.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SHELLS } from "../../fixtures/stand/shells.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { TestViewer } from "../../fixtures/stand/viewer.ts";

const { person, agent, openShell, folder, duetty } = sharedStand();

describe.each(SHELLS)("between commands in %s", (shell) => {
  /** A job prints when it is told to: however late the prompt is, nothing of it comes before. */
  const HOLD = { hold: "until test -e go; do sleep 0.05; done\n" };
  const jobOf = (prints: string) => (shell === "fish" ? `fish -c 'sh hold; ${prints}'` : `{ sh hold; ${prints}; }`);
  const tell = (cwd: string) => fs.writeFileSync(join(cwd, "go"), "");
  const printedAfter = async (session_id: string, number: number | string) =>
    (await person.block({ block_id: `${session_id}:${number}` })).after;

  test("a background job's output belongs to the command before it, with the job's name", async () => {
    const cwd = folder(HOLD);
    const { session_id } = await openShell(shell, { cwd });
    const viewer = TestViewer.open(duetty, session_id);
    const job = jobOf("echo BG-A BG-B");
    await person.run_command({ session_id, command: `${job} &` });
    tell(cwd);
    await expect.poll(() => viewer.message("after")?.block_id).toMatch(/_1$/);
    const told = await printedAfter(session_id, 1);
    expect(told?.content).toContain("BG-A BG-B");
    expect(told?.content).not.toContain(">");
    expect(told?.jobs).toEqual([job]);
    const { block_id = "" } = viewer.message("after") ?? {};
    expect((await person.block({ block_id, format: "runs" })).after?.runs?.flat().map(({ text }) => text)).toContain(
      "BG-A BG-B",
    );
    await person.run_command({ session_id, command: "echo next" });
    // bash tells of the end of a job before its next prompt, the others at once.
    const number = shell === "bash" ? 2 : 1;
    await expect.poll(async () => (await printedAfter(session_id, number))?.content).toMatch(/Done|done|ended/);
    expect((await printedAfter(session_id, number))?.content).toContain(shell === "bash" ? job : "");
    const { total } = await person.blocks({ session_id });
    expect(total).toBe(2);
    expect((await printedAfter(session_id, 1))?.content).toContain("BG-A BG-B");
  });

  test("neither prompts nor typed lines are such output", async () => {
    const { session_id } = await openShell(shell, { cols: 40 });
    for (const text of ["echo one\n", "echo a-line-that-is-longer-than-the-screen-is-wide\n", "\n", "echo two\n"])
      await person.pty_send({ session_id, text, then: { any: [{ prompt: true }] } });
    await expect.poll(async () => (await person.blocks({ session_id })).total).toBe(3);
    await person.pty_resize({ session_id, cols: 60, rows: 20 });
    await person.run_command({ session_id, command: "echo three" });
    for (const number of [1, 2, 3, 4]) expect(await printedAfter(session_id, number)).toBeUndefined();
  });

  test("a background job's output is nobody's half line, and the next command runs", async () => {
    const cwd = folder(HOLD);
    const { session_id } = await openShell(shell, { cwd });
    const viewer = TestViewer.open(duetty, session_id);
    // Keys that leave the line empty.
    await person.pty_send({ session_id, keys: ["a", "Backspace"] });
    const job = jobOf("printf PA%s RT");
    await person.run_command({ session_id, command: `${job} &` });
    tell(cwd);
    await person.pty_wait({ session_id, any: [{ text: "PART" }], since: 0 });
    const ran = await person.run_command({ session_id, command: "echo mine" });
    expect(ran).toMatchObject({ status: "done", exit_code: 0 });
    const halves = viewer.messages.flatMap((message) => (message.type === "line" ? [message.text] : []));
    expect(halves.join()).not.toContain("PART");
  });

  test("an agent reads it with the command", async () => {
    const cwd = folder(HOLD);
    const { session_id } = await openShell(shell, { cwd });
    const job = jobOf("echo BG-A BG-B");
    await agent("helper").run_command({ session_id, command: `${job} &` });
    tell(cwd);
    const read = async () => (await agent("helper").block({ block_id: `${session_id}:last` })).after?.content;
    await expect.poll(read).toContain("BG-A BG-B");
  });
});
