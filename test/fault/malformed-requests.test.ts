// Bad requests from outside: broken upgrades, strange URLs, noise on the sockets, folders deleted under running sessions.
// Whatever it is, nobody else's session suffers.
import fs from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import type { Output } from "../../src/protocol/ops.ts";
import { sharedStand } from "../fixtures/stand/stand.ts";

const { duetty, person, open } = sharedStand({ own: true });
let before: Output<"status">;
let bystander = "";
beforeAll(async () => {
  bystander = await open(["cat"]);
  before = await duetty.status();
});

/** The same daemon, the same holder, and a session that still answers. */
async function nothingHappened(): Promise<void> {
  const now = await duetty.status();
  expect([now.daemon.pid, now.holder.pid]).toEqual([before.daemon.pid, before.holder.pid]);
  const text = `fine ${Math.random()}`;
  const then = { any: [{ text }] };
  const { outcome } = await person.pty_send({ session_id: bystander, text: `${text}\n`, then });
  expect(outcome).toBe("matched");
}

function upgrade(path: string, headers: string[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(duetty.port, "127.0.0.1", () => {
      const head = [
        `GET ${path} HTTP/1.1`,
        `Host: 127.0.0.1:${duetty.port}`,
        "Connection: Upgrade",
        "Upgrade: websocket",
      ];
      socket.write(
        [...head, "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", ...headers, "", ""].join(
          "\r\n",
        ),
      );
    });
    socket.once("data", (data) => {
      socket.resetAndDestroy();
      resolve(data.toString().split("\r\n")[0] ?? "");
    });
    socket.on("error", () => undefined);
  });
}

it("a refused upgrade that resets its connection harms nobody", async () => {
  for (let i = 0; i < 5; i++) expect(await upgrade("/v1/sessions/x/terminal", [])).toContain("401");
  await nothingHappened();
});

it("an upgrade to an invalid path harms nobody", async () => {
  const token = `Authorization: Bearer ${duetty.token("agent")}`;
  for (const path of ["//", "/v1/sessions/%zz/terminal", "/v1/sessions/%00/terminal?cursor=%zz", "/?//"]) {
    expect(await upgrade(path, [token])).toContain("404");
  }
  await nothingHappened();
});

it("noise on the holder's socket harms nobody", async () => {
  for (const noise of [
    "GET / HTTP/1.1\r\n\r\n",
    "\x05\x00\x00\x00\x01{nope",
    "\x02\x00\x00\x00\x03ab",
    "\x04\x00\x00\x00\x01null",
  ]) {
    await new Promise<void>((resolve) => {
      const socket = connect(duetty.home.holderSocket).resume();
      socket.on("error", () => undefined);
      // The holder ends the connection once it has read all of it.
      socket.on("close", () => resolve());
      socket.end(Buffer.from(noise, "latin1"));
    });
  }
  await nothingHappened();
});

it("an endless body without a length harms nobody", async () => {
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(duetty.port, "127.0.0.1", () => {
      const token = `Authorization: Bearer ${duetty.token("agent")}`;
      const head = [
        "POST /v1/pty_list HTTP/1.1",
        `Host: 127.0.0.1:${duetty.port}`,
        token,
        "Transfer-Encoding: chunked",
        "",
        "",
      ];
      socket.write(head.join("\r\n"));
      const chunk = `100000\r\n${"x".repeat(1 << 20)}\r\n`;
      for (let i = 0; i < 8; i++) socket.write(chunk);
    });
    socket.once("data", (data) => {
      socket.destroy();
      resolve(data.toString());
    });
    socket.on("error", () => undefined);
  });
  expect(answer).toContain("400");
  await nothingHappened();
});

it("a deleted session folder harms nobody, running or pending", async () => {
  const { session_id } = await person.pty_open({ command: ["sh", "-c", "read x; seq 1 1000; exit 3"] });
  fs.rmSync(join(duetty.home.sessions, session_id), { recursive: true });
  const { outcome } = await person.pty_send({
    session_id,
    text: "\n",
    then: { any: [{ exit: true }] },
  });
  expect(outcome).toBe("matched");
  const pending = await person.pty_open({ command: ["cat"], lazy: true });
  fs.rmSync(join(duetty.home.sessions, pending.session_id), { recursive: true });
  await person.pty_send({ session_id: pending.session_id, text: "x\n" }).catch(() => undefined);
  await nothingHappened();
});

it("a wait on a session that ended before this daemon started answers at once", async () => {
  const { session_id } = await person.pty_open({ command: ["true"] });
  await person.pty_wait({ session_id, any: [{ exit: true }] });
  await duetty.killDaemon();
  const wait = await duetty.json<Output<"pty_wait">>("wait", session_id, "--exit");
  expect(wait.outcome).toBe("matched");
  before = await duetty.status();
});

it("programs get the umask of the process that started duetty", async () => {
  const { session_id } = await person.pty_open({ command: ["sh", "-c", "umask"] });
  const { screen } = await person.pty_wait({ session_id, any: [{ exit: true }] });
  expect(Number.parseInt(screen.rows[0] ?? "", 8)).toBe(process.umask());
});
