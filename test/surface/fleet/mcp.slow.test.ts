// Other machines over MCP: `host` and names host/ID in every tool and in resources, with real clients over both ways. Without other
// machines nothing of it is offered.
import { describe, expect, test } from "vitest";
import { toolsOf } from "../../../src/mcp/tools.ts";
import { sharedPair } from "../../fixtures/fleet/machines.ts";
import { connectMcp, type Mcp, type Wanted } from "../../fixtures/mcp/clients.ts";
import { soon, until } from "../../fixtures/soon.ts";
import { stand } from "../../fixtures/stand/stand.ts";

const s = sharedPair({}, { config: { elicitation: "on" } });
const WAYS: readonly Wanted[] = [{ way: "stdio" }, { way: "http" }, { way: "http", line: "1.32" }];

/** The whole list, and what those get who only work. */
const LIST_BYTES_MAX = 16_384;
const DRIVE_BYTES_MAX = 12_800;

test("without other machines the list has no word of them; a last one that was removed takes them away", async () => {
  await using alone = await stand();
  const listOf = async (wanted: Wanted) => {
    await using mcp = await connectMcp(alone.duetty, wanted);
    return JSON.stringify(await mcp.tools());
  };
  const before = await listOf({ way: "stdio" });
  expect(before).not.toMatch(/"host"|"hosts"|another machine/);
  await alone.person.hosts_add({ name: "box", address: "ssh://127.0.0.1:9" });
  expect(await listOf({ way: "stdio" })).toMatch(/"host":.*"hosts":/);
  await alone.person.hosts_remove({ name: "box" });
  for (const wanted of WAYS) if (wanted.line === undefined) expect(await listOf(wanted)).toBe(before);
});

test("with other machines the list stays small", async () => {
  await using mcp = await connectMcp(s.hub.duetty);
  const tools = await mcp.tools();
  const size = (of: readonly unknown[]) => Buffer.byteLength(JSON.stringify(of));
  const drive = new Set(toolsOf("drive", "several").map(({ op }) => op.name as string));
  expect(size(tools)).toBeLessThanOrEqual(LIST_BYTES_MAX);
  expect(size(tools.filter(({ name }) => drive.has(name)))).toBeLessThanOrEqual(DRIVE_BYTES_MAX);
});

async function done(mcp: Mcp, name: string, args: object) {
  const answer = await mcp.call(name, args);
  expect({ name, args, text: answer.text, isError: answer.isError ?? false }).toMatchObject({ isError: false });
  return answer;
}

describe.each(WAYS)("a client over $way ($line)", (wanted) => {
  test("works on another machine with every tool", async () => {
    await using mcp = await connectMcp(s.hub.duetty, {
      ...wanted,
      ...(wanted.way === "stdio" && { cwd: s.hub.folder() }),
    });
    expect((await done(mcp, "hosts", {})).text).toMatch(/^laptop: this machine\nbox · here(?: · \d+ running)?$/);
    const command = ["/bin/bash", "--norc", "-i"];
    const opened = await done(mcp, "pty_open", { host: "box", command, name: "far" });
    const [session_id = ""] = /box\/s_\w{8}/.exec(opened.text) ?? [];
    // Not the folder of this machine.
    expect(opened.text).toMatch(s.far.home);
    await done(mcp, "pty_wait", { session_id, any: [{ prompt: true }] });
    await done(mcp, "pty_send", { session_id, text: "echo se$((1+1))nt\r", then: { any: [{ text: "se2nt" }] } });
    expect((await done(mcp, "pty_read_screen", { session_id })).text).toMatch("se2nt");
    await done(mcp, "pty_screen_status", { session_id });
    expect((await done(mcp, "run_command", { host: "box", command: "pwd" })).text).toMatch(s.far.home);
    const ran = await done(mcp, "run_command", { session_id, command: "echo needle-over-there" });
    expect(ran.text).toMatch(/box\/b_/);
    const [block_id = ""] = /box\/b_\w{8}_\d+/.exec((await done(mcp, "blocks", { session_id })).text) ?? [];
    expect((await done(mcp, "block", { block_id: `${session_id}:last` })).text).toMatch("needle-over-there");
    expect((await done(mcp, "block", { block_id })).text).not.toBe("");
    expect((await done(mcp, "report", { id: session_id })).text).toMatch(session_id);
    expect((await done(mcp, "search", { query: "needle-over-there", hosts: "all" })).text).toMatch(session_id);
    const part = await done(mcp, "search", { host: "box", query: "needle-over-there", limit: 1 });
    const [, after = ""] = /\[more with after "(box\/[^"]+)"\]/.exec(part.text) ?? [];
    expect((await done(mcp, "search", { query: "needle-over-there", limit: 1, after })).text).toMatch("box/s_");
    expect((await done(mcp, "export", { session_id })).text).toMatch("needle-over-there");
    await done(mcp, "pty_read_screen_deltas", { session_id });
    await done(mcp, "pty_resize", { session_id, cols: 100, rows: 30 });
    const folder = s.far.there.folder({ Makefile: "test:\n\t@echo fine\n" });
    expect((await done(mcp, "run_tests", { host: "box", cwd: folder, dry_run: true })).text).toMatch("make test");
    expect((await done(mcp, "pty_list", { hosts: "all" })).text).toMatch(session_id);
    expect((await done(mcp, "pty_list", {})).text).not.toMatch(session_id);
    const wrong = await mcp.call("pty_read_screen", { session_id: "box/s_00000000" });
    expect(wrong.text).toMatch(/session\.not_found.*box\/s_00000000/s);
    expect((await mcp.call("run_command", { host: "nowhere", command: "id" })).text).toMatch("host.unknown");
    expect((await done(mcp, "pty_close", { session_id })).text).toMatch(session_id);
  });

  test("reads and follows a screen there as a resource", async () => {
    const { session_id } = await s.hub.person.pty_open({ host: "box", command: ["/bin/cat"] });
    await using mcp = await connectMcp(s.hub.duetty, wanted);
    const uri = `terminal://${session_id}/screen`;
    await soon(async () => expect((await mcp.resources()).map((one) => one.uri)).toContain(uri));
    await s.hub.person.pty_send({ session_id, text: "first" });
    await soon(async () => expect(await mcp.read(uri)).toMatch("first"));
    let notices = 0;
    const stop = await mcp.follow(uri, () => {
      notices += 1;
    });
    await soon(() => expect(notices).toBeGreaterThan(0));
    const before = notices;
    await s.hub.person.pty_send({ session_id, text: " second" });
    await soon(() => expect(notices).toBeGreaterThan(before));
    await stop();
    await s.hub.person.pty_close({ session_id });
  });
});

test("what an agent there would have to ask is asked of the person here, with the text that they see", async () => {
  const { session_id } = await s.hub.person.pty_open({ host: "box", command: ["/bin/bash", "--norc", "-i"] });
  await s.hub.person.pty_wait({ session_id, any: [{ prompt: true }] });
  const shown: string[] = [];
  await using mcp = await connectMcp(s.hub.duetty, {
    elicit: async (message) => {
      shown.push(message);
      return { action: "accept", content: {} };
    },
  });
  // The other machine lets a yes through a client count as it likes.
  s.far.there.duetty.configure({ elicitation: "on" });
  const ran = await mcp.call("run_command", { session_id, command: "kill -0 99999999" });
  expect(shown).toHaveLength(1);
  expect(shown[0]).toMatch(`in session ${session_id}`);
  expect(shown[0]).toMatch("kill -0 99999999");
  expect(ran.text).toMatch(/exit 1/);
  const asked = mcp.call("run_command", { session_id, command: "shutdown -h now", timeout_ms: 100 });
  await asked;
  await until(
    async () => (await s.hub.person.approvals({ host: "box" })).approvals.length === 0,
    "no question is left",
  );
});
