// Who may control an agent, and what a stop, a refusal or a change of keys does. People control agents; agents do not.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../../src/protocol/ops/agent.ts";
import type { Output } from "../../../src/protocol/ops.ts";
import { once, runs } from "../../fixtures/model/replies.ts";
import { eventsUntil, isOver, isPaused } from "../../fixtures/stand/agent-events.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

describe("who may control an agent", () => {
  const { duetty, person, agent, folder, model, openShell, openGatedShell } = sharedStand({
    config: { agents: { mine: { command: ["true"] } } },
    model: { text: "done" },
    key: null,
  });
  const cwd = folder();
  const key = (value: string) => ({ ANTHROPIC_API_KEY: value, ANTHROPIC_BASE_URL: model().url });
  const open = async (opens = openShell) => (await opens("bash", { cwd })).session_id;
  const until = (id: string, enough: (event: AgentEvent) => boolean, since = 0) =>
    eventsUntil(person, id, enough, since);
  /** A session whose agent has been asked and waits before its first step. */
  async function paused(): Promise<string> {
    const id = await open();
    await person.ask({ session_id: id, text: "go", step_by_step: true, base_env: key("sk-one") });
    await until(id, isPaused);
    return id;
  }
  const commands = async (id: string) => (await person.blocks({ session_id: id })).blocks.map(({ cmd }) => cmd);

  test("an agent cannot control, ask or start agents", async () => {
    model().say(once(runs("echo hi")));
    const id = await paused();
    for (const action of ["step", "resume", "pause", "stop"] as const)
      await expect(agent().agent_control({ session_id: id, action })).rejects.toMatchObject({ code: "auth.forbidden" });
    await expect(agent().ask({ session_id: id, text: "mine" })).rejects.toMatchObject({ code: "auth.forbidden" });
    await expect(agent().ask({ text: "x", agent: "mine", cwd })).rejects.toMatchObject({
      code: "auth.forbidden",
    });
    expect(await commands(id)).toEqual([]);
    await person.agent_control({ session_id: id, action: "resume" });
    await until(id, isOver);
    expect(await commands(id)).toEqual(["echo hi"]);
  });

  test("a stop after a restart ends the unfinished turn", async () => {
    model().say(once(runs("echo late")));
    const id = await paused();
    await duetty.killDaemon();
    await duetty.status();
    await person.stop({ session_id: id });
    await until(id, (event) => event.type === "ended" && event.outcome === "stopped");
    await person.release({ session_id: id });
    await expect(person.agent_control({ session_id: id, action: "resume" })).rejects.toThrow();
    expect(await commands(id)).toEqual([]);
  });

  test("resume after a restart uses the person's keys; other keys count at the next task", async () => {
    model().say(once(runs("echo on")));
    const id = await paused();
    await duetty.killDaemon();
    await duetty.status();
    const { status }: Output<"agent_events"> = await person.agent_events({ session_id: id });
    await person.agent_control({ session_id: id, action: "resume", base_env: key("sk-two") });
    const [first] = await until(id, (event) => isPaused(event) || isOver(event), status.seq);
    expect(first).toBeDefined();
    if ((await person.agent_events({ session_id: id })).status.state === "paused")
      await person.agent_control({ session_id: id, action: "resume" });
    await until(id, isOver);
    expect(model().keys.has("sk-two")).toBe(true);
    model().say(() => ({ text: "third" }));
    await person.ask({ session_id: id, text: "again", base_env: key("sk-three") });
    await until(id, (event) => event.type === "message" && event.text === "third");
    expect(model().keys.has("sk-three")).toBe(true);
  });

  test("a task that fails to begin takes the keyboard from nobody", async () => {
    const id = await open();
    await person.take({ session_id: id });
    await expect(person.ask({ session_id: id, text: "x", model: "nonsense/m" })).rejects.toMatchObject({
      code: "agent.unavailable",
    });
    await expect(person.agent_control({ session_id: id, action: "resume" })).rejects.toThrow();
    expect((await person.status({ session_id: id })).session).toMatchObject({
      hold: "person",
      hold_reason: "manual",
    });
  });

  test("a stop cancels the agent's question: a late yes runs nothing", async () => {
    model().say(() => runs("rm -rf never-made"));
    const id = await open(openGatedShell);
    await person.ask({ session_id: id, text: "go", base_env: key("sk-one") });
    const asked = (await until(id, ({ type }) => type === "proposal")).find((event) => event.type === "proposal");
    await person.agent_control({ session_id: id, action: "stop" });
    const approval_id = asked?.type === "proposal" ? asked.approval_id : "";
    await expect(person.approve({ approval_id })).rejects.toMatchObject({ code: "approval.settled" });
    await person.ask({ session_id: id, text: "again", base_env: key("sk-one") });
    let asks = 0;
    await until(id, ({ type }) => type === "proposal" && ++asks === 2);
    await person.agent_control({ session_id: id, action: "stop" });
    expect(fs.existsSync(join(cwd, "never-made"))).toBe(false);
  });

  test("unknown fields are refused, unreadable files are reported", async () => {
    fs.writeFileSync(join(cwd, "locked"), "x", { mode: 0o000 });
    fs.symlinkSync(duetty.home.personToken, join(cwd, "innocent"));
    model().say(
      once({
        calls: [
          { name: "run_command", args: { command: "sleep 654", mode: "pipe" } },
          { name: "read_file", args: { path: "innocent" } },
          { name: "read_file", args: { path: "missing" } },
          { name: "read_file", args: { path: "/proc/self/environ" } },
        ],
      }),
    );
    const id = await open();
    await person.ask({ session_id: id, text: "go", base_env: key("sk-one") });
    const seen = (await until(id, isOver)).flatMap((event) => (event.type === "observation" ? [event] : []));
    expect(seen.map(({ ok }) => ok)).toEqual([false, false, false, false]);
    expect(seen[0]?.text).toContain("no field mode");
    expect(JSON.stringify(seen)).not.toContain(duetty.token("person"));
  });

  test("a global stop also holds in sessions that are opened later, until a person releases it", async () => {
    await person.stop({});
    await expect(agent().pty_open({ cwd })).rejects.toMatchObject({ code: "gate.held" });
    await expect(agent().ask({ text: "x", cwd })).rejects.toMatchObject({ code: "gate.held" });
    const id = await open();
    await expect(agent().run_command({ session_id: id, command: "ls" })).rejects.toMatchObject({ code: "gate.held" });
    await expect(agent().pty_send({ session_id: id, text: "ls\n" })).rejects.toMatchObject({ code: "gate.held" });
    await person.release({ session_id: id });
    expect(await agent().run_command({ session_id: id, command: "ls" })).toMatchObject({ status: "done" });
  });
});
