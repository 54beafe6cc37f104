// A person's yes where an MCP client cannot ask, may not ask, or asks in vain: the question stays duetty's own.
import fs from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Installation } from "../fixtures/installation.ts";
import { connectMcp, type Elicit, LINES, type Told } from "../fixtures/mcp.ts";
import { careful, risky } from "../fixtures/mcp-risky.ts";
import { openShell } from "../fixtures/shells.ts";

let duetty: Installation;
beforeAll(async () => {
  duetty = new Installation();
  await duetty.cli("status");
});
afterAll(() => duetty[Symbol.asyncDispose]());

async function pending(session_id: string): Promise<string> {
  const ids = async () => (await duetty.client().approvals({ session_id })).approvals.map((one) => one.approval_id);
  await expect.poll(ids).toHaveLength(1);
  return (await ids())[0] ?? "";
}

describe("without a form", () => {
  test.each(LINES)("client %s: signs of life name the question, then it is pending", async (line) => {
    const session_id = await careful(duetty);
    const { command, count } = risky(duetty);
    await using mcp = await connectMcp(duetty, { line, way: "stdio" });
    const told: Told[] = [];
    const progress = (one: Told) => told.push(one);
    const { data } = await mcp.call("run_command", { session_id, command, timeout_ms: 300 }, { progress });
    expect(data).toMatchObject({ status: "approval_pending", url: expect.stringContaining(session_id) });
    expect(told[0]?.message).toContain(`approval ${data.approval_id}, http://127.0.0.1`);
    expect(count()).toBe(0);
  });

  test("a yes that comes while it waits lets it run", async () => {
    const session_id = await careful(duetty);
    const { command, count } = risky(duetty);
    await using mcp = await connectMcp(duetty, { line: "2.4 in 2026", way: "http" });
    const running = mcp.call("run_command", { session_id, command });
    await duetty.client().approve({ approval_id: await pending(session_id) });
    expect((await running).data).toMatchObject({ status: "done" });
    expect(count()).toBe(1);
  });

  test("a command that names no session is one question", async () => {
    const { command, count } = risky(duetty);
    const cwd = fs.mkdtempSync(join(duetty.home.dir, "here-"));
    await using mcp = await connectMcp(duetty, { line: "1.32", way: "http" });
    const { data } = await mcp.call("run_command", { command, cwd, timeout_ms: 100 });
    const { approvals } = await duetty.client().approvals({});
    expect(approvals.filter((one) => one.text === command)).toMatchObject([{ approval_id: data.approval_id }]);
    expect(count()).toBe(0);
  });

  test("switched off by the person: clients that could ask do not, and what they bring is refused", async () => {
    fs.writeFileSync(duetty.home.config, JSON.stringify({ elicitation: "off" }));
    const session_id = await careful(duetty);
    const { command, count } = risky(duetty);
    let asked = 0;
    await using mcp = await connectMcp(duetty, {
      line: "2.4 in 2026",
      way: "stdio",
      elicit: async () => {
        asked += 1;
        return { action: "accept" };
      },
    });
    const { data } = await mcp.call("run_command", { session_id, command, timeout_ms: 200 });
    expect(data).toMatchObject({ status: "approval_pending" });
    const bring = duetty.client().approve({ approval_id: String(data.approval_id), via: "mcp:x" });
    await expect(bring).rejects.toThrow("switched off");
    fs.rmSync(duetty.home.config);
    expect([asked, count()]).toEqual([0, 0]);
  });

  test("inside a session, where the client may be an agent's own program, forms are not offered", async () => {
    const session_id = await careful(duetty);
    const { command, count } = risky(duetty);
    let asked = 0;
    const elicit: Elicit = async () => {
      asked += 1;
      return { action: "accept" };
    };
    const env = { DUETTY_SESSION_ID: session_id };
    await using mcp = await connectMcp(duetty, { line: "2.4 in 2026", way: "stdio", elicit, env });
    const { data } = await mcp.call("run_command", { session_id, command, timeout_ms: 200 });
    expect(data).toMatchObject({ status: "approval_pending" });
    expect([asked, count()]).toEqual([0, 0]);
  });

  test.each([
    { how: "the flag", wanted: { args: ["--no-forms"] } },
    { how: "the variable", wanted: { env: { DUETTY_MCP_FORMS: "off" } } },
  ])("switched off by $how: a client that could ask does not", async ({ wanted }) => {
    const session_id = await careful(duetty);
    const { command, count } = risky(duetty);
    let asked = 0;
    const elicit: Elicit = async () => {
      asked += 1;
      return { action: "accept" };
    };
    for (const line of LINES) {
      await using mcp = await connectMcp(duetty, { line, way: "stdio", elicit, ...wanted });
      const { data } = await mcp.call("run_command", { session_id, command, timeout_ms: 200 });
      expect(data).toMatchObject({ status: "approval_pending", url: expect.stringContaining(session_id) });
    }
    expect([asked, count()]).toEqual([0, 0]);
    expect((await duetty.cliWith({ DUETTY_MCP_FORMS: "0" }, "mcp")).code).toBe(2);
  });

  test("what a form cannot show whole is not asked in one", async () => {
    const session_id = await careful(duetty);
    const { command, count } = risky(duetty);
    let asked = 0;
    const elicit: Elicit = async () => {
      asked += 1;
      return { action: "accept" };
    };
    await using mcp = await connectMcp(duetty, { line: "2.4 in 2026", way: "stdio", elicit });
    const long = `echo ${"a".repeat(2_100)}; ${command}`;
    const { data } = await mcp.call("run_command", { session_id, command: long, timeout_ms: 200 });
    expect(data).toMatchObject({ status: "approval_pending", url: expect.stringContaining(session_id) });
    const input = { mode: "pipe", command: "sh", stdin: `${"# a\n".repeat(600)}${command}`, cwd: "/", timeout_ms: 200 };
    const piped = await mcp.call("run_command", input);
    expect(piped.data).toMatchObject({ status: "approval_pending", url: expect.any(String) });
    expect([asked, count()]).toEqual([0, 0]);
  });

  test("passwords are never asked for in a form", async () => {
    let asked = 0;
    await using mcp = await connectMcp(duetty, {
      line: "2.4 in 2026",
      way: "stdio",
      elicit: async () => {
        asked += 1;
        return { action: "accept" };
      },
    });
    const { data } = await mcp.call("ask_person", { kind: "password", message: "sudo", timeout_ms: 100 });
    expect(data).toMatchObject({ outcome: "pending" });
    expect(asked).toBe(0);
  });
});

test.each(LINES)("client %s: a daemon that is restarted in the middle runs nothing", async (line) => {
  await using own = new Installation();
  await own.cli("status");
  const { session_id } = await openShell(own, "bash", {}, "careful");
  const file = join(own.home.dir, "ran");
  const asked: string[] = [];
  await using mcp = await connectMcp(own, {
    line,
    way: "stdio",
    elicit: async (message) => {
      asked.push(message);
      if (asked.length === 1) await own.cli("shutdown", "--keep-sessions");
      return { action: "accept", content: {} };
    },
  });
  const ask = { session_id, command: `sh -c 'echo once >> ${file}'` };
  const { data } = await mcp.call("run_command", ask);
  expect(data).toMatchObject({ status: "denied", hint: expect.stringContaining("restarted") });
  expect(fs.existsSync(file)).toBe(false);
  const again = await mcp.call("run_command", ask);
  expect(again.data).toMatchObject({ status: "done" });
  expect(fs.readFileSync(file, "utf8")).toBe("once\n");
});

test("tests are asked for like commands, and a no comes with the plan", async () => {
  await using own = new Installation();
  fs.writeFileSync(own.home.config, JSON.stringify({ rules: { ask: ["npm test"] } }));
  await own.cli("status");
  const cwd = fs.mkdtempSync(join(own.home.dir, "project-"));
  fs.writeFileSync(join(cwd, "package.json"), JSON.stringify({ scripts: { test: "node --test" } }));
  fs.writeFileSync(join(cwd, "a.test.js"), "require('node:test')('works', () => undefined);");
  const answers = ["decline", "accept"] as const;
  let asked = 0;
  const elicit: Elicit = async () => {
    asked += 1;
    return { action: answers[asked - 1] ?? "cancel" };
  };
  await using mcp = await connectMcp(own, { line: "2.4 in 2026", way: "stdio", elicit });
  const no = await mcp.call("run_tests", { cwd });
  expect(no.data).toMatchObject({ plan: { cwd }, run: { status: "denied" } });
  const yes = await mcp.call("run_tests", { cwd });
  expect(yes.data).toMatchObject({ verdict: "passed", run: { status: "done" } });
  expect(asked).toBe(2);
});
