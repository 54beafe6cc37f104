// The built-in agent at work in a real session, thinking with a model behind real HTTP: it fixes a bug through the terminal,
// under the gate, and is led by people at every point.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../../src/protocol/ops/agent.ts";
import type { Output } from "../../../src/protocol/ops.ts";
import { depth } from "../../fixtures/depth.ts";
import type { FakeReply, FakeRequest } from "../../fixtures/model/fake-provider.mjs";
import { soon } from "../../fixtures/soon.ts";
import { eventsUntil, isPaused } from "../../fixtures/stand/agent-events.ts";
import { FAILING_PROJECT } from "../../fixtures/stand/projects.ts";
import { sharedStand, UNBOXED } from "../../fixtures/stand/stand.ts";

const KEY = "sk-test-5d0f1c9b7a";

/** What a sensible model would do next, judged by what it was told so far. */
function fixer({ messages }: FakeRequest): FakeReply {
  const results = messages.filter(({ role, result_of }) => role === "tool" || result_of !== null).length;
  const plan = (done: number) => ({
    name: "plan",
    args: { plan: ["see it fail", "mend it"].map((text, i) => ({ text, status: i < done ? "completed" : "pending" })) },
  });
  if (results === 0) return { text: "I look first.", calls: [plan(0), { name: "run_tests", args: { scope: "all" } }] };
  if (results === 2) return { calls: [{ name: "read_file", args: { path: "sum.js" } }] };
  if (results === 3)
    return { calls: [{ name: "run_command", args: { command: "sed -i s/a\\ -\\ b/a\\ +\\ b/ sum.js" } }] };
  if (results === 4) return { calls: [{ name: "run_tests", args: { scope: "all" } }, plan(2)] };
  return { text: "The sign was wrong; the test passes now." };
}

const MODELS = ["anthropic/m", "openai/m", "openai-compatible/m"];

describe("the built-in agent", () => {
  const { duetty, person, folder, model, openShell, openGatedShell } = sharedStand({
    model: fixer,
    key: KEY,
    config: UNBOXED,
  });
  const projects: Record<string, string> = {};
  const sumIn = (name: string) => fs.readFileSync(join(projects[name] ?? "", "sum.js"), "utf8");

  async function session(name: string, open = openShell): Promise<string> {
    projects[name] = folder(FAILING_PROJECT);
    return (await open("bash", { cwd: projects[name], name })).session_id;
  }

  /** Everything told until the turn is over, or until `enough`. */
  const follow = (id: string, enough?: (event: AgentEvent) => boolean) => eventsUntil(person, id, enough);
  const ask = (id: string, text: string, more: object = {}): Promise<Output<"ask">> =>
    person.ask({ session_id: id, text, ...more });

  test.each(MODELS.slice(0, depth(1, MODELS.length)))(
    "%s: the agent finds a bug, fixes it and proves it",
    async (name) => {
      model().say(fixer);
      const id = await session(name);
      await ask(id, "make the test pass", { model: name });
      const events = await follow(id);
      const steps = events.flatMap((event) => (event.type === "step" ? [`${event.tool} ${event.kind}`] : []));
      expect(steps).toEqual([
        "plan internal",
        "run_tests terminal",
        "read_file internal",
        "run_command terminal",
        "run_tests terminal",
        "plan internal",
      ]);
      const seen = events.flatMap((event) => (event.type === "observation" ? [[event.tool, event.ok]] : []));
      expect(seen).toEqual([
        ["plan", true],
        ["run_tests", false],
        ["read_file", true],
        ["run_command", true],
        ["run_tests", true],
        ["plan", true],
      ]);
      expect(events.findLast(({ type }) => type === "message")).toMatchObject({
        text: "The sign was wrong; the test passes now.",
      });
      expect(events.at(-1)).toMatchObject({ type: "status", state: "idle" });
      expect(sumIn(name)).toContain("a + b");
      const { blocks } = await person.blocks({ session_id: id });
      expect(blocks.map(({ actor, exit_code }) => [actor, exit_code])).toEqual([
        ["agent:duetty", 1],
        ["agent:duetty", 0],
        ["agent:duetty", 0],
      ]);
    },
  );

  test("an action that needs a person waits, and a denial is an observation", async () => {
    model().say(fixer);
    const id = await session("gated", openGatedShell);
    await ask(id, "make the test pass");
    const events = await follow(id, ({ type }) => type === "proposal");
    const proposal = events.find((event) => event.type === "proposal");
    expect(proposal).toMatchObject({ tool: "run_command", text: expect.stringContaining("sed -i") });
    expect((await person.agent_events({ session_id: id })).status).toMatchObject({ state: "waiting" });
    await person.deny({
      approval_id: proposal?.type === "proposal" ? proposal.approval_id : "",
      reason: "by hand, please",
    });
    const after = await follow(id);
    const denied = after.find((event) => event.type === "observation" && event.tool === "run_command");
    expect(denied).toMatchObject({ ok: false, text: expect.stringContaining("by hand, please") });
    expect(sumIn("gated")).toContain("a - b");
  });

  test("step by step, paused, resumed, stopped: nothing runs after a stop", async () => {
    model().say(({ n }) => ({ calls: [{ name: "run_command", args: { command: `echo step-$((${n}+0))` } }] }));
    const id = await session("led");
    await ask(id, "count", { step_by_step: true });
    await follow(id, isPaused);
    expect((await person.blocks({ session_id: id })).blocks).toEqual([]);
    await person.agent_control({ session_id: id, action: "step" });
    let acted = false;
    await follow(id, (event) => {
      acted ||= event.type === "observation";
      return acted && isPaused(event);
    });
    expect((await person.blocks({ session_id: id })).blocks).toHaveLength(1);
    await person.agent_control({ session_id: id, action: "resume" });
    let seen = 0;
    await follow(id, ({ type }) => type === "observation" && ++seen === 4);
    const stopped = await person.agent_control({ session_id: id, action: "stop" });
    expect(stopped).toMatchObject({ state: "idle", outcome: "stopped" });
    // What the shell had taken before the stop has run when the next command has.
    const agentsBlocks = async () => {
      await person.run_command({ session_id: id, command: "true" });
      return (await person.blocks({ session_id: id })).blocks.filter(({ actor }) => actor !== "person").length;
    };
    const [asked, before] = [model().requests.length, await agentsBlocks()];
    expect(await agentsBlocks()).toBe(before);
    expect(model().requests.length).toBe(asked);
  });

  /** What was entered is on the screen before it runs. */
  const sleeps = (session_id: string) =>
    soon(async () => expect((await person.pty_screen_status({ session_id })).foreground?.name).toBe("sleep"));

  test("the person's stop ends the turn", async () => {
    model().say(() => ({ calls: [{ name: "run_command", args: { command: "sleep 60" } }] }));
    const id = await session("stopped");
    await ask(id, "wait");
    await sleeps(id);
    await person.stop({ session_id: id });
    const events = await follow(id);
    expect(events.find(({ type }) => type === "ended")).toMatchObject({ outcome: "stopped" });
    const { status } = await person.agent_events({ session_id: id });
    expect(status).toMatchObject({ state: "idle", outcome: "stopped" });
  });

  test("the agent waits while a person has the keyboard and goes on when it is released", async () => {
    model().say(({ messages }) =>
      messages.some(({ role }) => role === "tool")
        ? { text: "went on" }
        : { calls: [{ name: "run_command", args: { command: "sleep 60" } }] },
    );
    const id = await session("held");
    await ask(id, "wait");
    await sleeps(id);
    await person.take({ session_id: id });
    await follow(id, (event) => event.type === "status" && event.state === "waiting");
    const asked = model().requests.length;
    await person.pty_send({ session_id: id, keys: ["Ctrl+C"], then: { any: [{ prompt: true }] } });
    expect(model().requests.length).toBe(asked);
    await person.release({ session_id: id });
    const events = await follow(id);
    expect(events.findLast(({ type }) => type === "message")).toMatchObject({ text: "went on" });
  });

  test("a model is asked again after 429 and 500 but not after 401, and a refusal is reported", async () => {
    const answers: FakeReply[] = [
      { status: 429, headers: { "retry-after-ms": "5" } },
      { status: 500 },
      { calls: [{ name: "note", malformed_args: "{no" }] },
      { text: "there" },
    ];
    model().say(() => answers.shift() ?? { text: "more" });
    const id = await session("troubles");
    await ask(id, "hello");
    const events = await follow(id);
    expect(events.filter(({ type }) => type === "trouble")).toHaveLength(2);
    expect(events.findLast(({ type }) => type === "message")).toMatchObject({ text: "there" });
    model().say(() => ({ status: 401 }));
    await ask(id, "again");
    const failed = await follow(id, (event) => event.type === "ended" && event.outcome === "failed");
    expect(failed.findLast(({ type }) => type === "trouble")).toMatchObject({ retry_in_ms: null });
    model().say(() => ({ refuse: true }));
    await ask(id, "and again");
    let ends = 0;
    await follow(id, (event) => event.type === "ended" && event.outcome === "failed" && ++ends === 2);
    const everything = duetty.contents(duetty.home.dir);
    expect(everything.size).toBeGreaterThan(0);
    for (const [file, text] of everything) expect([file, text.includes(KEY)]).toEqual([file, false]);
  });

  test("a killed daemon is reported, and the turn goes on when a person resumes it", async () => {
    model().say(fixer);
    const id = await session("restart", openGatedShell);
    await ask(id, "make the test pass");
    await follow(id, ({ type }) => type === "proposal");
    await duetty.killDaemon();
    const { status } = await duetty.json<Output<"agent_events">>("conversation", id);
    expect(status).toMatchObject({ state: "paused", note: expect.stringContaining("restarted") });
    await person.policy({ session_id: id, level: "always_allow", safe_mode: "off" });
    await person.agent_control({ session_id: id, action: "resume" });
    const events = await follow(id);
    const lost = events.filter((event) => event.type === "observation" && event.text.includes("restarted"));
    expect(lost).toHaveLength(1);
    expect(events.find(({ type }) => type === "ended")).toMatchObject({ outcome: "done" });
  });
});
