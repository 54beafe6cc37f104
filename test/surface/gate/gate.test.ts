// The gate from outside, where there are no boxes: who has the keyboard, what an agent may do without asking, and who answers.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SHELLS } from "../../fixtures/stand/shells.ts";
import { sharedStand, UNBOXED } from "../../fixtures/stand/stand.ts";

const { duetty, person, agent, folder, openGatedShell, pendingOf, foregroundOf } = sharedStand({
  config: UNBOXED,
  agent: "one",
});

/** For calls that end in a question: it is there at once. Others take the time they need. */
const BRIEF = { timeout_ms: 200 };
/** It has done what it was told and reads again. */
const reads = (session_id: string) => person.pty_wait({ session_id, any: [{ idle_ms: 50 }] });
/** A person starts a program and leaves the keyboard. */
const personRuns = async (session_id: string, program: string) => {
  await person.pty_send({ session_id, text: `${program}\n` });
  await expect.poll(() => foregroundOf(session_id)).toBe(program);
  await reads(session_id);
  await person.release({ session_id });
};

describe("lines", () => {
  it("a safe line runs, another waits for a person's yes to exactly that text", async () => {
    const { session_id, cwd } = await openGatedShell();
    expect(await agent().run_command({ session_id, command: "pwd" })).toMatchObject({ status: "done", exit_code: 0 });
    const waiting = agent().run_command({ session_id, command: "touch made", description: "to see", confidence: 0.5 });
    const asked = await pendingOf(session_id);
    expect(asked).toMatchObject({
      kind: "run",
      text: "touch made",
      actor: "agent:one",
      cwd,
      description: "to see",
      confidence: 0.5,
      state: "pending",
    });
    await expect(agent().approve({ approval_id: asked.approval_id })).rejects.toMatchObject({ code: "auth.forbidden" });
    expect(fs.existsSync(join(cwd, "made"))).toBe(false);
    await person.approve({ approval_id: asked.approval_id });
    expect(await waiting).toMatchObject({ status: "done", exit_code: 0, command: "touch made" });
    expect(fs.existsSync(join(cwd, "made"))).toBe(true);
    const again = await agent().run_command({ session_id, command: "touch made", ...BRIEF });
    expect(again).toMatchObject({ status: "approval_pending", exit_code: null, approval_id: expect.any(String) });
    const { sessions } = await person.pty_list({});
    expect(sessions.find((one) => one.session_id === session_id)?.hold_reason).toBe("approval_pending");
  });

  it("a line is denied with a reason, edited by the person, or approved after the agent left", async () => {
    const { session_id } = await openGatedShell();
    const denied = agent().run_command({ session_id, command: "rm -rf build" });
    const first = await pendingOf(session_id);
    expect(first).toMatchObject({ class: "risky", risk: "destructive" });
    await person.deny({ approval_id: first.approval_id, reason: "keep it" });
    expect(await denied).toMatchObject({ status: "denied", hint: expect.stringContaining("keep it") });
    const edited = agent().run_command({ session_id, command: "rm -rf /" });
    const second = await pendingOf(session_id);
    await person.approve({ approval_id: second.approval_id, edit: "echo instead" });
    expect(await edited).toMatchObject({ status: "done", command: "echo instead", output: { head: "instead" } });
    const late = await agent().run_command({ session_id, command: "touch late", ...BRIEF });
    expect(late.status).toBe("approval_pending");
    await person.approve({ approval_id: late.approval_id ?? "" });
    expect(await agent().run_command({ session_id, command: "touch late" })).toMatchObject({ status: "done" });
    const settled = person.deny({ approval_id: first.approval_id });
    await expect(settled).rejects.toMatchObject({ code: "approval.settled" });
  });

  it('auto-approve allows unknown lines of a confident agent, never risky ones; "always" becomes a rule', async () => {
    const { session_id } = await openGatedShell();
    await person.policy({ session_id, auto_approve: "on", threshold: 0.8 });
    const run = (command: string, confidence: number, more = {}) =>
      agent().run_command({ session_id, command, confidence, ...more });
    expect((await run("touch sure", 0.9)).status).toBe("done");
    expect((await run("touch unsure", 0.7, BRIEF)).status).toBe("approval_pending");
    expect((await run("rm sure", 1, BRIEF)).status).toBe("approval_pending");
    const risky = (await person.approvals({ session_id })).approvals.find(({ text }) => text === "rm sure");
    expect(risky?.always).toBe("rm sure");
    await person.approve({ approval_id: risky?.approval_id ?? "", always: "session" });
    expect((await run("rm sure", 0)).status).toBe("done");
    expect(await run("rm sure", 0)).toMatchObject({ status: "done", exit_code: 1 });
    const shell = await run("bash -c 'echo hi > x'", 1, BRIEF);
    const never = person.approve({ approval_id: shell.approval_id ?? "", always: "user" });
    await expect(never).rejects.toMatchObject({ code: "input.invalid" });
  });

  it("programs opened or run beside the terminal are judged the same; folder rules count once trusted", async () => {
    const opened = agent().pty_open({ command: ["rm", "-rf", "x"] });
    await expect
      .poll(async () => (await person.approvals({})).approvals.some(({ kind }) => kind === "open"))
      .toBe(true);
    const [asked] = (await person.approvals({})).approvals.filter(({ kind }) => kind === "open");
    expect(asked).toMatchObject({ session_id: null, class: "risky", text: "rm -rf x" });
    await person.deny({ approval_id: asked?.approval_id ?? "" });
    await expect(opened).rejects.toMatchObject({ code: "gate.denied" });
    const piped = await agent().run_command({ command: "touch y", mode: "pipe", ...BRIEF });
    expect(piped.status).toBe("approval_pending");
    expect((await agent().run_command({ command: "pwd", mode: "pipe" })).status).toBe("done");
    const cwd = folder();
    fs.writeFileSync(join(cwd, ".duetty.json"), JSON.stringify({ rules: { allow: ["touch z"], deny: ["ls"] } }));
    const inFolder = (command: string, more = {}) => agent().run_command({ command, mode: "pipe", cwd, ...more });
    expect((await inFolder("touch z", BRIEF)).status).toBe("approval_pending");
    await expect(agent().trust({ cwd })).rejects.toMatchObject({ code: "auth.forbidden" });
    await person.trust({ cwd });
    expect((await inFolder("touch z")).status).toBe("done");
    expect((await inFolder("ls")).status).toBe("denied");
    // Nor by way of an edit.
    const edited = agent().run_command({ command: "touch other", mode: "pipe", cwd });
    const mine = async () => (await person.approvals({})).approvals.find(({ text }) => text === "touch other");
    await expect.poll(mine).toBeDefined();
    await person.approve({ approval_id: (await mine())?.approval_id ?? "", edit: "ls" });
    expect((await edited).status).toBe("denied");
  });
});

describe("keys", () => {
  it("a person's key takes the keyboard at once; release gives it back; stop ends everything", async () => {
    const { session_id } = await openGatedShell();
    await person.policy({ session_id, level: "always_allow", safe_mode: "off" });
    await personRuns(session_id, "cat");
    const sent = await agent().pty_send({ session_id, text: "from agent\n", then: { any: [{ text: "from agent" }] } });
    expect(sent.outcome).toBe("matched");
    expect(sent.screen.hold).toBe("agent:one");
    const waits = agent().pty_wait({ session_id, any: [{ text: "never" }] });
    await expect(agent("two").pty_send({ session_id, text: "x" })).rejects.toMatchObject({ code: "gate.held" });
    await person.pty_send({ session_id, text: "mine" });
    expect((await waits).outcome).toBe("held");
    await expect(agent().pty_send({ session_id, text: "x" })).rejects.toMatchObject({ code: "gate.held" });
    await person.release({ session_id });
    expect((await agent().pty_send({ session_id, text: "y" })).outcome).toBe("matched");
    const { stopped } = await person.stop({ session_id });
    expect(stopped).toEqual([session_id]);
    await expect(agent().pty_send({ session_id, text: "x" })).rejects.toMatchObject({ code: "gate.held" });
    await expect(agent().release({ session_id })).rejects.toMatchObject({ code: "gate.held" });
    expect((await duetty.agentCli("send", session_id, "--text", "x")).code).toBe(5);
    expect((await person.pty_list({})).sessions.find((s) => s.session_id === session_id)).toMatchObject({
      hold: "person",
      hold_reason: "stop",
    });
  });

  it("keys are refused on every level while echo is off, and the secret is stored nowhere", async () => {
    const { session_id } = await openGatedShell();
    await person.policy({ session_id, level: "always_allow", safe_mode: "off", auto_approve: "on", threshold: 0 });
    const command = `python3 -c 'import getpass; print(len(getpass.getpass()))'`;
    const ran = await agent().run_command({ session_id, command });
    expect(ran).toMatchObject({ status: "waiting_for_input", waiting: { kind: "password" } });
    const typed = agent().pty_send({ session_id, text: "guess\n", confidence: 1 });
    await expect(typed).rejects.toMatchObject({ code: "gate.echo_off" });
    expect((await duetty.agentCli("send", session_id, "--text", "x")).code).toBe(6);
    const now = async () => (await person.pty_list({})).sessions.find((one) => one.session_id === session_id);
    await expect.poll(now).toMatchObject({ hold: "agent:one", hold_reason: "echo_off" });
    const secret = "hunter2-correct-horse";
    const asks = agent().ask_person({ session_id, kind: "password", message: "type it please" });
    await pendingOf(session_id);
    await person.pty_send({ session_id, text: `${secret}\n`, then: { any: [{ block_end: true }] } });
    expect(await asks).toMatchObject({ outcome: "answered" });
    const contents = duetty.contents(join(duetty.home.sessions, session_id));
    expect([...contents.keys()]).toEqual(expect.arrayContaining(["output.raw", "events.jsonl"]));
    for (const [file, text] of contents) expect([file, text.includes(secret)]).toEqual([file, false]);
    expect((await agent().pty_read_screen({ session_id })).rows.join("\n")).toContain(String(secret.length));
  });

  it.each(SHELLS)("%s: a risky line typed in pieces is asked, a safe one runs", async (shell) => {
    const { session_id, cwd } = await openGatedShell(shell);
    const victim = join(cwd, `victim-${shell}`);
    fs.writeFileSync(victim, "");
    const type = (text: string) => agent().pty_send({ session_id, text });
    for (const piece of ["r", "m vic", `tim-${shell}`]) await type(piece);
    const entered = agent().pty_send({ session_id, keys: ["Enter"] });
    await expect(entered).rejects.toMatchObject({ code: "approval.pending" });
    const asked = await pendingOf(session_id);
    expect(asked).toMatchObject({ kind: "run", text: `rm victim-${shell}`, class: "risky" });
    expect(fs.existsSync(victim)).toBe(true);
    await person.deny({ approval_id: asked.approval_id });
    const then = { any: [{ block_end: true as const }] };
    if (shell === "fish") {
      // No look into what it runs: typed lines are always asked there, handed ones are not.
      await agent().run_command({ session_id, command: "echo fine" });
    } else {
      await agent().pty_send({ session_id, text: "echo fine\n", then });
    }
    const { blocks } = await agent().blocks({ session_id });
    expect(blocks.map(({ cmd, exit_code }) => [cmd, exit_code])).toEqual([["echo fine", 0]]);
    expect(fs.existsSync(victim)).toBe(true);
    // A person does what they like.
    await person.pty_send({ session_id, text: `rm victim-${shell}\n`, then: { any: [{ block_end: true }] } });
    expect(fs.existsSync(victim)).toBe(false);
  });

  it.each(["bash", "zsh"] as const)(
    "%s: an alias or a function cannot turn a safe word into a risky command",
    async (shell) => {
      const { session_id, cwd } = await openGatedShell(shell);
      const victim = join(cwd, `kept-${shell}`);
      fs.writeFileSync(victim, "");
      const mine = (text: string) =>
        person.pty_send({ session_id, text: `${text}\n`, then: { any: [{ block_end: true }] } });
      await mine(`alias ls='rm kept-${shell}'`);
      await mine(`pwd() { rm kept-${shell}; }`);
      for (const command of ["ls", "pwd", "echo $(pwd)"])
        await agent().run_command({ session_id, command, timeout_ms: 5_000 });
      expect(fs.existsSync(victim)).toBe(true);
      const events = duetty.events(session_id);
      expect(events).toContain('"veto"');
    },
  );
});

it("modes and policies survive a restart and are set by people only; agents cannot close a person's session", async () => {
  const { session_id } = await openGatedShell();
  await person.mode({ session_id, mode: "terminal" });
  await person.policy({ session_id, level: "always_ask", threshold: 0.5 });
  const { agent_levels } = await person.policy({ session_id, agent: "two", level: "always_allow" });
  expect(agent_levels).toEqual({ "agent:two": "always_allow" });
  await expect(agent().mode({ session_id, mode: "agent" })).rejects.toMatchObject({ code: "auth.forbidden" });
  await expect(agent().policy({ session_id, safe_mode: "off" })).rejects.toMatchObject({ code: "auth.forbidden" });
  await expect(agent().pty_close({ session_id })).rejects.toMatchObject({ code: "gate.denied" });
  expect((await agent().run_command({ session_id, command: "pwd", ...BRIEF })).status).toBe("approval_pending");
  await duetty.killDaemon();
  await duetty.status();
  const kept = { mode: "terminal", level: "always_ask", threshold: 0.5, agent_levels };
  expect(await agent().policy({ session_id })).toMatchObject(kept);
  expect((await person.approvals({})).approvals).toEqual([]);
});

it("explain gives class, rule and verdict, for one line and for many", async () => {
  const one = await duetty.cli("explain", "--json", "--", "rm", "-rf", "build");
  expect(JSON.parse(one.stdout)).toMatchObject({
    command: "rm -rf build",
    class: "risky",
    kind: "destructive",
    verdict: "ask",
  });
  const text = await duetty.cli("explain", "--", "npm test");
  expect(text.stdout).toContain("safe");
  expect(text.stdout).toContain("verdict: allow (class.safe)");
});
