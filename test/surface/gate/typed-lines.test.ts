// Lines that an agent types at a shell's prompt, and lines it has run, tell the agent the truth: what a person must allow
// first, what a person changed, and whose half line stands there.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../../fixtures/soon.ts";
import { SHELLS } from "../../fixtures/stand/shells.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { person, agent, folder, openGatedShell } = sharedStand();
const helper = agent("helper");

describe.each(SHELLS)("lines typed in %s", (shell) => {
  /** A person's shell in a folder with a file that must not go unasked. */
  async function open() {
    const cwd = folder({ kept: "x" });
    const { session_id } = await openGatedShell(shell, { cwd });
    const isKept = () => fs.existsSync(join(cwd, "kept"));
    const screen = async () => (await person.pty_read_screen({ session_id })).rows.join("\n");
    const type = () => helper.pty_send({ session_id, text: "rm kept\n", then: { any: [{ block_end: true }] } });
    return { session_id, isKept, screen, type };
  }
  const asked = async (session_id: string) =>
    (await person.approvals({ session_id })).approvals.map((one) => one.approval_id);

  test("the agent hears at once that a person is asked and why; the same call counts after the yes", async () => {
    const { session_id, isKept, screen, type } = await open();
    const refused = await type().catch((error: unknown) => error);
    const [approval_id = ""] = await asked(session_id);
    expect(refused).toMatchObject({ code: "approval.pending", approval_id });
    expect(String(refused)).toContain("deletes files");
    expect(await screen()).not.toContain("rm kept");
    await expect(type()).rejects.toMatchObject({ code: "approval.pending", approval_id });
    expect(isKept()).toBe(true);
    await person.approve({ approval_id });
    expect(await type()).toMatchObject({ outcome: "matched" });
    expect(isKept()).toBe(false);
    expect(await asked(session_id)).toEqual([]);
  });

  test("without a wait the agent hears it, too, and other lines run meanwhile", async () => {
    const { session_id, isKept } = await open();
    const typed = helper.pty_send({ session_id, text: "rm kept", keys: ["Enter"] });
    await expect(typed).rejects.toMatchObject({ code: "approval.pending" });
    expect(await helper.run_command({ session_id, command: "echo other" })).toMatchObject({ status: "done" });
    expect(isKept()).toBe(true);
  });

  test("a person's change of a typed line is told, and the agent's own words do not run", async () => {
    const { session_id, isKept, type } = await open();
    await expect(type()).rejects.toMatchObject({ code: "approval.pending" });
    const [approval_id = ""] = await asked(session_id);
    await person.approve({ approval_id, edit: "ls" });
    await expect(type()).rejects.toMatchObject({
      code: "gate.denied",
      message: expect.stringContaining("instead: ls"),
    });
    expect(isKept()).toBe(true);
  });

  test("an agent's run beside a person's half line leaves it, and the keyboard, with the person", async () => {
    const { session_id, screen } = await open();
    await person.pty_send({ session_id, text: "echo mine", then: { any: [{ text: "echo mine" }] } });
    const ran = helper.run_command({ session_id, command: "ls", timeout_ms: 1_000 });
    await expect(ran).rejects.toMatchObject({ code: "prompt.busy" });
    expect((await person.status({ session_id })).session).toMatchObject({ hold: "person" });
    await expect(helper.pty_send({ session_id, text: " x\n" })).rejects.toMatchObject({ code: "gate.held" });
    expect(await screen()).toContain("echo mine");
    expect(await screen()).not.toContain("echo mine x");
  });
});

test.each(SHELLS)(
  "in %s another agent's whole line passes once the first one's is over, and nothing before",
  async (shell) => {
    const { session_id } = await openGatedShell(shell, { cwd: folder({}) });
    const other = agent("other");
    const line = (text: string) => ({ session_id, text, then: { any: [{ block_end: true as const }] } });
    await helper.pty_send(line("pwd\n"));
    expect(await other.pty_send(line("pwd\n"))).toMatchObject({ outcome: "matched" });
    await expect(helper.pty_send({ session_id, text: "l" })).rejects.toMatchObject({
      message: "agent:other is typing",
      hint: expect.stringMatching(/^It lapses in \d+ s if agent:other stays still/),
    });
    await other.pty_send({ session_id, text: "ls", then: { any: [{ text: "ls" }] } });
    await expect(helper.pty_send({ session_id, text: "pwd\n" })).rejects.toMatchObject({ code: "gate.held" });
    await expect(helper.pty_resize({ session_id, cols: 90, rows: 30 })).rejects.toMatchObject({
      hint: expect.stringContaining("resize only what they opened"),
    });
  },
);

test("a person's change of a run is told in its answer", async () => {
  const { session_id } = await openGatedShell("bash", { cwd: folder({ kept: "x" }) });
  const running = helper.run_command({ session_id, command: "rm kept" });
  const pending = async () => (await person.approvals({ session_id })).approvals[0]?.approval_id;
  await until(async () => (await pending()) !== undefined, "a question");
  await person.approve({ approval_id: (await pending()) ?? "", edit: "echo no" });
  expect(await running).toMatchObject({
    command: "echo no",
    note: expect.stringContaining("this ran instead: echo no"),
  });
});

test("what an agent sets for a command is part of the question, and no allowed command", async () => {
  const cwd = folder({ "xdg/git/config": "" });
  const command = "git status --short";
  const env = { XDG_CONFIG_HOME: join(cwd, "xdg"), "BASH_FUNC_git%%": "() { echo forged; }" };
  for (const mode of ["pipe", "pty"] as const) {
    const running = helper.run_command({ command, cwd, env, mode, box: false, timeout_ms: 1_000 });
    expect(await running).toMatchObject({ status: "approval_pending" });
    const { approvals } = await person.approvals({});
    const text = approvals.find((one) => one.text.includes(command))?.text ?? "";
    expect(text).toContain("XDG_CONFIG_HOME=");
    expect(text).toContain("echo forged");
    for (const { approval_id } of approvals) await person.deny({ approval_id });
  }
});

test("a line that ends in a star offers no rule for every argument", async () => {
  const { session_id } = await openGatedShell("bash", { cwd: folder({ "*": "x" }) });
  const running = helper.run_command({ session_id, command: "rm '*'", timeout_ms: 1_000 });
  expect(await running).toMatchObject({ status: "approval_pending" });
  expect((await person.approvals({ session_id })).approvals[0]).toMatchObject({ always: null });
});
