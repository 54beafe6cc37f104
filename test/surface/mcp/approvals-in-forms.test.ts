// A person's yes through an MCP client: accepted, declined, cancelled, and together with others.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectMcp, type Elicit, LINES, type Line, type Mcp, type Way } from "../../fixtures/mcp/clients.ts";
import { alwaysSays, riskyCommand, riskyIn } from "../../fixtures/mcp/risky.ts";
import { sharedStand, UNBOXED } from "../../fixtures/stand/stand.ts";

// A person turned it on for all clients; by default only those count that they set up.
const s = sharedStand({ config: { elicitation: "on", ...UNBOXED } });
const { duetty, person, folder } = s;

const ASKERS: readonly { line: Line; way: Way }[] = [
  ...LINES.map((line) => ({ line, way: "stdio" as const })),
  { line: "2.4 in 2026", way: "http" },
  { line: "1.32", way: "http" },
];

describe.each(ASKERS)("client $line over $way", ({ line, way }) => {
  // One connection; what its person says is each test's own.
  let mcp: Mcp;
  let answer: Elicit;
  const ask = (elicit: Elicit) => {
    answer = elicit;
  };
  beforeAll(async () => {
    mcp = await connectMcp(duetty, { line, way, name: "Test Client", elicit: (...asked) => answer(...asked) });
  });
  afterAll(() => mcp[Symbol.asyncDispose]());

  test("an accepted command runs once, and the events say how the yes came", async () => {
    const { session_id, command, count } = await riskyIn(s);
    const asked: string[] = [];
    ask(async (message) => {
      asked.push(message);
      expect(count()).toBe(0);
      return { action: "accept", content: {} };
    });
    const { data } = await mcp.call("run_command", { session_id, command });
    expect(data).toMatchObject({ status: "done", exit_code: 0 });
    expect(count()).toBe(1);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain(command);
    expect(asked[0]).toContain("agent:Test-Client wants to run");
    expect(duetty.events(session_id)).toContain('"via":"mcp:Test-Client"');
  });

  test("a declined command does not run, and the answer says so", async () => {
    const { session_id, command, count } = await riskyIn(s);
    ask(async () => ({ action: "decline" }));
    const { data, isError } = await mcp.call("run_command", { session_id, command });
    expect(data).toMatchObject({ status: "denied", hint: expect.stringContaining("did not allow") });
    expect(isError).toBeFalsy();
    const keys = await mcp.call("pty_open", { command: ["sh", "-c", command], cwd: "/" });
    expect(keys.data).toMatchObject({ error: { code: "gate.denied" } });
    expect(count()).toBe(0);
    expect((await person.approvals({ session_id })).approvals).toEqual([]);
    // The no was for that call: the same line is asked again.
    const { elicit, asked } = alwaysSays("accept");
    ask(elicit);
    expect((await mcp.call("run_command", { session_id, command })).data).toMatchObject({ status: "done" });
    expect([asked(), count()]).toEqual([1, 1]);
  });

  test("a cancelled form leaves the question open for others", async () => {
    const { session_id, command, count } = await riskyIn(s);
    ask(async () => ({ action: "cancel" }));
    const { data } = await mcp.call("run_command", { session_id, command });
    expect(data).toMatchObject({
      status: "approval_pending",
      approval_id: expect.stringMatching(/^a_/),
      url: `http://127.0.0.1:${duetty.port}/#/${session_id}`,
    });
    expect(count()).toBe(0);
    await person.approve({ approval_id: String(data.approval_id) });
    const again = await mcp.call("run_command", { session_id, command });
    expect(again.data).toMatchObject({ status: "done" });
    expect(count()).toBe(1);
  });

  test.each([
    ["approve", "accept", 1],
    ["approve", "decline", 1],
    ["deny", "accept", 0],
    ["deny", "decline", 0],
  ] as const)("the first of two answers counts (%s, then %s)", async (first, action, runs) => {
    const { session_id, command, count } = await riskyIn(s);
    ask(async () => {
      const [one] = (await person.approvals({ session_id })).approvals;
      await person[first]({ approval_id: one?.approval_id ?? "" });
      return action === "accept" ? { action, content: {} } : { action };
    });
    const { data } = await mcp.call("run_command", { session_id, command });
    expect(data).toMatchObject({ status: runs === 1 ? "done" : "denied" });
    expect(count()).toBe(runs);
  });

  test("two answers at the same moment cause one run", async () => {
    const { session_id, command, count } = await riskyIn(s);
    let other: Promise<unknown> | undefined;
    ask(async () => {
      const [one] = (await person.approvals({ session_id })).approvals;
      other = person.approve({ approval_id: one?.approval_id ?? "" }).catch(() => undefined);
      return { action: "accept", content: {} };
    });
    const { data } = await mcp.call("run_command", { session_id, command });
    await other;
    expect(data).toMatchObject({ status: "done" });
    expect(count()).toBe(1);
  });

  test("a command that names no session is one question, wherever it is asked again", async () => {
    const { command, count } = riskyCommand(s);
    const cwd = folder();
    const { elicit, asked } = alwaysSays("accept");
    ask(elicit);
    expect((await mcp.call("run_command", { command, cwd })).data).toMatchObject({ status: "done" });
    expect([asked(), count()]).toEqual([1, 1]);
  });

  test("questions are answered in text, and choices by choosing", async () => {
    const seen: unknown[] = [];
    ask(async (_, schema) => {
      seen.push(schema);
      return { action: "accept", content: { answer: "eu" } };
    });
    const choice = { message: "Which region?", kind: "choice", choices: ["eu", "us"] };
    const { data } = await mcp.call("ask_person", choice);
    expect(data).toMatchObject({ outcome: "answered", answer: "eu" });
    expect(seen[0]).toMatchObject({ properties: { answer: { enum: ["eu", "us"] } } });
  });

  test("programs and keys are asked in forms as well", async () => {
    const asked: string[] = [];
    ask(async (message) => {
      asked.push(message);
      return { action: "accept", content: {} };
    });
    const opened = await mcp.call("pty_open", { command: ["cat"], cwd: "/" });
    const id = String(opened.data.session_id);
    const { data } = await mcp.call("pty_send", { session_id: id, text: "abc", then: { any: [{ text: "abc" }] } });
    expect(data).toMatchObject({ outcome: "matched" });
    expect(asked.at(-1)).toContain("wants to type");
  });
});
