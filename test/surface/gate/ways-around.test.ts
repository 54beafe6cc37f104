// Attempts to get around the gate: none of them works without a person.
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sharedStand, UNBOXED } from "../../fixtures/stand/stand.ts";

const { duetty, person, agent, openGatedShell, foregroundOf } = sharedStand({ config: UNBOXED, agent: "sly" });
const status = async (session_id: string, command: string) =>
  (await agent().run_command({ session_id, command, timeout_ms: 200 })).status;

it("reading the person's token is asked, and the token is removed from all that agents are given", async () => {
  const { session_id } = await openGatedShell();
  for (const command of [
    `cat ${duetty.home.personToken}`,
    "cat ~/.local/state/duetty/person.token",
    "cat $DUETTY_HOME/*",
  ])
    expect([command, await status(session_id, command)]).toEqual([command, "approval_pending"]);
  const shown = { session_id, text: `cat ${duetty.home.personToken}\n`, then: { any: [{ block_end: true as const }] } };
  await person.pty_send(shown);
  const token = duetty.token("person");
  expect(JSON.stringify(await person.pty_read_screen({ session_id }))).toContain(token);
  expect(JSON.stringify(await agent().pty_read_screen({ session_id }))).not.toContain(token);
});

it("a line for a program that does not read is refused and does not reach the shell", async () => {
  const { session_id, cwd } = await openGatedShell();
  await person.policy({ session_id, level: "always_allow" });
  const slow = agent().run_command({ session_id, command: "sleep 60" });
  await expect.poll(() => foregroundOf(session_id)).toBe("sleep");
  await expect(agent().pty_send({ session_id, text: "touch sneaked\r" })).rejects.toMatchObject({
    code: "session.busy",
  });
  await person.signal({ session_id, signal: "INT" });
  expect((await slow).exit_code).toBe(130);
  expect(fs.existsSync(join(cwd, "sneaked"))).toBe(false);
});

it("a yes for one program does not count for the next, and a nested shell is asked each time", async () => {
  const { session_id, cwd } = await openGatedShell();
  await person.pty_send({ session_id, text: "sh\n" });
  await expect.poll(() => foregroundOf(session_id)).toBe("sh");
  await person.release({ session_id });
  for (const text of ["true\r", "touch nested\r"]) {
    const then = { any: [{ change: true as const }], timeout_ms: 300 };
    await expect(agent().pty_send({ session_id, text, then })).rejects.toMatchObject({ code: "approval.pending" });
    const [asked] = (await person.approvals({ session_id })).approvals;
    expect(asked?.rule).toBe("safe_mode.plain_shell");
    if (text === "true\r") {
      await person.approve({ approval_id: asked?.approval_id ?? "" });
      await agent().pty_send({ session_id, text, then: { any: [{ settled_ms: 100 }] } });
    }
  }
  expect(fs.existsSync(join(cwd, "nested"))).toBe(false);
});

it("an open paste, a Tab and the keys that run lines are asked", async () => {
  const { session_id } = await openGatedShell("zsh");
  for (const text of ["\x1b[200~", "echo $(touch tab)\t", "\x0f", "\x04", "\x1b[9977~"]) {
    const then = { any: [{ change: true as const }], timeout_ms: 150 };
    await expect(agent().pty_send({ session_id, text, then })).rejects.toMatchObject({ code: "approval.pending" });
  }
});

it("one yes allows one run in the folder that was asked about", async () => {
  const { session_id, cwd } = await openGatedShell();
  fs.mkdirSync(join(cwd, "sub"), { recursive: true });
  const ask = () => agent().run_command({ session_id, command: "touch once" });
  const both = [ask(), ask()];
  const question = async () => (await person.approvals({ session_id })).approvals.map((one) => one.approval_id);
  await expect.poll(question).toHaveLength(1);
  const [once = ""] = await question();
  await person.approve({ approval_id: once });
  const states = (await Promise.all(both)).map(({ status }) => status);
  expect(states.sort()).toEqual(["approval_pending", "done"]);
  const late = await agent().run_command({ session_id, command: "touch elsewhere", timeout_ms: 100 });
  await person.approve({ approval_id: late.approval_id ?? "" });
  await agent().run_command({ session_id, command: "cd sub" });
  expect(await status(session_id, "touch elsewhere")).toBe("approval_pending");
});

it("an agent's environment variables do not change what runs", async () => {
  const base_env = { PATH: "/tmp/evil", PS1: "$(touch evil) ", LD_PRELOAD: "/tmp/x.so", LANG: "C.UTF-8" };
  const ran = await agent().run_command({ command: "echo $LD_PRELOAD.$PATH.$LANG", mode: "pipe", base_env });
  expect(ran.output.head).toMatch(/^\.\/.*\.C\.UTF-8\n$/);
  const set = agent().pty_open({ env: { LD_PRELOAD: "/tmp/x.so" } });
  await expect.poll(async () => (await person.approvals({})).approvals.some(({ kind }) => kind === "open")).toBe(true);
  const [asked] = (await person.approvals({})).approvals.filter(({ kind }) => kind === "open");
  await person.deny({ approval_id: asked?.approval_id ?? "" });
  await expect(set).rejects.toMatchObject({ code: "gate.denied" });
});

it("a person's stop holds over questions, restarts and shutdowns", async () => {
  const { session_id } = await openGatedShell();
  await person.stop({ session_id });
  const asks = agent().ask_person({ session_id, kind: "take_over", message: "please" });
  await expect.poll(async () => (await person.approvals({ session_id })).approvals.length).toBe(1);
  const [asked] = (await person.approvals({ session_id })).approvals;
  await person.deny({ approval_id: asked?.approval_id ?? "" });
  expect((await asks).outcome).toBe("denied");
  await expect(agent().run_command({ session_id, command: "pwd" })).rejects.toMatchObject({ code: "gate.held" });
  await expect(agent().shutdown({ keep_sessions: true })).rejects.toMatchObject({ code: "auth.forbidden" });
  await expect(agent().signal({ session_id, signal: "KILL" })).rejects.toMatchObject({ code: "gate.denied" });
  await expect(agent().pty_resize({ session_id, cols: 20, rows: 5 })).rejects.toMatchObject({ code: "gate.denied" });
  await duetty.killDaemon();
  await duetty.status();
  await expect(agent().run_command({ session_id, command: "pwd" })).rejects.toMatchObject({ code: "gate.held" });
  await person.release({ session_id });
  expect((await agent().run_command({ session_id, command: "pwd" })).status).toBe("done");
});

it("agents never see the marks' nonce, and a wrong mark number changes nothing", async () => {
  const { session_id } = await openGatedShell();
  await agent().run_command({ session_id, command: "pwd" });
  const raw = Buffer.from((await agent().pty_read_raw({ session_id })).base64, "base64").toString("latin1");
  expect(raw).toMatch(/133;A;duetty=x{16}:/);
  const real = /133;A;duetty=(\w+):/.exec(duetty.raw(session_id).toString("latin1"))?.[1];
  await person.policy({ session_id, level: "always_allow", safe_mode: "off" });
  const forged = `printf '\\033]133;A;duetty=${real}:999999\\007'; sleep 0.2; sh -c 'exit 9'`;
  expect(await agent().run_command({ session_id, command: forged })).toMatchObject({ status: "done", exit_code: 9 });
  expect((await agent().run_command({ session_id, command: "pwd" })).status).toBe("done");
});
