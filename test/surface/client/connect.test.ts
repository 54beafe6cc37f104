// `duetty/client` in Node, over both of its ways: operations with their types and refusals, terminals, and streams of what changes.
import fs from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { CallError } from "../../../src/client/client.ts";
import type { Connection } from "../../../src/client/connection.ts";
import { connect } from "../../../src/client/node.ts";
import { openTerminals } from "../../../src/embed/terminals.ts";
import { selfSigned } from "../../../src/host/certificate.ts";
import { soon } from "../../fixtures/soon.ts";
import { Reader } from "../../fixtures/stand/reader.ts";
import { sharedStand, stand } from "../../fixtures/stand/stand.ts";

const { duetty, person, open, openBash } = sharedStand({ own: true });
const COPIES = ["sh", "-c", "stty raw -echo; printf ready; exec cat"];

const WAYS = {
  "a unix socket": () => connect({ home: duetty.home.dir, token: duetty.token("person") }),
  "an address": () => connect({ url: `http://127.0.0.1:${duetty.port}`, token: duetty.token("person") }),
};

async function connected(way: () => Promise<Connection>): Promise<Connection> {
  const made = await way();
  onTestFinished(() => made.close());
  return made;
}

const code = (call: Promise<unknown>) =>
  call.then(
    () => "no error",
    (error) => (error instanceof CallError ? error.code : `${error.name}`),
  );

describe.each(Object.entries(WAYS))("over %s", (_, way) => {
  it("operations answer, and refuse with a code and a hint", async () => {
    const duo = await connected(way);
    const { session_id } = await duo.pty_open({ command: COPIES });
    expect((await duo.pty_wait({ session_id, any: [{ text: "ready" }], since: 0 })).outcome).toBe("matched");
    expect((await duo.pty_list()).sessions.map((one) => one.session_id)).toContain(session_id);
    const refused = await duo.pty_read_screen({ session_id: "s_none" }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(CallError);
    expect(refused).toMatchObject({ code: "session.not_found", hint: expect.stringMatching(/\w/) });
    // Cancelled on the other side, too: at once.
    const leave = new AbortController();
    const waiting = duo.pty_wait({ session_id, any: [{ text: "never" }] }, { signal: leave.signal });
    leave.abort();
    expect(await code(waiting)).toBe("AbortError");
    await duo.pty_close({ session_id });
  });

  it("a terminal is read, typed into, resized, and left", async () => {
    const duo = await connected(way);
    const session_id = await openBash();
    const terminal = duo.attach(session_id, { cols: 70, rows: 20 });
    const reader = new Reader(terminal);
    await soon(() => expect(reader.repaints).toBeGreaterThan(0));
    terminal.write("stty size; printf 'a\\0b\\377\\n'\r");
    await soon(() => expect(reader.printed).toContain("20 70\r\na\0b\xff\r\n"));
    terminal.resize(60, 10);
    await soon(() => expect(reader.events).toContainEqual({ type: "resize", cols: 60, rows: 10 }));
    terminal.write("stty size; exit 3\r");
    await terminal.settled();
    await soon(() => expect(reader.events).toContainEqual({ type: "exit", exit_code: 3, signal: null }));
    expect(terminal.cursor).toBe(duetty.raw(session_id).length);
    terminal.close();
    await reader.done;
    expect(reader.phases).toEqual(["connecting", "open", "closed"]);
    expect([terminal.write("late"), await code(terminal.settled())]).toEqual([false, "connection.closed"]);
  });

  it("a session that is not there ends the stream with the reason; a signal ends it without one", async () => {
    const duo = await connected(way);
    expect(await code(new Reader(duo.attach("s_none")).done)).toBe("session.not_found");
    const leave = new AbortController();
    const reader = new Reader(duo.attach(await open(COPIES), { signal: leave.signal }));
    leave.abort();
    await reader.done;
  });

  it("changes and deltas come as they happen, and end with the connection", async () => {
    const duo = await connected(way);
    const session_id = await open(COPIES);
    await person.pty_wait({ session_id, any: [{ text: "ready" }], since: 0 });
    let news = 0;
    const rows = new Map<number, string>();
    const listening = (async () => {
      for await (const { seq } of duo.changes()) news = seq;
    })();
    const following = (async () => {
      for await (const { deltas } of duo.deltas(session_id))
        for (const delta of deltas) for (const { row, text } of delta.rows) rows.set(row, text);
    })();
    await soon(() => expect([rows.get(0), news > 0]).toEqual(["ready", true]));
    const before = news;
    await person.pty_send({ session_id, text: " and on" });
    await soon(() => expect(rows.get(0)).toBe("ready and on"));
    await person.take({ session_id });
    await soon(() => expect(news).toBeGreaterThan(before));
    await duo.close();
    await Promise.all([listening, following]);
    expect(await code(duo.status())).toBe("connection.closed");
  });
});

it("deltas end with the program, and go on from a cursor", async () => {
  await using duo = await connect({ home: duetty.home.dir, token: duetty.token("person") });
  const session_id = await open(["sh", "-c", "echo one; echo two"]);
  const all = [];
  for await (const part of duo.deltas(session_id)) all.push(part);
  const last = all.at(-1);
  expect(all.flatMap(({ deltas }) => deltas.flatMap(({ rows }) => rows.map(({ text }) => text)))).toContain("two");
  for await (const _ of duo.deltas(session_id, { cursor: last?.resume_cursor })) expect.fail("there is nothing more");
});

it("is an agent unless it is told otherwise, says who, and says when nobody is there", async () => {
  await using duo = await connect({ home: duetty.home.dir, token: duetty.token("agent"), as: "agent:helper" });
  const { actor, session_id } = await duo.pty_open({ command: ["cat"] });
  expect(actor).toBe("agent:helper");
  expect(await code(duo.policy({ session_id, level: "always_allow" }))).toBe("auth.forbidden");
  expect(await code(connect({ url: `http://127.0.0.1:${duetty.port}` }))).toBe("auth.required");
  expect(await code(connect({ home: `${duetty.folder}/none` }))).toBe("daemon.unreachable");
});

it("a signal closes it, with its streams", async () => {
  const leave = new AbortController();
  const options = { home: duetty.home.dir, token: duetty.token("person"), signal: leave.signal };
  const duo = await connect(options);
  const reader = new Reader(duo.attach(await open(COPIES)));
  leave.abort();
  await reader.done;
  expect([await code(duo.status()), await code(connect(options))]).toEqual(["connection.closed", "AbortError"]);
});

it("comes by a link's token to its one session, and hears when it is taken back", async () => {
  const session_id = await open(COPIES);
  const { token, share } = await person.share({ session_id });
  const guest = await connected(() => connect({ url: `http://127.0.0.1:${duetty.port}`, token }));
  expect(await code(guest.pty_list())).toBe("auth.forbidden");
  const over = (async () => {
    for await (const event of guest.attach(session_id, { role: "watch" }))
      if (event.type === "hello") await person.unshare({ id: share.id });
  })();
  await expect(over).rejects.toMatchObject({
    code: "auth.forbidden",
    message: expect.stringContaining("good no more"),
  });
});

it("trusts a certificate of one's own where it is told to, for calls and sockets", async () => {
  const { cert, key } = selfSigned(["localhost"], Date.now());
  const terminals = await openTerminals();
  onTestFinished(() => terminals.close());
  const { request, upgrade } = terminals.listener({ authorize: () => "person" });
  const server = createServer({ cert, key }, request).on("upgrade", upgrade);
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  onTestFinished(() => void server.close());
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  expect(await connect({ url, token: "mine" }).catch((error) => error.code)).toMatch(/SELF_SIGNED/);
  const duo = await connected(() => connect({ url, token: "mine\n", ca: cert }));
  const { session_id } = await duo.pty_open({ command: ["cat"] });
  const terminal = duo.attach(session_id);
  const reader = new Reader(terminal);
  terminal.write("seen\r");
  await soon(() => expect(reader.printed).toContain("seen"));
  terminal.close();
});

it("starts the daemon where none runs, and leaves it running", async () => {
  await using s = await stand({ daemon: "later" });
  const { home } = s.duetty;
  expect(fs.existsSync(home.daemonSocket)).toBe(false);
  const duo = await connect({ home: home.dir, start: true, token: s.duetty.token("person") });
  const { session_id } = await duo.pty_open({ command: ["cat"] });
  await duo.close();
  expect(await s.stateOf(session_id)).toMatch(/running|waiting_for_input/);
});
