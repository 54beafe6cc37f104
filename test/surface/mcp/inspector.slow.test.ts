// The official inspector's command line: lists tools and calls them, over both ways.
import { join } from "node:path";
import { expect, test } from "vitest";
import { WAYS, type Way } from "../../fixtures/mcp/clients.ts";
import { runPeer } from "../../fixtures/mcp/peers.ts";
import { BIN } from "../../fixtures/stand/installation.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { duetty, folder } = sharedStand();

function inspect(way: Way, ...args: string[]) {
  const stdio = ["-e", `DUETTY_HOME=${duetty.home.dir}`, process.execPath, BIN, "mcp"];
  const authorization = `Authorization: Bearer ${duetty.token("agent")}`;
  const http = [`http://127.0.0.1:${duetty.port}/mcp`, "--transport", "http", "--header", authorization];
  const target = way === "stdio" ? stdio : http;
  const patient = ["--connect-timeout", "60000"];
  return runPeer("inspector", join(duetty.folder, "inspector"), ["--cli", ...target, ...patient, ...args]);
}

async function callOver(way: Way, tool: string, args: Record<string, unknown>) {
  const pairs = Object.entries(args).flatMap(([name, value]) => [
    "--tool-arg",
    `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  ]);
  const { code, stdout, stderr } = await inspect(way, "--method", "tools/call", "--tool-name", tool, ...pairs);
  expect(code, `${tool}: ${stdout}${stderr}`).toBe(0);
  const answer = JSON.parse(stdout);
  expect(answer.isError, stdout).toBeFalsy();
  expect(answer.content[0].text).not.toBe("");
  return answer.structuredContent;
}

test.each(WAYS)("over %s the list has no portability problems, and a command runs", async (way) => {
  const { code, stdout, stderr } = await inspect(way, "--method", "tools/list", "--strict");
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout).tools).toHaveLength(20);
  expect(await callOver(way, "run_command", { command: "echo hello", cwd: "/" })).toMatchObject({ status: "done" });
});

// Each call starts a program; over stdio it would be two. Every tool is called by the clients (tools.test.ts): here it is one of
// each form of input.
test("tools with words, numbers, lists and objects can be called", async () => {
  const call = (tool: string, args: Record<string, unknown>) => callOver("http", tool, args);
  const { session_id } = await call("pty_open", { command: ["bash", "-i"], cwd: folder() });
  const ran = await call("run_command", { session_id, command: "echo hello" });
  expect(ran).toMatchObject({ status: "done", output: { head: "hello" } });
  await call("pty_send", { session_id, text: "x", then: { any: [{ change: true }] } });
  await call("pty_resize", { session_id, cols: 90, rows: 30 });
  await call("pty_close", { session_id });
});
