// A person's yes where an MCP client cannot ask, may not ask, or asks in vain: the question stays duetty's own.
import { describe, expect, test } from "vitest";
import { depth } from "../../fixtures/depth.ts";
import { connectMcp, type Elicit, LINES, type ProgressReport } from "../../fixtures/mcp/clients.ts";
import { alwaysSays, riskyCommand, riskyIn } from "../../fixtures/mcp/risky.ts";
import { PASSING_PROJECT } from "../../fixtures/stand/projects.ts";
import { sharedStand, stand, UNBOXED } from "../../fixtures/stand/stand.ts";

const ON = { elicitation: "on", ...UNBOXED } as const;
const s = sharedStand({ config: ON });
const { duetty, person, folder, pendingOf } = s;

describe("without a form", () => {
  test.each(LINES)("client %s: progress messages name the question, then it is pending", async (line) => {
    const { session_id, command, count } = await riskyIn(s);
    await using mcp = await connectMcp(duetty, { line });
    const reports: ProgressReport[] = [];
    const progress = (one: ProgressReport) => reports.push(one);
    const { data } = await mcp.call("run_command", { session_id, command, timeout_ms: 300 }, { progress });
    expect(data).toMatchObject({ status: "approval_pending", url: expect.stringContaining(session_id) });
    expect(reports[0]?.message).toContain(`approval ${data.approval_id}, http://127.0.0.1`);
    expect(count()).toBe(0);
  });

  test("a yes that comes while the call waits lets the command run", async () => {
    const { session_id, command, count } = await riskyIn(s);
    await using mcp = await connectMcp(duetty, { way: "http" });
    const running = mcp.call("run_command", { session_id, command });
    await person.approve({ approval_id: (await pendingOf(session_id)).approval_id });
    expect((await running).data).toMatchObject({ status: "done" });
    expect(count()).toBe(1);
  });

  test("a command that names no session is one question", async () => {
    const { command, count } = riskyCommand(s);
    const cwd = folder();
    await using mcp = await connectMcp(duetty, { line: "1.32", way: "http" });
    const { data } = await mcp.call("run_command", { command, cwd, timeout_ms: 100 });
    const { approvals } = await person.approvals({});
    expect(approvals.filter((one) => one.text === command)).toMatchObject([{ approval_id: data.approval_id }]);
    expect(count()).toBe(0);
  });

  test("with forms switched off in config.json clients do not ask, and their answers are refused", async () => {
    duetty.configure({ elicitation: "off" });
    const { session_id, command, count } = await riskyIn(s);
    const { elicit, asked } = alwaysSays("accept");
    await using mcp = await connectMcp(duetty, { elicit });
    const { data } = await mcp.call("run_command", { session_id, command, timeout_ms: 200 });
    expect(data).toMatchObject({ status: "approval_pending" });
    const bring = person.approve({ approval_id: String(data.approval_id), via: "mcp:x" });
    await expect(bring).rejects.toThrow("do not count");
    duetty.configure(ON);
    expect([asked(), count()]).toEqual([0, 0]);
  });

  test("forms are not offered inside a session", async () => {
    const { session_id, command, count } = await riskyIn(s);
    const { elicit, asked } = alwaysSays("accept");
    const env = { DUETTY_SESSION_ID: session_id };
    await using mcp = await connectMcp(duetty, { elicit, env });
    const { data } = await mcp.call("run_command", { session_id, command, timeout_ms: 200 });
    expect(data).toMatchObject({ status: "approval_pending" });
    expect([asked(), count()]).toEqual([0, 0]);
  });

  test.each([
    { how: "the flag", wanted: { args: ["--no-forms"] } },
    { how: "the variable", wanted: { env: { DUETTY_MCP_FORMS: "off" } } },
  ])("with forms switched off by $how a client does not ask", async ({ wanted }) => {
    const { session_id, command, count } = await riskyIn(s);
    const { elicit, asked } = alwaysSays("accept");
    for (const line of LINES) {
      await using mcp = await connectMcp(duetty, { line, elicit, ...wanted });
      const { data } = await mcp.call("run_command", { session_id, command, timeout_ms: 200 });
      expect(data).toMatchObject({ status: "approval_pending", url: expect.stringContaining(session_id) });
    }
    expect([asked(), count()]).toEqual([0, 0]);
    expect((await duetty.cliWith({ DUETTY_MCP_FORMS: "0" }, "mcp")).code).toBe(2);
  });

  test("a text that a form cannot show completely is not asked in one", async () => {
    const { session_id, command, count } = await riskyIn(s);
    const { elicit, asked } = alwaysSays("accept");
    await using mcp = await connectMcp(duetty, { elicit });
    const long = `echo ${"a".repeat(2_100)}; ${command}`;
    const { data } = await mcp.call("run_command", { session_id, command: long, timeout_ms: 200 });
    expect(data).toMatchObject({ status: "approval_pending", url: expect.stringContaining(session_id) });
    const input = { mode: "pipe", command: "sh", stdin: `${"# a\n".repeat(600)}${command}`, cwd: "/", timeout_ms: 200 };
    const piped = await mcp.call("run_command", input);
    expect(piped.data).toMatchObject({ status: "approval_pending", url: expect.any(String) });
    expect([asked(), count()]).toEqual([0, 0]);
  });

  test("passwords are never asked for in a form", async () => {
    const { elicit, asked } = alwaysSays("accept");
    await using mcp = await connectMcp(duetty, { elicit });
    const { data } = await mcp.call("ask_person", { kind: "password", message: "sudo", timeout_ms: 100 });
    expect(data).toMatchObject({ outcome: "pending" });
    expect(asked()).toBe(0);
  });
});

describe("a daemon that is restarted in the middle runs nothing", () => {
  const own = sharedStand({ config: ON });

  test.each(LINES.slice(0, depth(1, LINES.length)))("client %s", async (line) => {
    const { session_id, command, count } = await riskyIn(own);
    const asked: string[] = [];
    await using mcp = await connectMcp(own.duetty, {
      line,
      elicit: async (message) => {
        asked.push(message);
        if (asked.length === 1) await own.duetty.cli("shutdown", "--keep-sessions");
        return { action: "accept", content: {} };
      },
    });
    const { data } = await mcp.call("run_command", { session_id, command });
    expect(data).toMatchObject({ status: "denied", hint: expect.stringContaining("restarted") });
    expect(count()).toBe(0);
    const again = await mcp.call("run_command", { session_id, command });
    expect(again.data).toMatchObject({ status: "done" });
    expect(count()).toBe(1);
  });
});

test("tests are asked for like commands, and a no comes with the plan", async () => {
  await using own = await stand({ config: { ...ON, rules: { ask: ["npm test"] } } });
  const cwd = own.folder(PASSING_PROJECT);
  const answers = ["decline", "accept"] as const;
  let asked = 0;
  const elicit: Elicit = async () => {
    asked += 1;
    return { action: answers[asked - 1] ?? "cancel" };
  };
  await using mcp = await connectMcp(own.duetty, { elicit });
  const no = await mcp.call("run_tests", { cwd });
  expect(no.data).toMatchObject({ plan: { cwd }, run: { status: "denied" } });
  const yes = await mcp.call("run_tests", { cwd });
  expect(yes.data).toMatchObject({ verdict: "passed", run: { status: "done" } });
  expect(asked).toBe(2);
});
