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
  expect(again.text).toMatch(/^matched prompt, exit 0, at \d+,\d+$/);
  expect(again.data).toMatchObject({
    outcome: "matched",
    cursor: expect.any(Number),
    screen: { cursor: expect.anything() },
  });
  // What the text says is not said again.
  for (const told of [first, again]) {
    expect(told.data).not.toHaveProperty("changes");
    expect(told.data.screen).not.toHaveProperty("rows");
  }
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
  expect(whole.data.screen).not.toHaveProperty("rows");
  expect((await mcp.call("pty_wait", { ...wait, show: "match" })).text).toMatch(/\]\n\d+\| here\n\[end/);
  expect((await mcp.call("pty_wait", { ...wait, show: "none" })).text.split("\n")).toHaveLength(1);
  const seen = await agent().pty_wait(wait);
  expect(seen).not.toHaveProperty("changes");
  expect(seen.screen.rows).toHaveLength(24);
  expect(await agent().pty_wait({ ...wait, show: "changes" })).toMatchObject({ changes: [], screen: { rows: [] } });
  const cli = await duetty.cli("wait", session_id, "--text", "here", "--since", "0", "--show", "match");
  expect(cli.stdout).toMatch(/^matched: here\n\d+\| here\n$/);
});

it("a full-screen program is seen whole, and what stood below it is told once", async () => {
  await using mcp = await connectMcp(duetty);
  const { session_id } = await openShell("bash", { cols: 80, rows: 24 });
  await mcp.call("run_command", { session_id, command: "less /etc/services" });
  const down = await mcp.call("pty_send", { session_id, keys: ["Down"], then: { any: [{ input: true }] } });
  expect(down.text).toMatch(/^matched input\n\[untrusted alt screen \w{6}\]\n/);
  const quit = await mcp.call("pty_send", { session_id, keys: ["q"], then: { any: [{ prompt: true }] } });
  expect(quit.text).not.toContain("alt screen");
  expect(quit.text).toMatch(/\n\d+\| .*less \/etc\/services/);
  await mcp.call("run_command", { session_id, command: "less /etc/hosts" });
  const left = await mcp.call("pty_send", { session_id, keys: ["q"], then: { any: [{ prompt: true }] } });
  expect(left.text).toContain("less /etc/hosts");
  expect(left.text).not.toContain("services");
});

it("a command that asks tells its own rows, once, in the form of the next steps", async () => {
  await using mcp = await connectMcp(duetty);
  const { session_id } = await openShell("bash", { cols: 80, rows: 24 });
  await mcp.call("run_command", { session_id, command: "seq 1 15" });
  const asks = await mcp.call("run_command", { session_id, command: "read -p 'Name: ' a; read -p 'Age: ' b" });
  const [head, ...rest] = asks.text.split("\n");
  expect(head).toMatch(/^waiting_for_input \(bash\) · .*block \w+/);
  expect(rest.join("\n")).toMatch(/^\[untrusted \w{6}\]\n\d+\| Name:\n\[end \w{6}\]\nIt waits for a line\..*$/);
  expect(asks.data).not.toHaveProperty("changes");
  expect(asks.data.screen).not.toHaveProperty("rows");
  const next = await mcp.call("pty_send", { session_id, text: "Bob\n", then: { any: [{ input: true }] } });
  expect(next.text).toMatch(/^matched input\n\[untrusted \w{6}\]\n\d+\| Age:\n\[end \w{6}\]$/);
});

it("keys that wait for nothing are answered with what the program shows of them", async () => {
  await using mcp = await connectMcp(duetty);
  const { session_id } = await openShell();
  await mcp.call("pty_send", { session_id, text: "cat\n", then: { any: [{ input: true }] } });
  const typed = await mcp.call("pty_send", { session_id, text: "hello" });
  expect(typed.text).toMatch(/^sent\n\[untrusted \w{6}\]\n\d+\| hello\n\[end \w{6}\]$/);
  // Nothing to see.
  expect((await mcp.call("pty_send", { session_id, keys: ["Ctrl+Q"] })).text).toMatch(/^sent, at \d+,5$/);
});

it("two clients of one name do not take each other's news away", async () => {
  for (const way of ["stdio", "http"] as const) {
    await using one = await connectMcp(duetty, { line: "1.32", way, name: "twin" });
    await using two = await connectMcp(duetty, { line: "1.32", way, name: "twin" });
    const { session_id } = await openShell();
    await person.pty_send({ session_id, text: "printf 'ne%s\\n' ws\n", then: { any: [{ prompt: true }] } });
    const look = { session_id, any: [{ prompt: true }] };
    for (const mcp of [one, two]) {
      expect((await mcp.call("pty_wait", look)).text).toMatch(/\d+\| news\n/);
      expect((await mcp.call("pty_wait", look)).text).not.toContain("news");
    }
  }
});

it("a wait counts what came since the caller's last call, and nothing twice", async () => {
  await using mcp = await connectMcp(duetty);
  const { session_id } = await openShell();
  const text = (word: string) => mcp.call("pty_wait", { session_id, any: [{ text: word }], timeout_ms: 300 });
  await mcp.call("pty_send", { session_id, text: "printf 'o%s\\n' ne\n" });
  // It is over before the wait begins, and the line itself does not count.
  await person.pty_wait({ session_id, any: [{ text: "one" }], since: 0 });
  expect((await text("one")).text).toMatch(/^matched/);
  const again = await text("one");
  expect(again.data).toMatchObject({ outcome: "deadline", matched_at_entry: true });
  expect(again.text).toContain("pass since: 0");
  // Nor does the line of a run, whatever counts as new.
  await mcp.call("run_command", { session_id, command: "cat; echo DONE1 | tr 1 2" });
  const line = await mcp.call("pty_wait", { session_id, any: [{ text: "DONE1" }], since: 0, timeout_ms: 300 });
  expect(line.text).toMatch(/^deadline.*only in a line that was entered, which never counts/s);
  expect((await mcp.call("pty_wait", { session_id, any: [{ text: "one" }], since: 0 })).text).toMatch(/^matched/);
  // Of a program that was just opened everything is new.
  const opened = await mcp.call("pty_open", { command: ["python3", "-q"], cwd: "/" });
  const own = { session_id: String(opened.data.session_id) };
  await person.pty_wait({ ...own, any: [{ text: ">>>" }], since: 0 });
  expect((await mcp.call("pty_wait", { ...own, any: [{ text: ">>>" }] })).text).toMatch(/^matched\n/);
  await mcp.call("pty_close", own);
});

it("clients that show their model only structured content get text alone, with all of it", async () => {
  for (const wanted of [{ name: "claude-code" }, { name: "other", args: ["--text-only"] }]) {
    await using mcp = await connectMcp(duetty, wanted);
    const ran = await mcp.call("run_command", { command: "echo hello", cwd: "/" });
    expect([ran.data, ran.text]).toEqual([{}, expect.stringMatching(/^exit 0 .*\n\[untrusted.*\nhello\n/)]);
    expect((await mcp.call("pty_read_screen", { session_id: "nobody" })).data).toEqual({});
    expect((await mcp.tools()).filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
  }
  await using drive = await connectMcp(duetty, { args: ["--tier", "drive"] });
  expect(Buffer.byteLength(JSON.stringify(await drive.tools()))).toBeLessThanOrEqual(12_000);
});
