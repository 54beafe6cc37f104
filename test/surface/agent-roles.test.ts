// Who may lead an agent, and what a stop, a refusal or a change of keys means: people lead, agents do not lead each other.
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AgentEvent } from "../../src/protocol/ops/agent.ts";
import type { Output } from "../../src/protocol/ops.ts";
import { FakeProvider, type FakeReply, type FakeRequest } from "../fixtures/fake-provider.mjs";
import { Installation } from "../fixtures/installation.ts";
import { openShell } from "../fixtures/shells.ts";
import { SOON_MS } from "../fixtures/soon.ts";

describe("who leads an agent", () => {
  const duetty = new Installation();
  const folder = fs.mkdtempSync(join(tmpdir(), "dt-roles-"));
  let provider: FakeProvider;
  let script: (request: FakeRequest) => FakeReply = () => ({ text: "done" });
  const person = () => duetty.client();
  const agent = () => duetty.client("agent");
  const key = (value: string) => ({ ANTHROPIC_API_KEY: value, ANTHROPIC_BASE_URL: provider.url });

  beforeAll(async () => {
    provider = await FakeProvider.start((request) => script(request));
    fs.writeFileSync(duetty.home.config, JSON.stringify({ agents: { mine: { command: ["true"] } } }));
    await duetty.status();
  });
  afterAll(async () => {
    await duetty[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const open = async (manners: "trusting" | "careful" = "trusting") =>
    (await openShell(duetty, "bash", { cwd: folder }, manners)).session_id;
  const run = (command: string): FakeReply => ({ calls: [{ name: "run_command", args: { command } }] });
  const once =
    (reply: FakeReply) =>
    ({ messages }: FakeRequest): FakeReply =>
      messages.some(({ role }) => role === "tool") ? { text: "done" } : reply;

  async function until(id: string, enough: (event: AgentEvent) => boolean, from = 0): Promise<AgentEvent[]> {
    const events: AgentEvent[] = [];
    const deadline = Date.now() + SOON_MS;
    for (let isEnough = false; !isEnough; ) {
      if (Date.now() > deadline) throw new Error(`not told: ${JSON.stringify(events.slice(-5))}`);
      const since = events.at(-1)?.seq ?? from;
      const told = (await person().agent_events({ session_id: id, since, timeout_ms: 5_000 })).events;
      events.push(...told);
      // Each is looked at once: some count.
      for (const event of told) isEnough = enough(event) || isEnough;
    }
    return events;
  }
  const isPaused = (event: AgentEvent) => event.type === "status" && event.state === "paused";
  const isOver = ({ type }: AgentEvent) => type === "ended";
  const commands = async (id: string) => (await person().blocks({ session_id: id })).blocks.map(({ cmd }) => cmd);

  test("an agent does not lead, ask or start what is a person's", async () => {
    script = once(run("echo hi"));
    const id = await open();
    await person().ask({ session_id: id, text: "go", step_by_step: true, base_env: key("sk-one") });
    await until(id, isPaused);
    for (const action of ["step", "resume", "pause", "stop"] as const)
      await expect(agent().agent_control({ session_id: id, action })).rejects.toMatchObject({ code: "auth.forbidden" });
    await expect(agent().ask({ session_id: id, text: "mine" })).rejects.toMatchObject({ code: "auth.forbidden" });
    await expect(agent().ask({ text: "x", agent: "mine", cwd: folder })).rejects.toMatchObject({
      code: "auth.forbidden",
    });
    expect(await commands(id)).toEqual([]);
    await person().agent_control({ session_id: id, action: "resume" });
    await until(id, isOver);
    expect(await commands(id)).toEqual(["echo hi"]);
  });

  test("a stop after a restart ends the turn that was left", async () => {
    script = once(run("echo late"));
    const id = await open();
    await person().ask({ session_id: id, text: "go", step_by_step: true, base_env: key("sk-one") });
    await until(id, isPaused);
    process.kill((await duetty.status()).daemon.pid, "SIGKILL");
    await duetty.status();
    await person().stop({ session_id: id });
    await until(id, (event) => event.type === "ended" && event.outcome === "stopped");
    await person().release({ session_id: id });
    await expect(person().agent_control({ session_id: id, action: "resume" })).rejects.toThrow();
    expect(await commands(id)).toEqual([]);
  });

  test("resume after a restart takes the person's keys along; other keys count at the next question", async () => {
    script = once(run("echo on"));
    const id = await open();
    await person().ask({ session_id: id, text: "go", step_by_step: true, base_env: key("sk-one") });
    await until(id, isPaused);
    process.kill((await duetty.status()).daemon.pid, "SIGKILL");
    await duetty.status();
    const { status }: Output<"agent_events"> = await person().agent_events({ session_id: id });
    await person().agent_control({ session_id: id, action: "resume", base_env: key("sk-two") });
    const [first] = await until(id, (event) => isPaused(event) || isOver(event), status.seq);
    expect(first).toBeDefined();
    if ((await person().agent_events({ session_id: id })).status.state === "paused")
      await person().agent_control({ session_id: id, action: "resume" });
    await until(id, isOver);
    expect(provider.keys.has("sk-two")).toBe(true);
    script = () => ({ text: "third" });
    await person().ask({ session_id: id, text: "again", base_env: key("sk-three") });
    await until(id, (event) => event.type === "message" && event.text === "third");
    expect(provider.keys.has("sk-three")).toBe(true);
  });

  test("what fails to begin costs nobody the keyboard", async () => {
    const id = await open();
    await person().take({ session_id: id });
    await expect(person().ask({ session_id: id, text: "x", model: "nonsense/m" })).rejects.toMatchObject({
      code: "agent.unavailable",
    });
    await expect(person().agent_control({ session_id: id, action: "resume" })).rejects.toThrow();
    expect((await person().status({ session_id: id })).session).toMatchObject({
      hold: "person",
      hold_reason: "manual",
    });
  });

  test("a stopped agent's question is off: a late yes runs nothing", async () => {
    script = () => run("touch never-made");
    const id = await open("careful");
    await person().ask({ session_id: id, text: "go", base_env: key("sk-one") });
    const asked = (await until(id, ({ type }) => type === "proposal")).find((event) => event.type === "proposal");
    await person().agent_control({ session_id: id, action: "stop" });
    const approval_id = asked?.type === "proposal" ? asked.approval_id : "";
    await expect(person().approve({ approval_id })).rejects.toMatchObject({ code: "approval.settled" });
    await person().ask({ session_id: id, text: "again", base_env: key("sk-one") });
    let asks = 0;
    await until(id, ({ type }) => type === "proposal" && ++asks === 2);
    await person().agent_control({ session_id: id, action: "stop" });
    expect(fs.existsSync(join(folder, "never-made"))).toBe(false);
  });

  test("fields that are not offered are refused, files that cannot be read are told", async () => {
    fs.writeFileSync(join(folder, "locked"), "x", { mode: 0o000 });
    fs.symlinkSync(duetty.home.personToken, join(folder, "innocent"));
    script = once({
      calls: [
        { name: "run_command", args: { command: "sleep 654", mode: "pipe" } },
        { name: "read_file", args: { path: "innocent" } },
        { name: "read_file", args: { path: "missing" } },
        { name: "read_file", args: { path: "/proc/self/environ" } },
      ],
    });
    const id = await open();
    await person().ask({ session_id: id, text: "go", base_env: key("sk-one") });
    const seen = (await until(id, isOver)).flatMap((event) => (event.type === "observation" ? [event] : []));
    expect(seen.map(({ ok }) => ok)).toEqual([false, false, false, false]);
    expect(seen[0]?.text).toContain("no field mode");
    expect(JSON.stringify(seen)).not.toContain(duetty.token("person"));
  });

  test("a stop of everything holds for what is opened later, until somebody gives it back", async () => {
    await person().stop({});
    await expect(agent().pty_open({ cwd: folder })).rejects.toMatchObject({ code: "gate.held" });
    await expect(agent().ask({ text: "x", cwd: folder })).rejects.toMatchObject({ code: "gate.held" });
    const id = await open();
    await expect(agent().run_command({ session_id: id, command: "ls" })).rejects.toMatchObject({ code: "gate.held" });
    await expect(agent().pty_send({ session_id: id, text: "ls\n" })).rejects.toMatchObject({ code: "gate.held" });
    await person().release({ session_id: id });
    expect(await agent().run_command({ session_id: id, command: "ls" })).toMatchObject({ status: "done" });
  });
});
