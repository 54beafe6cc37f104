// The shim and the endpoint as processes and doors: nothing before the first call, nothing after the last; who may come in;
// what a tier offers; a whole piece of work within its budget of characters.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { depth } from "../../fixtures/depth.ts";
import { connectMcp, LINES, PAIRS } from "../../fixtures/mcp/clients.ts";
import { BIN, isAlive } from "../../fixtures/stand/installation.ts";
import { sharedStand, stand } from "../../fixtures/stand/stand.ts";

const { duetty, person, folder } = sharedStand({ own: true });

const READING = "pty_list pty_read_screen pty_read_screen_deltas pty_screen_status blocks block report search"
  .split(" ")
  .sort();

test.each(LINES.slice(0, depth(1, LINES.length)))(
  "client %s: connecting and listing start nothing and write nothing",
  async (line) => {
    await using fresh = await stand({ daemon: "later" });
    const files = () => fs.readdirSync(fresh.duetty.folder, { recursive: true });
    const before = files();
    const mcp = await connectMcp(fresh.duetty, { line });
    expect((await mcp.tools()).length).toBe(20);
    expect(await mcp.resources()).toEqual([]);
    expect(files()).toEqual(before);
    // The first call brings up what is missing.
    const { data } = await mcp.call("run_command", { command: "echo up", cwd: "/" });
    expect(data).toMatchObject({ status: "done", output: { head: expect.stringContaining("up") } });
    const { pid } = mcp;
    await mcp[Symbol.asyncDispose]();
    await expect.poll(() => isAlive(pid)).toBe(false);
  },
);

test("the shim ends with its input, in the middle of a call, and when nobody reads", async () => {
  const { DUETTY_TOKEN, ...env } = duetty.env;
  const child = spawn(process.execPath, [BIN, "mcp"], { env, stdio: ["pipe", "pipe", "pipe"] });
  const over = new Promise((resolve) => child.on("exit", resolve));
  let errors = "";
  child.stderr.on("data", (part) => {
    errors += part;
  });
  const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "t", version: "1" };
  say({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  say({ method: "notifications/initialized" });
  const call = { name: "run_command", arguments: { command: "sleep 5", cwd: "/" } };
  say({ id: 2, method: "tools/call", params: call });
  const running = async () => (await person.pty_list({ all: false })).sessions.some((one) => one.running);
  await expect.poll(running).toBe(true);
  child.stdout.destroy();
  child.stdin.end();
  expect(await over).toBe(0);
  expect(errors).toBe("");
});

test("a tier has its tools and no others", async () => {
  const names = async (args: string[]) => {
    await using mcp = await connectMcp(duetty, { args });
    return (await mcp.tools()).map(({ name }) => name).sort();
  };
  expect(await names(["--tier", "readonly"])).toEqual(READING);
  const drive = await names(["--tier", "drive"]);
  expect(drive).toHaveLength(16);
  expect(drive).not.toContain("pty_close");
  await using http = await connectMcp(duetty, { line: "1.32", way: "http", query: "?tier=readonly" });
  expect((await http.tools()).map(({ name }) => name).sort()).toEqual(READING);
  const none = await http.call("run_command", { command: "ls" }).catch((error: Error) => ({ text: error.message }));
  expect(none.text).toContain("run_command");
  expect((await duetty.cli("mcp", "--tier", "some")).code).toBe(2);
  expect((await duetty.cliWith({ DUETTY_MCP_TIER: "some" }, "mcp")).code).toBe(2);
  expect((await duetty.cli("mcp", "--as", "person")).code).toBe(2);
});

test("an agent has the name that was given, else its client's", async () => {
  await using named = await connectMcp(duetty, { line: "1.32", way: "stdio", args: ["--as", "agent:robin"] });
  expect((await named.call("pty_open", { cwd: "/" })).data).toMatchObject({ actor: "agent:robin" });
  await using own = await connectMcp(duetty, { way: "http", name: "Claude Code (cli)" });
  expect((await own.call("pty_open", { cwd: "/" })).data).toMatchObject({ actor: "agent:Claude-Code-cli" });
});

test("commands without a folder run in the shim's own", async () => {
  const cwd = folder();
  await using mcp = await connectMcp(duetty, { line: "2.4 in 2025", way: "stdio", cwd });
  expect((await mcp.call("run_command", { command: "pwd" })).data).toMatchObject({ output: { head: cwd } });
});

describe("HTTP access", () => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const come = (headers: Record<string, string>) => {
    const host = `127.0.0.1:${duetty.port}`;
    return duetty.request(
      "/mcp",
      { ...json, host, authorization: `Bearer ${duetty.token("agent")}`, ...headers },
      body,
    );
  };

  test("a missing or wrong token, another site and another host are refused", async () => {
    expect((await come({ authorization: "" })).status).toBe(401);
    expect((await come({ authorization: "Bearer nothing" })).status).toBe(401);
    expect((await come({ origin: "http://evil.example" })).status).toBe(403);
    expect((await come({ host: "evil.example" })).status).toBe(403);
    expect((await come({ "mcp-session-id": "unknown" })).status).toBe(404);
    expect((await come({})).status).toBe(400);
  });

  test("the limit of a body is the same in both protocol versions", async () => {
    const head = { ...json, host: `127.0.0.1:${duetty.port}`, authorization: `Bearer ${duetty.token("agent")}` };
    const listen = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };
    const large = rpc(1, "subscriptions/listen", { padding: "a".repeat(4 << 20) });
    for (const era of [{}, listen, { "transfer-encoding": "chunked" }]) {
      const { status, body } = await duetty.request("/mcp", { ...head, ...era }, large);
      expect(status).toBe(413);
      expect(JSON.parse(body)).toMatchObject({ error: { message: expect.stringContaining("4194304 bytes") } });
    }
  });

  test("an MCP client with the person's token is still an agent", async () => {
    const { DUETTY_TOKEN } = duetty.env;
    const headers = { ...json, authorization: `Bearer ${DUETTY_TOKEN}`, host: `127.0.0.1:${duetty.port}` };
    const clientInfo = { name: "t", version: "1" };
    const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const first = await duetty.request("/mcp", headers, rpc(1, "initialize", hello));
    const session = { ...headers, "mcp-session-id": String(first.headers["mcp-session-id"]) };
    const opened = await duetty.request("/mcp", session, rpc(2, "tools/call", { name: "pty_open", arguments: {} }));
    expect(opened.body).toContain('"actor":"agent:t"');
  });
});

test("a client's subscriptions end with it", async () => {
  const { sessions } = await person.pty_list({ all: false });
  const uri = `terminal://${sessions[0]?.session_id}/screen`;
  for (const { line, way } of PAIRS) {
    const mcp = await connectMcp(duetty, { line, way });
    const { pid } = mcp;
    await mcp.follow(uri, () => undefined);
    await mcp[Symbol.asyncDispose]();
    if (pid !== null) await expect.poll(() => isAlive(pid)).toBe(false);
  }
});

function rpc(id: number, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}
