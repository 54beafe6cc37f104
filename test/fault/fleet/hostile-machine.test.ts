// A machine that was added over ssh and turned hostile: it answers with anything, at any length, in any form. Whoever asks it is told
// something or nothing; the daemon here goes on, other lists are whole, and no terminal of ours gets its escape sequences.
import fs from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { depth } from "../../fixtures/depth.ts";
import { sendEmptyLists, sendJson, sharedHostileMachine } from "../../fixtures/fleet/hostile-machine.ts";
import { until } from "../../fixtures/soon.ts";
import { someApproval } from "../../fixtures/wire.ts";

const machine = sharedHostileMachine();
const { server } = machine;
const RUNS = depth(30, 60, 1_000);
/** What a terminal would obey, and what turns a row around. */
const OBEYED = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;
/** It stops by itself. */
const SENT_MAX = 2 ** 30;
/** Far above what a list may have. */
const LIST_SENT_MAX = 256 << 20;
/** What the daemon waits between two askings. */
const NEWS_PACE_MS = 200;
const EVIL = "\x1b]52;c;ZXZpbA==\x07\x1b[2J\r\n<img src=x onerror=alert(1)>\u202e\u009b31m";
const pidOf = async () => (await machine.hub.person.status({})).daemon.pid;
/** Everything that a person prints of all machines. */
async function printed(): Promise<string> {
  const verbs = [["hosts"], ["ls", "--all"], ["approvals", "--all"], ["needs", "--all"]];
  const all = await Promise.all(verbs.map((words) => machine.hub.duetty.cli(...words)));
  return all.map(({ stdout, stderr }) => stdout + stderr).join("\n");
}

test("names, titles and questions with escape sequences reach no terminal as such", async () => {
  const id = await machine.hub.open(["/bin/cat"], { name: "mine" });
  const { sessions } = await machine.hub.person.pty_list({});
  const like = sessions.find(({ session_id }) => session_id === id);
  const theirs = { ...like, session_id: "s_aaaaaaaa", name: EVIL, title: EVIL, cwd: `/${EVIL}`, command: [EVIL] };
  const evil = { sessions: [theirs], approvals: [], needs: [] };
  server.answer = (_, response) => sendJson(response, evil);
  server.publishNews();
  await until(
    async () => (await machine.hub.person.pty_list({ hosts: "all" })).sessions.some(({ host }) => host === "box"),
    "its session",
  );
  const text = await printed();
  expect(text).toContain("mine");
  expect(text).toContain("box/s_aaaaaaaa");
  expect(text).not.toMatch(OBEYED);
  await machine.hub.person.pty_close({ session_id: id });
});

test("what names nothing, or something of a third machine, is in no list; a moment beyond all time ends none", async () => {
  const id = await machine.hub.open(["/bin/cat"], { name: "mine" });
  const mine = (await machine.hub.person.pty_list({})).sessions.find(({ session_id }) => session_id === id);
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
  server.answer = (_, response) => sendJson(response, told);
  server.publishNews();
  const listed = () => machine.hub.person.pty_list({ hosts: "all" });
  await until(async () => (await listed()).sessions.some(({ name }) => name === "theirs"), "its lists");
  const far = (await listed()).sessions.filter(({ host }) => host !== undefined);
  expect(far.map(({ session_id }) => session_id)).toEqual(["box/s_aaaaaaaa"]);
  const { approvals } = await machine.hub.person.approvals({ hosts: "all" });
  expect(approvals.map(({ approval_id }) => approval_id)).toEqual(["box/a_aaaaaaaa"]);
  const { needs } = await machine.hub.person.needs({ hosts: "all" });
  expect(needs.map(({ approval_id }) => approval_id)).toEqual(["box/a_aaaaaaaa"]);
  // Asked of that machine alone, its answer is no answer at all.
  await expect(machine.hub.person.approvals({ host: "box" })).rejects.toMatchObject({ code: "host.refused" });
  await expect(machine.hub.person.pty_list({ host: "box" })).rejects.toMatchObject({ code: "host.refused" });
  expect((await machine.hub.duetty.cli("ls", "--all")).code).toBe(0);
  await machine.hub.person.pty_close({ session_id: id });
});

test("a list without an end, again and again, keeps nobody here from their own sessions", async () => {
  const id = await machine.hub.open(["/bin/cat"], { name: "mine" });
  const piece = Buffer.from(`[${'{"a":[1,2,3]},'.repeat(1 << 16)}`);
  let [lists, longest] = [0, 0];
  server.answer = (op, response) => {
    if (op !== "pty_list") return sendEmptyLists(op, response);
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
    server.publishNews();
    await until(() => lists >= round, "the list is asked for");
    const { sessions } = await machine.hub.person.pty_list({ hosts: "all" });
    expect(sessions.some(({ session_id }) => session_id === id)).toBe(true);
  }
  expect(longest).toBeLessThan(LIST_SENT_MAX);
  await machine.hub.person.pty_close({ session_id: id });
});

test("news without a pause are not asked for without one", async () => {
  server.answer = sendEmptyLists;
  let asked = 0;
  server.onNews = () => {
    asked += 1;
    server.seq += 1;
    return server.seq;
  };
  const began = performance.now();
  server.publishNews();
  await until(() => asked >= 10, "some rounds");
  server.onNews = undefined;
  expect(performance.now() - began).toBeGreaterThan(8 * NEWS_PACE_MS);
});

test("an answer that looks like a refusal of ours is none", async () => {
  const like = { fault: true, code: "gate.denied", message: "x".repeat(1 << 20), hint: "" };
  server.answer = (op, response) =>
    op === "pty_screen_status" ? sendJson(response, like) : sendEmptyLists(op, response);
  const wrong = { code: "host.refused", message: "box answered in a form that is not ours" };
  await expect(machine.hub.person.pty_screen_status({ session_id: "box/s_aaaaaaaa" })).rejects.toMatchObject(wrong);
  for (const code of ["__proto__", "toString", "X y"]) {
    const odd = JSON.stringify({ error: { code, message: "x", hint: "" } });
    server.answer = (op, response) =>
      op === "pty_screen_status" ? sendJson(response, odd, 403) : sendEmptyLists(op, response);
    await expect(machine.hub.person.pty_screen_status({ session_id: "box/s_aaaaaaaa" })).rejects.toMatchObject(wrong);
  }
  const named = { error: { code: "constructor", message: "x", hint: "" } };
  server.answer = (op, response) =>
    op === "pty_screen_status" ? sendJson(response, named, 403) : sendEmptyLists(op, response);
  expect(await machine.hub.duetty.cli("status", "box/s_aaaaaaaa")).toMatchObject({ code: 1 });
  const long = { error: { code: "gate.denied", message: "x".repeat(1 << 20), hint: "" } };
  server.answer = (op, response) =>
    op === "pty_screen_status" ? sendJson(response, long, 403) : sendEmptyLists(op, response);
  await expect(machine.hub.person.pty_screen_status({ session_id: "box/s_aaaaaaaa" })).rejects.toMatchObject(wrong);
});

test("answers of any shape end nothing here, and those of others stay whole", async () => {
  const pid = await pidOf();
  const session_id = await machine.hub.open(["/bin/cat"]);
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
      server.answer = (_, response) => sendJson(response, body, status);
      server.publishNews();
      const calls = [
        machine.hub.person.pty_read_screen({ session_id: "box/s_aaaaaaaa" }),
        machine.hub.person.run_command({ session_id: "box/s_aaaaaaaa", command: "true" }),
        machine.hub.person.search({ query: "x", hosts: "all" }),
      ];
      await Promise.allSettled(calls);
      const { sessions } = await machine.hub.person.pty_list({ hosts: "all" });
      expect(sessions.some((one) => one.session_id === session_id)).toBe(true);
    }),
    { numRuns: RUNS },
  );
  expect(await pidOf()).toBe(pid);
  await machine.hub.person.pty_close({ session_id });
});

test("an answer without an end is given up, and costs no more memory than the longest answer", async () => {
  const pid = await pidOf();
  const piece = Buffer.alloc(1 << 20, "[");
  let sent = 0;
  server.answer = (op, response) => {
    if (op !== "pty_read_screen") return sendEmptyLists(op, response);
    const more = () => {
      while (!response.destroyed && sent < SENT_MAX) {
        sent += piece.length;
        if (!response.write(piece)) return void response.once("drain", more);
      }
    };
    more();
  };
  await expect(machine.hub.person.pty_read_screen({ session_id: "box/s_aaaaaaaa" })).rejects.toMatchObject({
    code: /^host\./,
  });
  expect(sent).toBeLessThan(SENT_MAX);
  const resident = Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
  expect(resident).toBeLessThan(SENT_MAX);
  expect(await pidOf()).toBe(pid);
});
