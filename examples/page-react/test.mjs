// Signs in, calls an operation, reads a terminal's socket, and comes without the cookie, too.
import assert from "node:assert/strict";
import { on, once } from "node:events";
import { WebSocket } from "ws";
import { close, password, url } from "./server.mjs";

const signIn = (word) =>
  fetch(`${url}/sign-in`, { method: "POST", redirect: "manual", body: new URLSearchParams({ password: word }) });
const call = (name, input, cookie) => {
  const headers = { "content-type": "application/json", cookie };
  return fetch(`${url}/v1/${name}`, { method: "POST", headers, body: JSON.stringify(input) });
};
const open = (cookie) =>
  new WebSocket(`${url.replace("http", "ws")}/v1/sessions/demo/terminal`, { headers: { cookie } });

try {
  const welcome = await signIn(password);
  assert.equal(welcome.status, 303);
  const [cookie] = welcome.headers.getSetCookie()[0].split(";");

  const page = await (await fetch(url, { headers: { cookie } })).text();
  const script = await fetch(url + /src="([^"]+)"/.exec(page)[1]);
  assert.match(await script.text(), /duetty-terminal/);
  const { sessions } = await (await call("pty_list", {}, cookie)).json();
  assert.equal(sessions[0].name, "demo");

  // Text frames tell about the session; binary ones are what the terminal shows, and what is typed.
  const socket = open(cookie);
  socket.on("open", () => socket.send(Buffer.from("echo seen-$((40 + 2))\r")));
  let shown = "";
  for await (const [data, isBinary] of on(socket, "message")) {
    if (isBinary) shown += data;
    if (shown.includes("seen-42")) break;
  }
  socket.close();

  assert.equal((await signIn("guess")).status, 401);
  assert.match(await (await fetch(url)).text(), /type="password"/);
  for (const other of ["", "ticket=guess"]) {
    assert.equal((await call("pty_list", {}, other)).status, 401);
    const [, { statusCode }] = await once(open(other), "unexpected-response");
    assert.equal(statusCode, 401);
  }
} finally {
  await close();
}
