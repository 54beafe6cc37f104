// Calls over HTTP: one connection for many, and what ends it.
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { WebSocket } from "ws";
import { clientOver } from "../../src/client/client.ts";
import { KeptConnection } from "../../src/client/http.ts";
import { unixTransport } from "../../src/client/local.ts";
import { sharedStand, stand } from "../fixtures/stand/stand.ts";

const shared = sharedStand({ own: true });

/** One call over an agent's connection, as any client makes it. */
async function posted(port: number, token: string, op: string, body: string, agent: http.Agent) {
  const headers = { authorization: `Bearer ${token}`, "content-length": Buffer.byteLength(body) };
  const request = http.request({ host: "127.0.0.1", port, path: `/v1/${op}`, method: "POST", headers, agent });
  request.end(body);
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  return { reused: request.reusedSocket, response, answer: JSON.parse(Buffer.concat(parts).toString()) };
}

it("a client that keeps its connection makes its calls over one", async () => {
  await using s = await stand({ daemon: "later" });
  let connections = 0;
  const server = http.createServer((_, response) => response.end("{}"));
  server.on("connection", () => {
    connections += 1;
  });
  const home = { ...s.duetty.home, daemonSocket: join(s.folder(), "d.sock") };
  server.listen(home.daemonSocket);
  await once(server, "listening");
  const client = clientOver(unixTransport(home, () => ({ token: "t", as: undefined }), new KeptConnection()));
  for (let i = 0; i < 3; i += 1) await client.status({});
  expect(connections).toBe(1);
  server.closeAllConnections();
  server.close();
});

it("a client that was busy for longer than a connection is kept makes a new one; one of others has the old one still", async () => {
  await using s = await stand();
  const { home } = s.duetty;
  const identity = { token: s.duetty.token("person"), as: undefined };
  const client = clientOver(unixTransport(home, () => identity, new KeptConnection()));
  await client.status({});
  const socket = net.connect(s.duetty.port, "127.0.0.1");
  const asks = async () => {
    socket.write(`GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:${s.duetty.port}\r\n\r\n`);
    return String((await Promise.race([once(socket, "data"), once(socket, "close")]))[0]);
  };
  expect(await asks()).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nkeep-alive: timeout=5\r\n/i);
  // Nothing of this process runs meanwhile, neither its timers nor what the socket says.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 7_000);
  expect((await client.status({})).role).toBe("person");
  expect(await asks()).toMatch(/^HTTP\/1\.1 200 /);
  socket.destroy();
});

it("an operation that is refused leaves the connection to the next call", async () => {
  const { port } = (await shared.person.status({})).http;
  const [token, agent] = [shared.duetty.token("person"), new http.Agent({ keepAlive: true, maxSockets: 1 })];
  const wrong = await posted(port, "none", "status", "{}", agent);
  expect([wrong.response.statusCode, wrong.answer.error.code]).toEqual([401, "auth.required"]);
  const broken = await posted(port, token, "status", "{", agent);
  expect([broken.reused, broken.response.statusCode, broken.answer.error.code]).toEqual([true, 400, "input.invalid"]);
  const right = await posted(port, token, "status", "", agent);
  expect([right.reused, right.answer.role]).toEqual([true, "person"]);
  expect(right.response.headers).toMatchObject({ "x-content-type-options": "nosniff", "cache-control": "no-store" });
  agent.destroy();
});

it("a body that is too long is refused without being kept", async () => {
  const { port } = (await shared.person.status({})).http;
  const agent = new http.Agent({ keepAlive: true });
  const long = `{"x":"${"y".repeat(4 << 20)}"}`;
  const { response, answer } = await posted(port, shared.duetty.token("person"), "status", long, agent);
  expect([response.statusCode, answer.error.code]).toEqual([400, "input.invalid"]);
  agent.destroy();
});

it("a daemon that ends tells its caller to come back over a new connection", async () => {
  await using s = await stand();
  const { port } = (await s.person.status({})).http;
  const agent = new http.Agent({ keepAlive: true });
  const { response } = await posted(port, s.duetty.token("person"), "shutdown", "{}", agent);
  expect(response.headers.connection).toBe("close");
  agent.destroy();
});

const wide: readonly (readonly [string, string, string])[] = [
  ["a list", `[${"0,".repeat(1_000_000)}0]`, "the input must be an object"],
  ["a text", JSON.stringify("0".repeat(4_000_000)), "the input must be an object"],
  ["a number", "7", "the input must be an object"],
  ["many fields", JSON.stringify(Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`f${n}`, 0]))), "parts"],
  ["a list of many wrong entries", `{"keys":[${"0,".repeat(1_000_000)}0]}`, "parts"],
  ["lists in lists", `{"keys":[${"[[]],".repeat(500_000)}0]}`, "parts"],
  [
    "some fields",
    JSON.stringify(Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`f${n}`, 0]))),
    "no field f0",
  ],
  ["a long name", JSON.stringify({ [`f${"0".repeat(3_000_000)}`]: 0 }), "no field f0"],
  ["wrong entries", JSON.stringify({ session_id: "s_00000001", keys: Array(150).fill(0) }), "keys[0] must be"],
];

it("an MCP body with millions of parts, or thousands of messages, is refused before it is looked at", async () => {
  const { port } = (await shared.person.status({})).http;
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const bodies = [
    JSON.stringify(Array(60_000).fill(ping)),
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${"[".repeat(500_000)}${"]".repeat(500_000)}}`,
    `[{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":[${"0,".repeat(500_000)}0]}}]`,
  ];
  for (const body of bodies) {
    const headers = {
      authorization: `Bearer ${shared.duetty.token("agent")}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    };
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST", headers, body });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { message: expect.stringMatching(/at most|may have/) } });
  }
});

it("a viewer's message that is no input and too long ends its socket", async () => {
  const { session_id } = await shared.person.pty_open({ command: ["cat"] });
  const { port } = (await shared.person.status({})).http;
  const headers = { authorization: `Bearer ${shared.duetty.token("person")}` };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/sessions/${session_id}/terminal`, { headers });
  await once(socket, "message");
  socket.send("[".repeat(1 << 20));
  const [code] = await once(socket, "close");
  expect(code).toBe(1009);
});

it("a line of a megabyte is not explained", async () => {
  await expect(shared.person.explain({ command: "echo a; ".repeat(125_000) })).rejects.toMatchObject({
    code: "input.invalid",
  });
});

it.for(wide)("%s as the input of a call is refused in a few words", async ([, body, words]) => {
  const { port } = (await shared.person.status({})).http;
  const agent = new http.Agent({ keepAlive: true });
  const { response, answer } = await posted(port, shared.duetty.token("agent"), "pty_send", body, agent);
  expect([response.statusCode, answer.error.code]).toEqual([400, "input.invalid"]);
  expect(answer.error.message).toContain(words);
  expect(answer.error.message.length).toBeLessThan(1_000);
  agent.destroy();
});
