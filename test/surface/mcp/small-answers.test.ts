// What an answer to typing and waiting costs: only rows that are new to the caller, or what was asked for.
import { expect, it } from "vitest";
import { connectMcp } from "../../fixtures/mcp/clients.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { duetty, person, agent, openShell } = sharedStand();

it("rows that the client has seen are not told again, and a scrolled screen tells only its new lines", async () => {
  await using mcp = await connectMcp(duetty);
  const { session_id } = await openShell("bash", { cols: 80, rows: 24 });
  await person.pty_send({ session_id, text: "seq 1 15\n", then: { any: [{ block_end: true }] } });
  const first = await mcp.call("pty_wait", { session_id, any: [{ prompt: true }] });
  expect(first.text.split("\n")).toEqual(expect.arrayContaining([expect.stringMatching(/^\d+\| 15$/)]));
  const again = await mcp.call("pty_wait", { session_id, any: [{ prompt: true }] });
  expect(again.text).toMatch(/^outcome: matched "prompt" · exit 0 · cursor \d+ · at \(\d+, \d+\)$/);
  expect(again.data).toMatchObject({ changes: [], screen: { cursor: expect.anything() } });
  expect(again.data.screen).not.toHaveProperty("rows");
  expect(again.size).toBeLessThan(500);
  const line = "seq 100 115";
  const then = { any: [{ prompt: true }] };
  const scrolled = await mcp.call("pty_send", { session_id, text: `${line}\n`, then });
  const rows = scrolled.text.split("\n").slice(1);
  expect(rows.filter((row) => /^\d+\| 1\d\d$/.test(row))).toHaveLength(16);
  // The line itself, its output, the prompt after it, and the fence: nothing of what stood there before.
  expect(rows.length).toBeLessThanOrEqual(20);
  expect(scrolled.data).not.toHaveProperty("missed_lines");
  const flood = await mcp.call("pty_send", { session_id, text: "seq 1 200\n", then });
  // 200 numbers, of which 23 and the prompt are on the screen.
  expect(flood.data.missed_lines).toBe(177);
  expect(flood.text).toContain("177 lines scrolled past: pty_read_screen with scrollback 177");
  const above = await mcp.call("pty_read_screen", { session_id, scrollback: 177 });
  expect(above.text).toMatch(/^1\n2\n3$/m);
});

it("show asks for the whole screen, the row that matched, or nothing; over HTTP and CLI too", async () => {
  await using mcp = await connectMcp(duetty);
  const { session_id } = await openShell();
  await person.pty_send({ session_id, text: "printf 'he%s\\n' re\n", then: { any: [{ prompt: true }] } });
  const wait = { session_id, any: [{ text: "here" }], since: 0 };
  const whole = await mcp.call("pty_wait", { ...wait, show: "screen" });
  expect(whole.text).toContain("[Terminal Screen - 100x24");
  const row = expect.objectContaining({ text: expect.stringMatching(/^here$/) });
  expect((await mcp.call("pty_wait", { ...wait, show: "match" })).data).toMatchObject({ changes: [row] });
  expect((await mcp.call("pty_wait", { ...wait, show: "none" })).text.split("\n")).toHaveLength(1);
  const seen = await agent().pty_wait(wait);
  expect(seen).not.toHaveProperty("changes");
  expect(seen.screen.rows).toHaveLength(24);
  expect(await agent().pty_wait({ ...wait, show: "changes" })).toMatchObject({ changes: [], screen: { rows: [] } });
  const cli = await duetty.cli("wait", session_id, "--text", "here", "--since", "0", "--show", "match");
  expect(cli.stdout).toMatch(/^matched: here\n\d+\| here\n$/);
});

it("a full-screen program, and the end of it, are seen whole once", async () => {
  await using mcp = await connectMcp(duetty);
  const { session_id } = await openShell("bash", { cols: 80, rows: 24 });
  await mcp.call("run_command", { session_id, command: "less /etc/services" });
  const down = await mcp.call("pty_send", { session_id, keys: ["Down"], then: { any: [{ input: true }] } });
  expect(down.text).toMatch(/ · alt screen\n/);
  const quit = await mcp.call("pty_send", { session_id, keys: ["q"], then: { any: [{ prompt: true }] } });
  expect(quit.text).not.toContain("alt screen");
  expect(quit.text).toMatch(/\n\d+\| .*less \/etc\/services/);
});

it("keys that wait for nothing are answered with what the program shows of them", async () => {
  await using mcp = await connectMcp(duetty);
  const { session_id } = await openShell();
  await mcp.call("pty_send", { session_id, text: "cat\n", then: { any: [{ input: true }] } });
  const typed = await mcp.call("pty_send", { session_id, text: "hello" });
  expect(typed.text).toMatch(/^outcome: matched · .*\n.*\n\d+\| hello\n\[end \w{6}\]$/);
  // Nothing to see.
  expect((await mcp.call("pty_send", { session_id, keys: ["Ctrl+Q"] })).data).toMatchObject({ changes: [] });
});
