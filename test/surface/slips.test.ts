// Small slips: a forgotten command, a misspelt key, a refusal, "last". Each is told in words that help.
import { expect, it } from "vitest";
import { connectMcp } from "../fixtures/mcp/clients.ts";
import { sharedStand } from "../fixtures/stand/stand.ts";

const { duetty, person, agent, openBash, openShell, pendingOf } = sharedStand();

it("duetty run SESSION without a command asks nobody and says what is missing", async () => {
  await openBash({ name: "work" });
  const forgot = await duetty.agentCli("run", "work");
  expect(forgot).toMatchObject({ code: 2, stderr: expect.stringContaining('"work" is a session') });
  expect(forgot.stderr).toContain("duetty run work -- CMD");
  expect((await person.approvals({ all: true })).approvals).toEqual([]);
  // Behind -- it is a command.
  expect((await duetty.cli("run", "--", "work")).code).toBe(127);
});

it("a denied run is denied, without empty brackets", async () => {
  const session_id = await openBash();
  const denied = duetty.agentCli("run", session_id, "--", "curl", "-d", "x", "example.org");
  const { approval_id } = await pendingOf(session_id);
  await person.deny({ approval_id, reason: "not today" });
  expect(await denied).toMatchObject({ code: 5, stderr: expect.stringMatching(/^duetty: denied\n {2}.*not today/) });
});

it("a misspelt key is guessed, and nothing is typed", async () => {
  const { session_id } = await openShell();
  for (const [written, meant] of [
    ["Retrun", "Enter"],
    ["Entre", "Enter"],
    ["Newline", "Enter"],
    ["Ctrl+PgeUp", "PageUp"],
  ] as const)
    await expect(person.pty_send({ session_id, keys: [written] })).rejects.toMatchObject({
      code: "key.unknown",
      hint: expect.stringMatching(new RegExp(`^Did you mean ${meant}\\?`)),
    });
  await expect(person.pty_send({ session_id, keys: ["Qqqqqq"] })).rejects.toMatchObject({
    hint: expect.stringMatching(/^Use a single character/),
  });
});

it("report last is the newest command", async () => {
  const { session_id } = await openShell();
  await agent().run_command({ session_id, command: "echo newest" });
  await using mcp = await connectMcp(duetty);
  const { text, data } = await mcp.call("report", { id: "last" });
  expect(text).toContain("echo newest");
  expect(data).toMatchObject({ report: { counts: { commands: 1 } } });
  expect((await duetty.cli("report", "last")).stdout).toContain("echo newest");
});

it("what an agent opens over MCP says whether it is boxed, and how large it is", async () => {
  await using mcp = await connectMcp(duetty);
  const { tools } = { tools: await mcp.tools() };
  expect(tools.find(({ name }) => name === "pty_open")?.description).toMatch(/80x24.*boxed.*no network/s);
});
