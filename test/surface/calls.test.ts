// Calls over HTTP: one connection for many, and what ends it.
import { once } from "node:events";
import http from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { clientOver } from "../../src/client/client.ts";
import { keptConnection, unixTransport } from "../../src/client/local.ts";
import { sharedStand, stand } from "../fixtures/stand/stand.ts";

const shared = sharedStand();

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
  const client = clientOver(unixTransport(home, () => ({ token: "t", as: undefined }), keptConnection()));
  for (let i = 0; i < 3; i += 1) await client.status({});
  expect(connections).toBe(1);
  server.closeAllConnections();
  server.close();
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
