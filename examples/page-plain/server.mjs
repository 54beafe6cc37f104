// A page with a terminal in it, and the server that has the terminal. Only this machine can reach it.
import { readFile } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import { openTerminals } from "duetty";

const terminals = await openTerminals();
// Who may do what is up to you: a cookie of your own, for example. Here it is whoever comes by this very address: a name of
// somebody else's that leads to this machine is refused.
const authorize = ({ headers }) => (headers.host === new URL(url).host ? "person" : null);
const { request, upgrade } = terminals.listener({ authorize });
await terminals.pty_open({ name: "demo" });
const element = new URL(".", import.meta.resolve("duetty/element"));

const server = createServer(async (asked, answer) => {
  if (asked.url.startsWith("/v1/")) return request(asked, answer);
  const name = /^\/element\/([\w-]+\.js)$/.exec(asked.url)?.[1];
  const file = name ? new URL(name, element) : new URL("index.html", import.meta.url);
  const content = await readFile(file).catch(() => undefined);
  if (!content) return answer.writeHead(404).end();
  answer.setHeader("content-type", name ? "text/javascript" : "text/html; charset=utf-8").end(content);
});
server.on("upgrade", upgrade);
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}`;
console.log(`Open ${url}`);

if (process.argv.includes("--once")) {
  for (const path of ["/", "/element/element.js"]) if (!(await fetch(url + path)).ok) process.exitCode = 1;
  if ((await fetch(`${url}/element/none.js`)).status !== 404) process.exitCode = 1;
  const headers = { "content-type": "application/json" };
  const listed = await fetch(`${url}/v1/pty_list`, { method: "POST", headers, body: "{}" });
  if ((await listed.json()).sessions[0]?.name !== "demo") process.exitCode = 1;
  const turned = { ...headers, host: "evil.example", "content-length": 2 };
  const refused = await new Promise((resolve) => {
    const where = { port: server.address().port, path: "/v1/pty_list", method: "POST", headers: turned };
    httpRequest(where, ({ statusCode }) => resolve(statusCode)).end("{}");
  });
  if (refused !== 403) process.exitCode = 1;
  server.closeAllConnections();
  server.close();
  await terminals.close();
}
