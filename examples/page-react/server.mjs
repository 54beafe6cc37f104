// The page's server. Who knows the password, which is new at each start, gets a cookie; nobody else has a terminal.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { join } from "node:path";
import { openTerminals } from "duetty";
import express from "express";

export const password = randomBytes(16).toString("hex");
const ticket = randomBytes(32).toString("hex");
// Hashes have the same length, and how long it takes to compare them tells nothing.
const hash = (text) => createHash("sha256").update(text).digest();
const isSame = (given, secret) => typeof given === "string" && timingSafeEqual(hash(given), hash(secret));
const isSignedIn = ({ headers }) => isSame(/(?:^|; )ticket=(\w+)/.exec(headers.cookie ?? "")?.[1], ticket);

const terminals = await openTerminals();
const { request, upgrade } = terminals.listener({ authorize: (asked) => (isSignedIn(asked) ? "person" : null) });
await terminals.pty_open({ name: "demo" });

const app = express();
// Before anything that reads bodies: what is not ours goes on to the next.
app.use(request);
app.use("/assets", express.static(join(import.meta.dirname, "dist/assets"))); // What vite built; the element is in it.
app.get("/", (asked, answer) =>
  answer.sendFile(isSignedIn(asked) ? "dist/index.html" : "sign-in.html", { root: import.meta.dirname }),
);
app.post("/sign-in", express.urlencoded(), ({ body }, answer) => {
  if (!isSame(body?.password, password)) return answer.sendStatus(401);
  // Behind TLS add `secure: true`.
  answer.cookie("ticket", ticket, { httpOnly: true, sameSite: "strict" }).redirect(303, "/");
});

const server = createServer(app).on("upgrade", upgrade);
await new Promise((resolve) => server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", resolve));
export const url = `http://127.0.0.1:${server.address().port}`;
console.log(`Open ${url} and sign in with ${password}`);

export async function close() {
  await terminals.close();
  server.closeAllConnections();
  server.close();
}
