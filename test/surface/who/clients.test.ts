// Clients that a person set up: each has a token that carries its name, and only they may bring a person's answers by default.
import fs from "node:fs";
import { describe, expect, it, test } from "vitest";
import { connectMcp } from "../../fixtures/mcp/clients.ts";
import { alwaysSays, riskyIn } from "../../fixtures/mcp/risky.ts";
import { type Stand, stand } from "../../fixtures/stand/stand.ts";

/** The name that a call is made under: of the session that it opens. */
async function nameWith({ duetty, folder }: Stand, token: string, as?: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, host: `127.0.0.1:${duetty.port}` };
  const named = as === undefined ? {} : { "x-duetty-as": `agent:${as}` };
  const body = JSON.stringify({ lazy: true, cwd: folder() });
  const answer = await duetty.request("/v1/pty_open", { ...headers, ...named }, body);
  return answer.status === 200 ? JSON.parse(answer.body).actor : `refused: ${answer.status}`;
}

it("setup gives a client a token of its own, and nobody else can take a name that somebody owns", async () => {
  await using s = await stand();
  const { duetty } = s;
  expect(await duetty.cli("setup", "cursor", "--yes")).toMatchObject({ code: 0 });
  const clients = JSON.parse(fs.readFileSync(duetty.home.clients, "utf8"));
  expect(fs.statSync(duetty.home.clients).mode & 0o777).toBe(0o600);
  const { token } = clients.cursor;
  expect(await nameWith(s, token)).toBe("agent:cursor");
  expect(await nameWith(s, token, "somebody-else")).toBe("agent:cursor");
  const shared = duetty.token("agent");
  for (const taken of ["cursor", "claude", "codex", "duetty", "person", "You"])
    expect([taken, await nameWith(s, shared, taken)]).toEqual([taken, "agent:unnamed"]);
  expect(await nameWith(s, shared, "free")).toBe("agent:free");
  // Over MCP, too, where a client tells its own name.
  for (const way of ["stdio", "http"] as const) {
    await using mcp = await connectMcp(duetty, { way, name: "cursor" });
    const { data } = await mcp.call("pty_open", { cwd: s.folder() });
    expect(data.actor).toBe("agent:unnamed");
  }
  await using own = await connectMcp(duetty, { name: "liar", args: ["--as", "agent:cursor"] });
  expect((await own.call("pty_open", { cwd: s.folder() })).data.actor).toBe("agent:cursor");
  // Again changes nothing; taken out, the token is nobody's.
  await duetty.cli("setup", "cursor", "--yes");
  expect(JSON.parse(fs.readFileSync(duetty.home.clients, "utf8"))).toEqual(clients);
  await duetty.cli("setup", "cursor", "--remove", "--yes");
  expect(await nameWith(s, token)).toBe("refused: 401");
  expect(await nameWith(s, shared, "cursor")).toBe("agent:cursor");
});

it("nobody sets up a client from inside a session", async () => {
  await using s = await stand();
  const { code, stderr } = await s.duetty.cliWith({ DUETTY_SESSION_ID: "s_00000000" }, "setup", "cursor", "--yes");
  expect([code, stderr]).toEqual([5, expect.stringContaining("outside duetty")]);
  expect(fs.existsSync(s.duetty.home.clients)).toBe(false);
});

describe("M7: an answer that a client brings", () => {
  test.each(["http", "stdio"] as const)("does not count over %s from a client that nobody set up", async (way) => {
    await using s = await stand();
    const { session_id, command, count } = await riskyIn(s);
    const { elicit, asked } = alwaysSays("accept");
    await using mcp = await connectMcp(s.duetty, { way, elicit, name: "cursor" });
    const { data } = await mcp.call("run_command", { session_id, command, timeout_ms: 300 });
    expect(data).toMatchObject({ status: "approval_pending" });
    const bring = s.person.approve({ approval_id: String(data.approval_id), via: "mcp:cursor" });
    await expect(bring).rejects.toMatchObject({ code: "auth.forbidden" });
    expect([asked(), count()]).toEqual([0, 0]);
  });

  test("counts over stdio from a client that a person set up, and not over HTTP under its name", async () => {
    await using s = await stand();
    await s.duetty.cli("setup", "cursor", "--yes");
    const { session_id, command, count } = await riskyIn(s);
    const { elicit, asked } = alwaysSays("accept");
    await using http = await connectMcp(s.duetty, { way: "http", elicit, as: "agent:cursor" });
    const refused = await http.call("run_command", { session_id, command, timeout_ms: 300 });
    expect(refused.data).toMatchObject({ status: "approval_pending" });
    expect([asked(), count()]).toEqual([0, 0]);
    await using mcp = await connectMcp(s.duetty, { elicit, args: ["--as", "agent:cursor"] });
    expect((await mcp.call("run_command", { session_id, command })).data).toMatchObject({ status: "done" });
    expect([asked(), count()]).toEqual([1, 1]);
    expect(s.duetty.events(session_id)).toContain('"via":"mcp:cursor"');
  });
});
