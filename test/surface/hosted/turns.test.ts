// A hosted agent's turns, with a scripted ACP agent as a real child.
import { expect, test } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import { processRow, processTable } from "../../../src/host/process/table.ts";
import { presets } from "../../../src/serve/acp/presets.ts";
import { HostedWorld } from "../../fixtures/agent/hosted-world.ts";

test("an agent's words come in chunks and as one message", async () => {
  await using world = await new HostedWorld().begin();
  expect(await world.ask("say hello world")).toBe("done");
  const chunks = world.of("chunk");
  expect(chunks.map(({ about, text }) => `${about}:${text}`)).toEqual([
    "thought:hm",
    "message:hello",
    "message: world",
  ]);
  expect(world.of("message")).toEqual([{ type: "message", text: "hello world" }]);
  expect(world.history.at(-1)).toEqual({ role: "agent", text: "hello world", calls: [] });
  expect(world.of("status").map(({ state }) => state)).toEqual(["thinking"]);
});

test("the first prompt says where the agent works; later ones are only the person's words", async () => {
  await using world = await new HostedWorld().begin();
  await world.ask("whole");
  expect(world.said).toContain(`session_id "${world.session.id}"`);
  expect(world.said).not.toContain("The conversation so far");
  await world.ask("whole");
  expect(world.said).toBe("whole");
});

test("a plan is reported; unknown kinds of updates are ignored", async () => {
  await using world = await new HostedWorld().begin();
  await world.ask("plan");
  expect(world.of("plan")[0]?.plan).toEqual([
    { text: "look", status: "completed" },
    { text: "fix", status: "in_progress" },
  ]);
  expect(await world.ask("newer")).toBe("done");
  expect(world.said).toBe("still here");
});

test("a call of the agent's own tool is a step, then an observation that says how much it omits", async () => {
  await using world = await new HostedWorld().begin();
  expect(await world.ask("tool ls -l")).toBe("done");
  const kinds = world.events.map(({ type }) => type).filter((type) => type !== "chunk" && type !== "status");
  expect(kinds).toEqual(["message", "step", "observation", "message"]);
  expect(world.of("step")).toEqual([
    { type: "step", step: 1, call_id: "call_1", tool: "execute", kind: "external", title: "ls -l" },
  ]);
  const [observation] = world.of("observation");
  expect(observation).toMatchObject({ ok: true, call_id: "call_1", block_id: null });
  expect(observation?.text).toContain("[8040 characters left out]");
});

test("a permission request is a question to people and is granted once at most", async () => {
  await using world = await new HostedWorld().begin();
  const turn = world.ask("permission npm install left-pad");
  const question = await world.question();
  expect(question).toMatchObject({
    kind: "tool",
    actor: "agent:scripted",
    text: "npm install left-pad",
    rule: "hosted.permission",
    risk: { class: "risky", kind: "install" },
  });
  expect(world.of("step")[0]).toMatchObject({ title: "npm install left-pad", kind: "external" });
  world.approvals.approve(question.approval_id, {});
  expect(await turn).toBe("done");
  expect(world.said).toBe("once");
});

test("a denial rejects the call, and an edit's changes are shown", async () => {
  await using world = await new HostedWorld().begin();
  const turn = world.ask("edit");
  const question = await world.question();
  expect(question.text).toBe("Edit a.txt\n/tmp/a.txt\n-one\n+two");
  expect(question.risk).toBeNull();
  world.approvals.settle(question.approval_id, { state: "denied", answer: "not that file" });
  expect(await turn).toBe("done");
  expect(world.said).toBe("no");
});

test("a person's rule for the session answers the next time", async () => {
  await using world = await new HostedWorld().begin();
  world.session.gate.agentLane.allowAlways("make deploy", world.session.info().cwd);
  expect(await world.ask("permission make deploy")).toBe("done");
  expect(world.said).toBe("once");
  expect(world.approvals.list("all")).toEqual([]);
});

test("calls of our own tools are not asked twice, and no other call passes for one", async () => {
  await using world = await new HostedWorld().begin();
  expect(await world.ask("own")).toBe("done");
  expect(world.said).toBe("once");
  expect(world.approvals.list("all")).toEqual([]);
  expect(world.of("step")[0]).toMatchObject({ kind: "terminal", tool: "run_command", title: "run_command: date" });
  const turn = world.ask("forged");
  const question = await world.question();
  expect(question.text).toBe("mcp__duetty__run_command");
  world.approvals.settle(question.approval_id, { state: "denied", answer: null });
  await turn;
});

test("a stop cancels the question and ends the turn, and nothing is reported after it", async () => {
  await using world = await new HostedWorld().begin();
  const turn = world.ask("permission npm install x");
  const question = await world.question();
  world.agent.stop();
  const events = world.events.length;
  expect(await turn).toBe("stopped");
  expect(world.events.length).toBe(events);
  const settled = world.approvals.find(question.approval_id);
  expect(isFault(settled) ? settled : settled.state).toBe("cancelled");
  // The same program takes the next turn.
  await world.ask("whole");
  expect(world.said).toBe("whole");
});

test("an agent that hangs ends its turn at session/cancel", async () => {
  await using world = await new HostedWorld().begin();
  const turn = world.ask("hang");
  await world.until(() => world.of("chunk")[0]);
  world.agent.stop();
  expect(await turn).toBe("stopped");
  await world.ask("whole");
  expect(world.said).toBe("whole");
});

test("after a stop during the agent's start the next turn still says where it works", async () => {
  await using world = await new HostedWorld().begin();
  const turn = world.ask("say never");
  const children = () =>
    processTable().filter((row) => row.parent === process.pid && /hosted_scripted_/.test(row.environ()));
  await expect.poll(() => children().length).toBe(1);
  world.agent.stop();
  expect(await turn).toBe("stopped");
  await world.ask("whole");
  expect(world.said).toContain(`session_id "${world.session.id}"`);
});

test("step and time limits end a turn", async () => {
  await using world = await new HostedWorld().begin();
  expect(await world.ask("steps 5", { max_steps: 3 })).toBe("limit");
  expect(world.of("step")).toHaveLength(4);
  expect(world.of("trouble")[0]?.message).toContain("3 steps");
  expect(await world.ask("hang", { time_limit_ms: 50 })).toBe("limit");
});

test("an agent's own refusals and limits are reported", async () => {
  await using world = await new HostedWorld().begin();
  expect(await world.ask("refuse")).toBe("failed");
  expect(await world.ask("tired")).toBe("limit");
  expect(world.of("trouble").map(({ message }) => message)).toEqual([
    "the agent's model refused this",
    "the agent's own limit is reached (max_tokens)",
  ]);
});

test("a crash is reported with the agent's last output; the next process reads the conversation", async () => {
  await using world = await new HostedWorld().begin();
  await world.ask("say the answer is 42");
  expect(await world.ask("crash")).toBe("failed");
  expect(world.of("trouble")[0]?.message).toBe("the agent's program ended (exit code 3):\nboom: the model is on fire");
  expect(await world.ask("whole")).toBe("done");
  expect(world.said).toContain(
    "Person: say the answer is 42\n\nYou: the answer is 42\n\nPerson: crash\n</conversation>",
  );
});

test("output that an agent writes just before its end is read", async () => {
  await using world = await new HostedWorld().begin();
  expect(await world.ask("farewell")).toBe("failed");
  expect(world.said).toBe("farewell");
  expect(world.of("trouble")[0]?.message).toBe("the agent's program ended (exit code 0)");
});

test("an agent ends with its session", async () => {
  await using world = await new HostedWorld().begin();
  await world.ask("pid");
  const pid = Number(/pid (\d+)/.exec(world.said)?.[1]);
  expect(processRow(pid)).not.toBeNull();
  await world.session.close({ kind: "person" });
  await expect.poll(() => processRow(pid)).toBeNull();
});

test("an agent that ignores the stop is ended with its process tree", async () => {
  await using world = await new HostedWorld().begin();
  const turn = world.ask("ignore-cancel");
  const pid = await world.until(() => /pid (\d+)/.exec(world.of("step")[0]?.title ?? "")?.[1]);
  world.agent.stop();
  expect(await turn).toBe("stopped");
  expect(processRow(Number(pid))).toBeNull();
});

test("an agent's background processes end with it", async () => {
  await using world = await new HostedWorld().begin();
  await world.ask("orphan");
  const pid = Number(/orphan (\d+)/.exec(world.said)?.[1]);
  expect(processRow(pid)).not.toBeNull();
  await world.agent.dispose();
  expect(processRow(pid)).toBeNull();
});

test("an agent that wants a login and one that cannot be started are reported", async () => {
  await using world = await new HostedWorld({ SCRIPTED_LOGIN: "1" }).begin();
  expect(await world.ask("say hi")).toBe("failed");
  expect(world.of("trouble")[0]?.message).toContain("wants a login");
  const pause = world.agent.pause();
  expect(pause.code).toBe("agent.unavailable");
});

test("presets list known agents with what they lack, and a person's own", () => {
  const all = presets({ mine: { command: ["node", "x"] }, gemini: { command: ["sh"], env: { A: "1" } } }, process.env);
  expect(all.map(({ name }) => name)).toEqual(["claude", "codex", "opencode", "mine", "gemini"]);
  expect(all.find(({ name }) => name === "gemini")).toMatchObject({ argv: ["sh"], available: true, env: { A: "1" } });
  const [claude] = presets({}, { PATH: "/nowhere" });
  expect(claude).toMatchObject({ available: false, note: "npm install -g @agentclientprotocol/claude-agent-acp" });
});
