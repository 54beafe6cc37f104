// MCP clients with a session over HTTP: how long one is kept, and how many. With the daemon's own class and a clock of ours;
// requests are the client's, without a socket between.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { clientOver } from "../../../src/client/client.ts";
import type { McpParts } from "../../../src/mcp/parts.ts";
import { IDLE_MS, McpSessions, SESSIONS_MAX, SWEEP_MS } from "../../../src/serve/mcp/sessions.ts";
import { FakeClock } from "../../fixtures/fakes/clock.ts";

const nobody = clientOver(() => Promise.reject(new Error("nothing is called here")));
const PARTS: McpParts = {
  tier: "readonly",
  name: undefined,
  cwd: undefined,
  agent: () => nobody,
  onlooker: () => nobody,
  person: null,
  setUp: false,
  textOnly: false,
  personToken: () => undefined,
};
const URL_OF_MCP = "http://127.0.0.1/mcp";
const HELLO = {
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

function world() {
  const clock = new FakeClock();
  const sessions = new McpSessions(clock);
  const fetch = (url: string | URL, init?: RequestInit) => sessions.answer(new Request(url, init), () => PARTS);
  const send = (id: string | undefined, method: "GET" | "POST" | "DELETE", body?: object) =>
    fetch(URL_OF_MCP, {
      method,
      headers: {
        accept: method === "GET" ? "text/event-stream" : "application/json, text/event-stream",
        "content-type": "application/json",
        ...(id === undefined ? {} : { "mcp-session-id": id, "mcp-protocol-version": "2025-11-25" }),
      },
      ...(body ? { body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }) } : {}),
    });
  /** The answer, read to its end. */
  const status = async (id: string | undefined, body: object) => {
    const response = await send(id, "POST", body);
    return { status: response.status, text: await response.text() };
  };
  const ping = async (id: string) => (await status(id, { method: "ping" })).status;
  const begin = async () => {
    const response = await send(undefined, "POST", HELLO);
    await response.text();
    const id = response.headers.get("mcp-session-id");
    if (id === null) throw new Error(`no session: ${response.status}`);
    return id;
  };
  const expire = () => clock.pass(IDLE_MS + 2 * SWEEP_MS);
  return { clock, fetch, send, status, ping, begin, expire, [Symbol.dispose]: () => sessions.close() };
}

test("a session ends after a long silence of its client, and each request keeps it", async () => {
  using mcp = world();
  const [silent, busy] = [await mcp.begin(), await mcp.begin()];
  mcp.clock.pass(IDLE_MS - SWEEP_MS);
  expect(await mcp.ping(busy)).toBe(200);
  mcp.clock.pass(3 * SWEEP_MS);
  expect([await mcp.ping(silent), await mcp.ping(busy)]).toEqual([404, 200]);
  mcp.expire();
  expect(await mcp.ping(busy)).toBe(404);
});

test("a listening client is not silent; one that left is", async () => {
  using mcp = world();
  const id = await mcp.begin();
  const stream = await mcp.send(id, "GET");
  expect(stream.status).toBe(200);
  mcp.expire();
  expect(await mcp.ping(id)).toBe(200);
  await stream.body?.cancel();
  mcp.expire();
  expect(await mcp.ping(id)).toBe(404);
});

test("the official client is told that its session ended and starts a new one", async () => {
  using mcp = world();
  const connect = async () => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "legacy" } });
    // Without a stream to listen on, as clients are that only call.
    const calls = (url: string | URL, init?: RequestInit) =>
      init?.method === "GET" ? Promise.resolve(new Response(null, { status: 405 })) : mcp.fetch(url, init);
    await client.connect(new StreamableHTTPClientTransport(new URL(URL_OF_MCP), { fetch: calls }));
    return client;
  };
  const first = await connect();
  expect((await first.listTools()).tools.length).toBeGreaterThan(0);
  mcp.expire();
  await expect(first.listTools()).rejects.toThrow(/Session not found|404/);
  await first.close();
  const second = await connect();
  expect((await second.listTools()).tools.length).toBeGreaterThan(0);
  await second.close();
});

test("beyond the limit the longest silent client makes room; when all listen a new one is refused", async () => {
  using mcp = world();
  const ids: string[] = [];
  for (let i = 0; i < SESSIONS_MAX; i += 1) {
    ids.push(await mcp.begin());
    mcp.clock.pass(1);
  }
  const [first = "", second = "", third = ""] = ids;
  // Strangers without a session, who do not begin one either.
  for (const method of ["GET", "DELETE"] as const) expect((await mcp.send(undefined, method)).status).toBe(400);
  expect(await mcp.status(undefined, { method: "tools/list" })).toMatchObject({ status: 400 });
  expect(await mcp.status(undefined, { ...HELLO, params: {} })).toMatchObject({ status: 400 });
  for (const id of ids) {
    mcp.clock.pass(1);
    expect(await mcp.ping(id)).toBe(200);
  }
  await mcp.send(first, "GET");
  expect(await mcp.ping(second)).toBe(200);
  const late = await Promise.all([mcp.begin(), mcp.begin()]);
  // The first listens, the second was used last: the third and the fourth are the stalest.
  expect([await mcp.ping(first), await mcp.ping(second), await mcp.ping(third)]).toEqual([200, 200, 404]);
  expect(await mcp.ping(ids[3] ?? "")).toBe(404);
  const kept = [...ids.filter((_, i) => i !== 2 && i !== 3), ...late];
  for (const id of kept.slice(1)) expect((await mcp.send(id, "GET")).status).toBe(200);
  expect(await mcp.status(undefined, HELLO)).toEqual({
    status: 503,
    text: expect.stringContaining(`${SESSIONS_MAX} clients are connected`),
  });
  for (const id of kept) expect(await mcp.ping(id)).toBe(200);
});
