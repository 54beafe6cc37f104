// MCP by the official clients of both lines, in both eras, over both ways: every tool, long waits, cancelling, screens.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  connectMcp,
  LINES,
  type Mcp,
  PAIRS,
  type ProgressReport,
  SOME_PAIRS,
  type Wanted,
} from "../../fixtures/mcp/clients.ts";
import { soon } from "../../fixtures/soon.ts";
import { PASSING_PROJECT } from "../../fixtures/stand/projects.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const TOOLS =
  "pty_open pty_list pty_read_screen pty_read_screen_deltas pty_screen_status pty_read_raw pty_prompt pty_send pty_wait run_command run_tests blocks block report ask_person pty_resize signal pty_close search export";

const { duetty, person, folder, openShell } = sharedStand();

async function everyTool(mcp: Mcp): Promise<string[]> {
  const used: string[] = [];
  const call = async (name: string, args: object) => {
    used.push(name);
    const answer = await mcp.call(name, args);
    expect(answer.isError, `${name}: ${answer.text}`).toBeFalsy();
    expect(answer.text).not.toBe("");
    return answer;
  };
  const cwd = folder(PASSING_PROJECT);
  const opened = await call("pty_open", { command: ["bash", "-i"], cwd });
  const session_id = String(opened.data.session_id);
  expect(opened.text).toContain(session_id);
  await call("pty_wait", { session_id, any: [{ prompt: true }] });
  const ran = await call("run_command", { session_id, command: "echo hello; ls" });
  expect(ran.data).toMatchObject({ status: "done", exit_code: 0, output: { head: expect.stringContaining("hello") } });
  expect(ran.text).toMatch(/^exit 0 · .* block b_\w+ · boxed\n\[untrusted terminal output \w{6}\]\nhello\n/);
  const sent = await call("pty_send", { session_id, text: "# typed", then: { any: [{ text: "# typed" }] } });
  expect(sent.data).toMatchObject({ outcome: "matched", matched: "# typed" });
  expect(sent.text).toMatch(
    /^matched\n\[untrusted (?:screen )?\w{6}\]\n(?:\d+\| .*\n)*\d+\| .*# typed\n\[end \w{6}\]$/,
  );
  await call("pty_send", { session_id, keys: ["Ctrl+U"], then: { any: [{ gone: "# typed" }] } });
  const seen = await call("pty_read_screen", { session_id });
  expect(seen.data.rows).toHaveLength(24);
  const again = await call("pty_read_screen", { session_id, since_hash: seen.data.hash });
  expect(again.text.split("\n")).toHaveLength(1);
  const deltas = await call("pty_read_screen_deltas", { session_id });
  expect(deltas.data).toMatchObject({ resume_cursor: expect.any(Number), file_size: expect.any(Number) });
  await call("pty_screen_status", { session_id });
  const raw = await call("pty_read_raw", { session_id, length: 100 });
  expect(raw.data).toMatchObject({ from: 0, next: 100 });
  await call("pty_list", {});
  const { data } = await call("blocks", { session_id });
  expect(data.blocks).toMatchObject([{ cmd: "echo hello; ls" }]);
  const block = await call("block", { block_id: `${session_id}:last` });
  expect(block.text).toContain("hello");
  const found = await call("search", { session_id, query: "hello" });
  expect(found.text).toContain(`${session_id} cursor`);
  expect(found.data).toMatchObject({ matches: expect.arrayContaining([expect.objectContaining({ text: "hello" })]) });
  const exported = await call("export", { session_id });
  expect(exported.text).toMatch(/^\[untrusted terminal output \w{6}\]\n[\s\S]*\nhello\n[\s\S]*\n\[that is all\]$/);
  expect(exported.data).toMatchObject({ format: "text", next: null });
  expect(JSON.stringify(exported.data)).not.toContain("hello");
  await call("run_command", { session_id, command: "sleep 600", timeout_ms: 0 });
  await soon(async () => expect((await mcp.call("pty_screen_status", { session_id })).text).toContain("sleep"));
  expect((await call("signal", { session_id })).data).toMatchObject({ signal: "SIGINT", delivered: true });
  await call("pty_wait", { session_id, any: [{ prompt: true }] });
  const tests = await call("run_tests", { cwd });
  expect(tests.data).toMatchObject({ verdict: "passed", summary: { passed: 1 } });
  const report = await call("report", { id: session_id });
  expect(report.data).toMatchObject({ report: { counts: { commands: 2 } } });
  used.push("pty_prompt");
  const unread = await mcp.call("pty_prompt", { session_id, text: "hello" });
  expect(unread.data).toMatchObject({ error: { code: "agent.unread", hint: expect.stringContaining("pty_send") } });
  const asked = await call("ask_person", { message: "hello", timeout_ms: 0 });
  expect(asked.data).toMatchObject({ outcome: "pending" });
  await call("pty_resize", { session_id, cols: 100, rows: 30 });
  const closed = await call("pty_close", { session_id });
  expect(closed.data.state).toMatch(/done|failed/);
  return used;
}

/** Every client pays for the list before its first call. */
const LIST_BYTES_MAX = 16_000;

test.concurrent.each(SOME_PAIRS)("client $line over $way calls every tool", async (pair) => {
  await using mcp = await connectMcp(duetty, pair);
  expect([...new Set(await everyTool(mcp))].sort()).toEqual(TOOLS.split(" ").sort());
});

describe.concurrent.each(PAIRS)("client $line over $way", ({ line, way }) => {
  let mcp: Mcp;
  beforeAll(async () => {
    mcp = await connectMcp(duetty, { line, way });
  });
  afterAll(() => mcp[Symbol.asyncDispose]());

  test("tools are listed", async () => {
    const tools = await mcp.tools();
    expect(tools.map(({ name }) => name).sort()).toEqual(TOOLS.split(" ").sort());
    for (const { description = "" } of tools) expect(description.split(/\s+/).length).toBeLessThanOrEqual(60);
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(LIST_BYTES_MAX);
    const core = tools.filter(({ _meta }) => JSON.stringify(_meta) === '{"anthropic/alwaysLoad":true}');
    expect(core.map(({ name }) => name).sort()).toEqual(["pty_read_screen", "pty_send", "pty_wait", "run_command"]);
  });

  test("faults are answers with a hint", async () => {
    const wrong = await mcp.call("pty_read_screen", { session_id: "nobody" });
    expect(wrong.isError).toBe(true);
    expect(wrong.data).toMatchObject({ error: { code: "session.not_found", hint: expect.any(String) } });
    const typo = await mcp.call("pty_wait", { session_id: "x", any: [{ txet: "a" }] });
    expect(typo.data).toMatchObject({ error: { code: "input.invalid" } });
    const field = await mcp.call("run_command", { comand: "ls" });
    expect(field.text).toContain("comand");
  });

  test("screens are resources with updates", async () => {
    const { session_id } = await openShell();
    const uri = `terminal://${session_id}/screen`;
    expect((await mcp.resources()).map((one) => one.uri)).toContain(uri);
    expect(await mcp.read(uri)).toContain("[Terminal Screen - 100x24");
    let notices = 0;
    const stop = await mcp.follow(uri, () => {
      notices += 1;
    });
    // The first says: from here on you are told.
    await soon(() => expect(notices).toBeGreaterThan(0));
    const before = notices;
    await person.pty_send({ session_id, text: "news", then: { any: [{ text: "news" }] } });
    await soon(() => expect(notices).toBeGreaterThan(before));
    expect(await mcp.read(uri)).toContain("news");
    await stop();
    await expect(mcp.read("terminal://nobody/screen")).rejects.toThrow();
  });
});

test.concurrent("a long wait sends progress, and cancelling it ends it in the daemon", async () => {
  await Promise.all(
    PAIRS.map(async ({ line, way }) => {
      await using mcp = await connectMcp(duetty, { line, way });
      const { session_id } = await openShell();
      const reports: ProgressReport[] = [];
      const stop = new AbortController();
      const progress = (one: ProgressReport) => {
        reports.push(one);
        stop.abort();
      };
      const command = { session_id, command: "sleep 60", timeout_ms: 20_000 };
      await expect(mcp.call("run_command", command, { signal: stop.signal, progress })).rejects.toThrow();
      expect(reports[0]?.message).toMatch(/run_command \(\d+ s\)/);
      // What runs goes on; it is the call that is over.
      const { data } = await mcp.call("pty_send", { session_id, keys: ["Ctrl+C"], then: { any: [{ prompt: true }] } });
      expect(data).toMatchObject({ outcome: "matched" });
    }),
  );
});

test.concurrent("no client can act as the built-in agent", async () => {
  const openedBy = async (wanted: Wanted) => {
    await using mcp = await connectMcp(duetty, wanted);
    const { data } = await mcp.call("pty_open", { command: ["bash", "-i"] });
    const { sessions } = await person.pty_list({ all: true });
    return sessions.find(({ session_id }) => session_id === data.session_id)?.actor;
  };
  for (const line of LINES) {
    expect(await openedBy({ line, way: "http", name: "duetty" })).toBe("agent:unnamed");
    expect(await openedBy({ line, way: "http", as: "agent:duetty" })).toBe("agent:unnamed");
  }
  expect(await openedBy({ line: "1.32", way: "stdio", name: "duetty" })).toBe("agent:unnamed");
  expect(await openedBy({ line: "1.32", way: "http", as: "agent:somebody" })).toBe("agent:somebody");
});
