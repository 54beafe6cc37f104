// A hosted agent as people use it: through the operations of a real daemon, with our MCP server.
import fs from "node:fs";
import { expect, test } from "vitest";
import { processTable } from "../../../src/host/process/table.ts";
import type { AgentEvent } from "../../../src/protocol/ops/agent.ts";
import { SCRIPTED } from "../../fixtures/agent/hosted-world.ts";
import { eventsUntil, ofType } from "../../fixtures/stand/agent-events.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const COMMAND = [process.execPath, SCRIPTED];
const AGENTS = { scripted: { command: COMMAND }, missing: { command: ["no-such-agent"] } };
const KEEPER = { command: COMMAND, env: { SCRIPTED_KEEPS: "resume" } };

const { duetty, person, folder, openBash } = sharedStand({ config: { agents: AGENTS } });
/** Of the agent that keeps its sessions, over the daemon's restart. */
let kept: string;

const configure = (more: object, agent: object = {}) => duetty.configure({ agents: { ...AGENTS, ...more }, agent });

/** The first event of a kind after `since`. */
async function next<T extends AgentEvent["type"]>(session_id: string, type: T, since: number) {
  const events = await eventsUntil(person, session_id, (event) => event.type === type, since);
  const [found] = ofType(events, type);
  if (!found) throw new Error(`no ${type}`);
  return found;
}

/** Asks, and tells what came of it. */
async function turn(session_id: string, text: string, agent = "scripted") {
  const { seq } = await person.ask({ session_id, agent, text });
  const ended = await next(session_id, "ended", seq - 1);
  const { events } = await person.agent_events({ session_id, since: seq - 1 });
  return { outcome: ended.outcome, events, said: ofType(events, "message").at(-1)?.text ?? "" };
}

function hostedProcesses(): number[] {
  const mine = (environ: string) =>
    environ.includes("\0DUETTY_SESSION_ID=hosted_scripted_") && environ.includes(`DUETTY_HOME=${duetty.home.dir}`);
  return processTable().flatMap((row) => (mine(`\0${row.environ()}`) ? [row.pid] : []));
}

test("hosted agents are listed with what they lack", async () => {
  const { agents } = await person.agents({});
  expect(agents.find(({ name }) => name === "scripted")).toMatchObject({ kind: "hosted", available: true });
  const missing = agents.find(({ name }) => name === "missing");
  expect(missing?.available).toBe(false);
  expect(missing?.note).toContain("no-such-agent");
  await expect(person.ask({ agent: "missing", text: "say hi", cwd: "/" })).rejects.toMatchObject({
    code: "agent.unavailable",
  });
});

test("changes of agents in config.json count from the next task on", async () => {
  const session_id = await openBash({ cwd: folder() });
  kept = session_id;
  configure({ later: KEEPER }, { default: "later", max_steps: 2 });
  const { agents } = await person.agents({});
  expect(agents.find(({ name }) => name === "later")).toMatchObject({ available: true, is_default: true });
  const { seq, agent, steps_max } = await person.ask({ session_id, text: "memory" });
  expect({ agent, steps_max }).toEqual({ agent: "later", steps_max: 2 });
  expect(JSON.parse((await next(session_id, "message", seq - 1)).text)).toEqual({ begun: "new", asked: ["memory"] });
  await next(session_id, "ended", seq - 1);
  // The same agent, made of something else.
  configure({ later: { command: COMMAND, env: { SCRIPTED_LOGIN: "1" } } });
  const wants = await turn(session_id, "say hi", "later");
  expect(ofType(wants.events, "trouble")[0]?.message).toContain("login");
  // What it never got it is told in words.
  configure({ later: KEEPER });
  expect((await turn(session_id, "whole", "later")).said).toContain("Person: say hi");
  fs.writeFileSync(duetty.home.config, "{");
  const broken = { code: "agent.unavailable", message: expect.stringContaining("is not JSON") };
  await expect(person.ask({ session_id, text: "say hi" })).rejects.toMatchObject(broken);
  await expect(person.agents({})).rejects.toMatchObject(broken);
  // The built-in agent's name.
  configure({ duetty: { command: COMMAND } });
  await expect(person.agents({})).rejects.toMatchObject({ message: expect.stringContaining("agents.duetty") });
  configure({});
});

test("an agent's MCP commands are blocks of the shared session", async () => {
  const session_id = await openBash({ cwd: folder() });
  const args = JSON.stringify({ session_id, command: "echo from-the-agent" });
  const { outcome, said } = await turn(session_id, `mcp run_command ${args}`);
  expect(outcome).toBe("done");
  expect(said).toContain("from-the-agent");
  const { blocks } = await person.blocks({ session_id });
  expect(blocks.map(({ cmd, actor, exit_code }) => ({ cmd, actor, exit_code }))).toEqual([
    { cmd: "echo from-the-agent", actor: "agent:scripted", exit_code: 0 },
  ]);
});

test("an agent's permission requests are questions that any surface can answer", async () => {
  const session_id = await openBash({ cwd: folder() });
  const { seq } = await person.ask({ session_id, agent: "scripted", text: "permission npm install left-pad" });
  const proposal = await next(session_id, "proposal", seq - 1);
  expect(proposal.text).toBe("npm install left-pad");
  const { approvals } = await person.approvals({ session_id });
  expect(approvals).toMatchObject([{ approval_id: proposal.approval_id, kind: "tool", actor: "agent:scripted" }]);
  const { status } = await person.agent_events({ session_id });
  expect(status).toMatchObject({ state: "waiting", approval_id: proposal.approval_id });
  await person.approve({ approval_id: proposal.approval_id });
  const message = await next(session_id, "message", proposal.seq);
  expect(message.text).toBe("once");
  expect((await next(session_id, "ended", message.seq)).outcome).toBe("done");
});

test("a form that the agent fills in is not an answer: the command waits for people", async () => {
  const session_id = await openBash({ cwd: folder() });
  const file = `${folder()}/kept`;
  fs.writeFileSync(file, "");
  const { seq } = await person.ask({ session_id, agent: "scripted", text: `mcp-forms ${session_id} rm -rf ${file}` });
  const pending = async () => (await person.approvals({ session_id })).approvals;
  await expect.poll(pending).toMatchObject([{ kind: "run", actor: "agent:scripted" }]);
  // A no that comes before our server waits for it is asked for once more.
  const refused = async () => {
    for (const { approval_id } of await pending()) await person.deny({ approval_id, reason: "keep it" });
    return (await person.agent_events({ session_id, since: seq - 1 })).events.some(({ type }) => type === "ended");
  };
  await expect.poll(refused).toBe(true);
  const { text } = await next(session_id, "message", seq - 1);
  expect(JSON.parse(text)).toMatchObject({ forms: 0, text: expect.stringContaining("keep it") });
  expect(fs.existsSync(file)).toBe(true);
  expect((await person.blocks({ session_id })).blocks).toEqual([]);
});

test("programs that an agent opens are judged and boxed as other agents' lines are, and people see them", async () => {
  const cwd = folder({ "kept.txt": "kept" });
  const outside = `${folder()}/made`;
  const session_id = await openBash({ cwd });
  const { said } = await turn(session_id, `terminal touch ${outside} inside; cat ${duetty.home.dir}/p*; echo seen`);
  expect(JSON.parse(said).seen).toMatchObject({
    output: expect.stringContaining("seen\n"),
    exitStatus: { exitCode: 0 },
  });
  expect(said).toContain("No such file");
  expect([fs.existsSync(outside), fs.existsSync(`${cwd}/inside`)]).toEqual([false, true]);
  const { sessions } = await person.pty_list({ all: true });
  const opened = sessions.find(
    ({ command, actor }) => command.join(" ").includes("echo seen") && actor === "agent:scripted",
  );
  expect(opened?.box?.roots).toEqual([cwd]);
  const pending = async () => (await person.approvals({})).approvals;
  for (const [line, where] of [
    ["npm install left-pad", "box+network"],
    ["rm -rf kept.txt", "box"],
    ["sudo reboot", "outside"],
  ] as const) {
    const { seq } = await person.ask({ session_id, agent: "scripted", text: `terminal-refused ${line}` });
    await expect.poll(pending).toMatchObject([{ kind: "open", where }]);
    const [question] = await pending();
    await person.deny({ approval_id: question?.approval_id ?? "", reason: "not now" });
    expect((await next(session_id, "message", seq - 1)).text).toContain("a person did not allow it: not now");
    await next(session_id, "ended", seq - 1);
  }
  expect(fs.existsSync(`${cwd}/kept.txt`)).toBe(true);
});

test("an agent that a killed daemon left behind is found and ended", async () => {
  const session_id = await openBash({ cwd: folder() });
  const { seq } = await person.ask({ session_id, agent: "scripted", text: "ignore-cancel" });
  await next(session_id, "step", seq - 1);
  expect(hostedProcesses().length).toBeGreaterThan(0);
  await duetty.killDaemon();
  // It heeds neither the end of its input nor a word: the next daemon ends it before it lets anybody in.
  await duetty.status();
  expect(hostedProcesses()).toEqual([]);
});

test("an agent that keeps its sessions resumes in a new daemon", async () => {
  configure({ later: KEEPER });
  const { said } = await turn(kept, "memory", "later");
  expect(JSON.parse(said)).toEqual({ begun: "resume", asked: ["whole", "memory"] });
});

test("unsupported requests are refused before anything begins", async () => {
  const session_id = await openBash({ cwd: folder() });
  const asked = person.ask({ session_id, agent: "scripted", text: "say hi", step_by_step: true });
  await expect(asked).rejects.toMatchObject({ message: "a hosted agent cannot work step by step" });
  expect((await person.agent_events({ session_id })).events).toEqual([]);
});

test("a stop ends an agent's turn, and shutdown ends its processes", async () => {
  const session_id = await openBash({ cwd: folder() });
  const { seq } = await person.ask({ session_id, agent: "scripted", text: "steps 1" });
  await next(session_id, "observation", seq - 1);
  for (const action of ["pause", "resume", "step"] as const)
    await expect(person.agent_control({ session_id, action })).rejects.toMatchObject({
      code: "agent.unavailable",
      message: expect.stringContaining("a hosted agent cannot"),
      hint: expect.stringContaining("Take the keyboard"),
    });
  const status = await person.agent_control({ session_id, action: "stop" });
  expect(status).toMatchObject({ state: "idle", outcome: "stopped" });
  expect(hostedProcesses().length).toBeGreaterThan(0);
  await duetty.cli("shutdown");
  await expect.poll(hostedProcesses).toEqual([]);
});
