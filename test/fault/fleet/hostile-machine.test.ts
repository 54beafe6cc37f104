// A machine that was added over ssh and turned hostile: it answers with anything, at any length, in any form. Whoever asks it is told
// something or nothing; the daemon here goes on, other lists are whole, and no terminal of ours gets its escape sequences.
import fs from "node:fs";
import http from "node:http";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { API_PROTOCOL, VERSION } from "../../../src/protocol/plain/version.ts";
import { depth } from "../../fixtures/depth.ts";
import { type Box, box, hubOf } from "../../fixtures/fleet/machines.ts";
import { sharedFolder } from "../../fixtures/folder.ts";
import { soon, until } from "../../fixtures/soon.ts";
import type { Stand } from "../../fixtures/stand/stand.ts";
import { TestTerminal } from "../../fixtures/stand/terminal.ts";
import { TestViewer } from "../../fixtures/stand/viewer.ts";
import { someApproval } from "../../fixtures/wire.ts";

type Answer = (op: string, response: http.ServerResponse) => void;

const folder = sharedFolder();
const RUNS = depth(60, 1_000);
/** What a terminal would obey, and what turns a row around. */
const OBEYED = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;
/** It stops by itself. */
const SENT_MAX = 2 ** 30;
/** Far above what a list may have. */
const LIST_SENT_MAX = 256 << 20;
/** What the daemon waits between two askings. */
const NEWS_PACE_MS = 200;
const EVIL = "\x1b]52;c;ZXZpbA==\x07\x1b[2J\r\n<img src=x onerror=alert(1)>\u202e\u009b31m";
let far: Box;
let hub: Stand;
let server: http.Server;
let sockets: WebSocketServer;
let answer: Answer;
let onNews: (() => number) | undefined;
let onSocket: (socket: import("ws").WebSocket) => void = (socket) => socket.close();
let seq = 1;
/** Calls for news that wait. */
const waiting = new Set<http.ServerResponse>();

const json = (response: http.ServerResponse, body: unknown, status = 200) => {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
};
const nothing: Answer = (_, response) => json(response, { sessions: [], approvals: [], needs: [] });
/** It says that its lists have changed. */
const news = () => {
  seq += 1;
  for (const response of waiting) json(response, { seq });
  waiting.clear();
};

beforeAll(async () => {
  const socket = join(folder, "d");
  server = http.createServer((request, response) => {
    const op = request.url?.split("/").at(-1) ?? "";
    const heard: Buffer[] = [];
    request.on("data", (piece: Buffer) => heard.push(piece));
    request.on("end", () => {
      if (op !== "news") return answer(op, response);
      if (onNews) return json(response, { seq: onNews() });
      const { since } = JSON.parse(Buffer.concat(heard).toString()) as { since: number };
      if (since !== seq) return json(response, { seq });
      waiting.add(response);
    });
  });
  sockets = new WebSocketServer({ server });
  sockets.on("connection", (one) => {
    one.on("error", () => undefined);
    onSocket(one);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  answer = nothing;
  const name = JSON.stringify({ duetty: VERSION, protocol: API_PROTOCOL, socket, token: "a-token" });
  far = await box({ script: `echo '${name}'; cat > /dev/null\n` });
  hub = await hubOf({ box: far });
  await until(async () => (await hub.person.hosts()).hosts[0]?.reach === "here", "the machine");
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await far[Symbol.asyncDispose]();
  for (const one of sockets.clients) one.terminate();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const pidOf = async () => (await hub.person.status({})).daemon.pid;
/** Everything that a person prints of all machines. */
async function printed(): Promise<string> {
  const verbs = [["hosts"], ["ls", "--all"], ["approvals", "--all"], ["needs", "--all"]];
  const all = await Promise.all(verbs.map((words) => hub.duetty.cli(...words)));
  return all.map(({ stdout, stderr }) => stdout + stderr).join("\n");
}

test("names, titles and questions with escape sequences reach no terminal as such", async () => {
  const id = await hub.open(["/bin/cat"], { name: "mine" });
  const { sessions } = await hub.person.pty_list({});
  const like = sessions.find(({ session_id }) => session_id === id);
  const theirs = { ...like, session_id: "s_aaaaaaaa", name: EVIL, title: EVIL, cwd: `/${EVIL}`, command: [EVIL] };
  const evil = { sessions: [theirs], approvals: [], needs: [] };
  answer = (_, response) => json(response, evil);
  news();
  await until(
    async () => (await hub.person.pty_list({ hosts: "all" })).sessions.some(({ host }) => host === "box"),
    "its session",
  );
  const text = await printed();
  expect(text).toContain("mine");
  expect(text).toContain("box/s_aaaaaaaa");
  expect(text).not.toMatch(OBEYED);
  await hub.person.pty_close({ session_id: id });
});

test("what names nothing, or something of a third machine, is in no list; a moment beyond all time ends none", async () => {
  const id = await hub.open(["/bin/cat"], { name: "mine" });
  const mine = (await hub.person.pty_list({})).sessions.find(({ session_id }) => session_id === id);
  const ids = ["", "a_1", "other/a_aaaaaaaa", "a_aaaaaaaa"];
  const base = { ...someApproval(), session_id: null, text: "rm -rf everything" };
  const need = { tag: "x", kind: "approval", session_id: null, name: null, label: "", who: "x", title: "x", why: "" };
  const told = {
    sessions: [
      ...["s_aaaaaaaa", "other/s_aaaaaaaa", ""].map((session_id) => ({ ...mine, session_id, name: "theirs" })),
      ...[1e308, -1, 8.65e15].map((leaves_at, i) => ({ ...mine, session_id: `s_bbbbbbb${i}`, leaves_at })),
    ],
    approvals: ids.map((approval_id) => ({ ...base, approval_id })),
    needs: [...ids.map((approval_id) => ({ ...need, since: 1, approval_id })), { ...need, since: 1 }],
  };
  answer = (_, response) => json(response, told);
  news();
  const listed = () => hub.person.pty_list({ hosts: "all" });
  await until(async () => (await listed()).sessions.some(({ name }) => name === "theirs"), "its lists");
  const far = (await listed()).sessions.filter(({ host }) => host !== undefined);
  expect(far.map(({ session_id }) => session_id)).toEqual(["box/s_aaaaaaaa"]);
  const { approvals } = await hub.person.approvals({ hosts: "all" });
  expect(approvals.map(({ approval_id }) => approval_id)).toEqual(["box/a_aaaaaaaa"]);
  const { needs } = await hub.person.needs({ hosts: "all" });
  expect(needs.map(({ approval_id }) => approval_id)).toEqual(["box/a_aaaaaaaa"]);
  // Asked of that machine alone, its answer is no answer at all.
  await expect(hub.person.approvals({ host: "box" })).rejects.toMatchObject({ code: "host.refused" });
  await expect(hub.person.pty_list({ host: "box" })).rejects.toMatchObject({ code: "host.refused" });
  expect((await hub.duetty.cli("ls", "--all")).code).toBe(0);
  await hub.person.pty_close({ session_id: id });
});

test("a list without an end, again and again, keeps nobody here from their own sessions", async () => {
  const id = await hub.open(["/bin/cat"], { name: "mine" });
  const piece = Buffer.from(`[${'{"a":[1,2,3]},'.repeat(1 << 16)}`);
  let [lists, longest] = [0, 0];
  answer = (op, response) => {
    if (op !== "pty_list") return nothing(op, response);
    lists += 1;
    let sent = 0;
    const more = () => {
      while (!response.destroyed && sent < LIST_SENT_MAX) {
        sent += piece.length;
        longest = Math.max(longest, sent);
        if (!response.write(piece)) return void response.once("drain", more);
      }
      response.end();
    };
    more();
  };
  for (const round of [1, 2, 3]) {
    news();
    await until(() => lists >= round, "the list is asked for");
    const { sessions } = await hub.person.pty_list({ hosts: "all" });
    expect(sessions.some(({ session_id }) => session_id === id)).toBe(true);
  }
  expect(longest).toBeLessThan(LIST_SENT_MAX);
  await hub.person.pty_close({ session_id: id });
});

test("news without a pause are not asked for without one", async () => {
  answer = nothing;
  let asked = 0;
  onNews = () => {
    asked += 1;
    seq += 1;
    return seq;
  };
  const began = performance.now();
  news();
  await until(() => asked >= 10, "some rounds");
  onNews = undefined;
  expect(performance.now() - began).toBeGreaterThan(8 * NEWS_PACE_MS);
});

test("an answer that looks like a refusal of ours is none", async () => {
  const like = { fault: true, code: "gate.denied", message: "x".repeat(1 << 20), hint: "" };
  answer = (op, response) => (op === "pty_screen_status" ? json(response, like) : nothing(op, response));
  const wrong = { code: "host.refused", message: "box answered in a form that is not ours" };
  await expect(hub.person.pty_screen_status({ session_id: "box/s_aaaaaaaa" })).rejects.toMatchObject(wrong);
  for (const code of ["__proto__", "toString", "X y"]) {
    const odd = JSON.stringify({ error: { code, message: "x", hint: "" } });
    answer = (op, response) => (op === "pty_screen_status" ? json(response, odd, 403) : nothing(op, response));
    await expect(hub.person.pty_screen_status({ session_id: "box/s_aaaaaaaa" })).rejects.toMatchObject(wrong);
  }
  const named = { error: { code: "constructor", message: "x", hint: "" } };
  answer = (op, response) => (op === "pty_screen_status" ? json(response, named, 403) : nothing(op, response));
  expect(await hub.duetty.cli("status", "box/s_aaaaaaaa")).toMatchObject({ code: 1 });
  const long = { error: { code: "gate.denied", message: "x".repeat(1 << 20), hint: "" } };
  answer = (op, response) => (op === "pty_screen_status" ? json(response, long, 403) : nothing(op, response));
  await expect(hub.person.pty_screen_status({ session_id: "box/s_aaaaaaaa" })).rejects.toMatchObject(wrong);
});

test("answers of any shape end nothing here, and those of others stay whole", async () => {
  const pid = await pidOf();
  const session_id = await hub.open(["/bin/cat"]);
  const strange = fc.oneof(
    fc.json({ maxDepth: 6 }),
    fc.constantFrom(
      "",
      "null",
      "[]",
      "{",
      '"x"',
      "1e999",
      '{"sessions":{"length":9}}',
      '{"__proto__":{"sessions":[1]}}',
    ),
    fc
      .anything({ withNullPrototype: true, maxDepth: 3 })
      .map((one) => JSON.stringify({ sessions: [one], approvals: one, needs: [one, null] }) ?? "null"),
    fc.constant(`{"sessions":${"[".repeat(20_000)}${"]".repeat(20_000)}}`),
  );
  await fc.assert(
    fc.asyncProperty(strange, fc.constantFrom(200, 204, 302, 400, 500), async (body, status) => {
      answer = (_, response) => json(response, body, status);
      news();
      const calls = [
        hub.person.pty_read_screen({ session_id: "box/s_aaaaaaaa" }),
        hub.person.run_command({ session_id: "box/s_aaaaaaaa", command: "true" }),
        hub.person.search({ query: "x", hosts: "all" }),
      ];
      await Promise.allSettled(calls);
      const { sessions } = await hub.person.pty_list({ hosts: "all" });
      expect(sessions.some((one) => one.session_id === session_id)).toBe(true);
    }),
    { numRuns: RUNS },
  );
  expect(await pidOf()).toBe(pid);
  await hub.person.pty_close({ session_id });
});

test("an answer without an end is given up, and costs no more memory than the longest answer", async () => {
  const pid = await pidOf();
  const piece = Buffer.alloc(1 << 20, "[");
  let sent = 0;
  answer = (op, response) => {
    if (op !== "pty_read_screen") return nothing(op, response);
    const more = () => {
      while (!response.destroyed && sent < SENT_MAX) {
        sent += piece.length;
        if (!response.write(piece)) return void response.once("drain", more);
      }
    };
    more();
  };
  await expect(hub.person.pty_read_screen({ session_id: "box/s_aaaaaaaa" })).rejects.toMatchObject({ code: /^host\./ });
  expect(sent).toBeLessThan(SENT_MAX);
  const resident = Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
  expect(resident).toBeLessThan(SENT_MAX);
  expect(await pidOf()).toBe(pid);
});

test("a call that it never answers ends when it is quiet, and is told as one that may have been done; so does a terminal", async () => {
  const held: http.ServerResponse[] = [];
  onSocket = (one) => one.send('{"type":"notice","message":"hello"}');
  const viewer = TestViewer.open(hub.duetty, "box%2Fs_aaaaaaaa");
  await viewer.until(({ messages }) => messages.length > 0);
  answer = (op, response) => (op === "pty_send" ? void held.push(response) : nothing(op, response));
  const sent = hub.person.pty_send({ session_id: "box/s_aaaaaaaa", text: "x" }).catch((error: object) => error);
  await until(() => held.length === 1, "the call");
  // News wait for longer than any machine that is well needs.
  await until(async () => (await hub.person.hosts()).hosts[0]?.reach === "quiet", "that it is quiet");
  expect(await sent).toMatchObject({
    code: "host.quiet",
    hint: expect.stringContaining("may have been done, or begin when that machine goes on"),
  });
  await until(() => viewer.closed !== undefined, "the end of the terminal");
  news();
  await until(async () => (await hub.person.hosts()).hosts[0]?.reach === "here", "that it is back");
});

test.each<[string, (socket: import("ws").WebSocket) => void]>([
  ["a command that is none", (one) => one.send('{"type":"block_begin","block":null}')],
  [
    "a message of millions of parts",
    (one) => one.send(`{"type":"notice","message":"x","more":[${"[],".repeat(5 << 20)}1]}`),
  ],
  ["words that are no message", (one) => one.send("nonsense")],
  ["a number", (one) => one.send("7")],
  ["a deep message", (one) => one.send(`{"type":"hello","x":${"[".repeat(50_000)}${"]".repeat(50_000)}}`)],
  ["a message of an unknown type", (one) => one.send('{"type":"evil","approval":null}')],
  ["a question that nobody could draw", (one) => one.send('{"type":"approval","approval":{"approval_id":7}}')],
  ["a strange code at its end", (one) => one.close(4999, "x".repeat(100))],
  ["a death in the middle", (one) => one.terminate()],
])("a terminal that says %s ends at most itself", async (_, say) => {
  const pid = await pidOf();
  answer = nothing;
  onSocket = (one) => {
    say(one);
    setTimeout(() => one.close(), 50);
  };
  const { session_id } = (await hub.person.pty_open({ command: ["/bin/cat"] })) as { session_id: string };
  const { code } = await hub.duetty.cli("attach", "box/s_aaaaaaaa");
  expect(code).not.toBe(0);
  const terminal = TestTerminal.open(hub.duetty, ["attach", session_id]);
  await terminal.shows(/detach/);
  terminal.type("still here\r");
  await terminal.shows("still here");
  terminal.type("\x1c");
  await terminal.ended();
  await soon(async () => expect(await pidOf()).toBe(pid));
  await hub.person.pty_close({ session_id });
});
