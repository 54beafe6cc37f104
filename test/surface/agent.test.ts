// The built-in agent at work in a real session, thinking with a model behind real HTTP: it fixes a bug through the terminal,
// under the gate, and is led by people at every point.
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

const KEY = "sk-test-5d0f1c9b7a";

/** A project with one wrong sign in it. */
function buggyProject(dir: string): string {
  fs.mkdirSync(dir, { recursive: true });
  const test = `import { test } from "node:test";\nimport assert from "node:assert";\nimport { sum } from "./sum.mjs";\ntest("adds", () => assert.equal(sum(2, 3), 5));\n`;
  fs.writeFileSync(join(dir, "package.json"), JSON.stringify({ name: "sums", scripts: { test: "node --test" } }));
  fs.writeFileSync(join(dir, "sum.mjs"), "export function sum(a, b) {\n  return a - b;\n}\n");
  fs.writeFileSync(join(dir, "sum.test.mjs"), test);
  return dir;
}

/** What a sensible model would do next, judged by what it was told so far. */
function fixer({ messages }: FakeRequest): FakeReply {
  const results = messages.filter(({ role, result_of }) => role === "tool" || result_of !== null).length;
  const plan = (done: number) => ({
    name: "plan",
    args: { plan: ["see it fail", "mend it"].map((text, i) => ({ text, status: i < done ? "completed" : "pending" })) },
  });
  if (results === 0) return { text: "I look first.", calls: [plan(0), { name: "run_tests", args: { scope: "all" } }] };
  if (results === 2) return { calls: [{ name: "read_file", args: { path: "sum.mjs" } }] };
  if (results === 3)
    return { calls: [{ name: "run_command", args: { command: "sed -i s/a\\ -\\ b/a\\ +\\ b/ sum.mjs" } }] };
  if (results === 4) return { calls: [{ name: "run_tests", args: { scope: "all" } }, plan(2)] };
  return { text: "The sign was wrong; the test passes now." };
}

describe("the built-in agent", () => {
  const duetty = new Installation();
  const projects = fs.mkdtempSync(join(tmpdir(), "dt-projects-"));
  let provider: FakeProvider;
  let script: (request: FakeRequest) => FakeReply | Promise<FakeReply> = fixer;

  beforeAll(async () => {
    provider = await FakeProvider.start((request) => script(request));
    Object.assign(duetty.env, { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: provider.url, OPENAI_API_KEY: KEY });
    Object.assign(duetty.env, { OPENAI_BASE_URL: `${provider.url}/v1` });
    await duetty.status();
  });
  afterAll(async () => {
    await duetty[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
    fs.rmSync(projects, { recursive: true, force: true });
  });

  async function session(name: string, manners: "trusting" | "careful" = "trusting"): Promise<string> {
    const cwd = buggyProject(join(projects, name));
    return (await openShell(duetty, "bash", { cwd, name }, manners)).session_id;
  }

  /** Everything told until the turn is over, or until `enough`. */
  async function follow(id: string, enough: (event: AgentEvent) => boolean = ({ type }) => type === "ended") {
    const events: AgentEvent[] = [];
    const deadline = Date.now() + SOON_MS;
    for (let isEnough = false; !isEnough; ) {
      if (Date.now() > deadline) throw new Error(`not told: ${JSON.stringify(events.slice(-5))}`);
      const since = events.at(-1)?.seq ?? 0;
      const told = await duetty.client().agent_events({ session_id: id, since, timeout_ms: 5_000 });
      events.push(...told.events);
      // Each is looked at once: some count.
      for (const event of told.events) isEnough = enough(event) || isEnough;
    }
    return events;
  }

  const ask = (id: string, text: string, more: object = {}): Promise<Output<"ask">> =>
    duetty.client().ask({ session_id: id, text, ...more });

  test.each(["anthropic/m", "openai/m", "openai-compatible/m"])(
    "%s: a bug is found, mended and proven",
    async (model) => {
      script = fixer;
      const id = await session(model.replace("/", "-"));
      await ask(id, "make the test pass", { model });
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
      expect(fs.readFileSync(join(projects, model.replace("/", "-"), "sum.mjs"), "utf8")).toContain("a + b");
      const { blocks } = await duetty.client().blocks({ session_id: id });
      expect(blocks.map(({ actor, exit_code }) => [actor, exit_code])).toEqual([
        ["agent:duetty", 1],
        ["agent:duetty", 0],
        ["agent:duetty", 0],
      ]);
    },
  );

  test("what needs a person waits for one, and a no is an observation", async () => {
    script = fixer;
    const id = await session("careful", "careful");
    await ask(id, "make the test pass");
    const events = await follow(id, ({ type }) => type === "proposal");
    const proposal = events.find((event) => event.type === "proposal");
    expect(proposal).toMatchObject({ tool: "run_command", text: expect.stringContaining("sed -i") });
    expect((await duetty.client().agent_events({ session_id: id })).status).toMatchObject({ state: "waiting" });
    await duetty
      .client()
      .deny({ approval_id: proposal?.type === "proposal" ? proposal.approval_id : "", reason: "by hand, please" });
    const after = await follow(id);
    const denied = after.find((event) => event.type === "observation" && event.tool === "run_command");
    expect(denied).toMatchObject({ ok: false, text: expect.stringContaining("by hand, please") });
    expect(fs.readFileSync(join(projects, "careful/sum.mjs"), "utf8")).toContain("a - b");
  });

  test("step by step, paused, resumed, stopped: nothing runs after a stop", async () => {
    script = ({ n }) => ({ calls: [{ name: "run_command", args: { command: `echo step-$((${n}+0))` } }] });
    const id = await session("led");
    await ask(id, "count", { step_by_step: true });
    const isPaused = (event: AgentEvent) => event.type === "status" && event.state === "paused";
    await follow(id, isPaused);
    expect((await duetty.client().blocks({ session_id: id })).blocks).toEqual([]);
    await duetty.client().agent_control({ session_id: id, action: "step" });
    let acted = false;
    await follow(id, (event) => {
      acted ||= event.type === "observation";
      return acted && isPaused(event);
    });
    expect((await duetty.client().blocks({ session_id: id })).blocks).toHaveLength(1);
    await duetty.client().agent_control({ session_id: id, action: "resume" });
    let seen = 0;
    await follow(id, ({ type }) => type === "observation" && ++seen === 4);
    const stopped = await duetty.client().agent_control({ session_id: id, action: "stop" });
    expect(stopped).toMatchObject({ state: "idle", outcome: "stopped" });
    // What the shell had taken before the stop has run when the next command has.
    const agentsBlocks = async () => {
      await duetty.client().run_command({ session_id: id, command: "true" });
      return (await duetty.client().blocks({ session_id: id })).blocks.filter(({ actor }) => actor !== "person").length;
    };
    const [asked, before] = [provider.requests.length, await agentsBlocks()];
    expect(await agentsBlocks()).toBe(before);
    expect(provider.requests.length).toBe(asked);
  });

  test("the person's stop ends the turn", async () => {
    script = () => ({ calls: [{ name: "run_command", args: { command: "sleep 60" } }] });
    const id = await session("stopped");
    await ask(id, "wait");
    await duetty.client().pty_wait({ session_id: id, any: [{ text: "sleep 60" }], since: 0 });
    await duetty.client().stop({ session_id: id });
    const events = await follow(id);
    expect(events.find(({ type }) => type === "ended")).toMatchObject({ outcome: "stopped" });
    const { status } = await duetty.client().agent_events({ session_id: id });
    expect(status).toMatchObject({ state: "idle", outcome: "stopped" });
  });

  test("a person who takes the keyboard holds the agent up; it goes on when it is given back", async () => {
    script = ({ messages }) =>
      messages.some(({ role }) => role === "tool")
        ? { text: "went on" }
        : { calls: [{ name: "run_command", args: { command: "sleep 60" } }] };
    const id = await session("held");
    await ask(id, "wait");
    await duetty.client().pty_wait({ session_id: id, any: [{ text: "sleep 60" }], since: 0 });
    await duetty.client().take({ session_id: id });
    await follow(id, (event) => event.type === "status" && event.state === "waiting");
    const asked = provider.requests.length;
    await duetty.client().pty_send({ session_id: id, keys: ["Ctrl+C"], then: { any: [{ prompt: true }] } });
    expect(provider.requests.length).toBe(asked);
    await duetty.client().release({ session_id: id });
    const events = await follow(id);
    expect(events.findLast(({ type }) => type === "message")).toMatchObject({ text: "went on" });
  });

  test("troubles: asked again after 429 and 500, given up at 401, a refusal is said", async () => {
    const answers: FakeReply[] = [
      { status: 429, headers: { "retry-after-ms": "5" } },
      { status: 500 },
      { calls: [{ name: "note", malformed_args: "{no" }] },
      { text: "there" },
    ];
    script = () => answers.shift() ?? { text: "more" };
    const id = await session("troubles");
    await ask(id, "hello");
    const events = await follow(id);
    expect(events.filter(({ type }) => type === "trouble")).toHaveLength(2);
    expect(events.findLast(({ type }) => type === "message")).toMatchObject({ text: "there" });
    script = () => ({ status: 401 });
    await ask(id, "again");
    const failed = await follow(id, (event) => event.type === "ended" && event.outcome === "failed");
    expect(failed.findLast(({ type }) => type === "trouble")).toMatchObject({ retry_in_ms: null });
    script = () => ({ refuse: true });
    await ask(id, "and again");
    let ends = 0;
    await follow(id, (event) => event.type === "ended" && event.outcome === "failed" && ++ends === 2);
    const everything = duetty.contents(duetty.home.dir);
    expect(everything.size).toBeGreaterThan(0);
    for (const [file, text] of everything) expect([file, text.includes(KEY)]).toEqual([file, false]);
  });

  test("a daemon that is gone in the middle is told, and the turn goes on when somebody says so", async () => {
    script = fixer;
    const id = await session("restart", "careful");
    await ask(id, "make the test pass");
    await follow(id, ({ type }) => type === "proposal");
    process.kill((await duetty.status()).daemon.pid, "SIGKILL");
    const { status } = await duetty.json<Output<"agent_events">>("conversation", id);
    expect(status).toMatchObject({ state: "paused", note: expect.stringContaining("restarted") });
    await duetty.client().policy({ session_id: id, level: "always_allow", safe_mode: "off" });
    await duetty.client().agent_control({ session_id: id, action: "resume" });
    const events = await follow(id);
    const lost = events.filter((event) => event.type === "observation" && event.text.includes("restarted"));
    expect(lost).toHaveLength(1);
    expect(events.find(({ type }) => type === "ended")).toMatchObject({ outcome: "done" });
  });
});
