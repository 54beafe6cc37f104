// Terminals in a Hono server. Who knows the password, which is new at each start, gets a cookie; nobody else has a terminal.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createAdaptorServer } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { openTerminals } from "duetty";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { setCookie } from "hono/cookie";

export const password = randomBytes(16).toString("hex");
const ticket = randomBytes(32).toString("hex");
// Hashes have the same length, and how long it takes to compare them tells nothing.
const hash = (text) => createHash("sha256").update(text).digest();
const isSame = (given, secret) => typeof given === "string" && timingSafeEqual(hash(given), hash(secret));
const isSignedIn = ({ headers }) => isSame(/(?:^|; )ticket=(\w+)/.exec(headers.cookie ?? "")?.[1], ticket);

const terminals = await openTerminals();
const { request, upgrade } = terminals.listener({ authorize: (asked) => (isSignedIn(asked) ? "person" : null) });
await terminals.pty_open({ name: "demo" });

const app = new Hono();
// Node's own request and answer: Hono must not have read the body.
app.all("/v1/*", ({ env }) => {
  request(env.incoming, env.outgoing);
  return RESPONSE_ALREADY_SENT;
});
const root = fileURLToPath(new URL(".", import.meta.resolve("duetty/element")));
app.use("/element/*", serveStatic({ root, rewriteRequestPath: (path) => path.slice("/element".length) }));
app.get("/", async (asked) => {
  const page = isSignedIn(asked.env.incoming) ? "index.html" : "sign-in.html";
  return asked.html(await readFile(new URL(page, import.meta.url), "utf8"));
});
app.post("/sign-in", bodyLimit({ maxSize: 1024 }), async (asked) => {
  const given = await asked.req.parseBody();
  if (!isSame(given.password, password)) return asked.text("Unauthorized", 401);
  // Behind TLS add `secure: true`.
  setCookie(asked, "ticket", ticket, { httpOnly: true, sameSite: "Strict", path: "/" });
  return asked.redirect("/", 303);
});

const server = createAdaptorServer(app).on("upgrade", upgrade);
await new Promise((resolve) => server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", resolve));
export const url = `http://127.0.0.1:${server.address().port}`;
console.log(`Open ${url} and sign in with ${password}`);

export async function close() {
  await terminals.close();
  server.closeAllConnections();
  server.close();
}
