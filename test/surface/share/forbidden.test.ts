// What a guest may not do, by role: everything that the table does not name, and everything in other sessions.
import { beforeAll, describe, expect, it } from "vitest";
import type { ShareRole } from "../../../src/protocol/ops/share.ts";
import { ops } from "../../../src/protocol/ops.ts";
import { Guest } from "../../fixtures/stand/guest.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const shared = sharedStand({ own: true });
const { duetty, person, agent, open, openBash, openGatedShell, pendingOf } = shared;
const ROLES: readonly ShareRole[] = ["watch", "type", "approve"];

let session_id = "";
let other = "";
const guests = new Map<ShareRole, Guest>();
beforeAll(async () => {
  session_id = await open(["cat"]);
  other = await openBash();
  for (const role of ROLES) guests.set(role, await Guest.of(shared, { session_id, role, name: `Ann ${role}` }));
});

function guest(role: ShareRole): Guest {
  const known = guests.get(role);
  if (!known) throw new Error(`no guest may ${role}`);
  return known;
}

/** Operations with an input that would do something for the owner. */
const FORBIDDEN: readonly (readonly [op: string, input: () => object])[] = [
  ["pty_open", () => ({ command: ["cat"] })],
  ["pty_list", () => ({})],
  ["status", () => ({})],
  ["metrics", () => ({})],
  ["pty_read_raw", () => ({ session_id, from: 0 })],
  ["run_command", () => ({ session_id, command: "true" })],
  ["run_command", () => ({ command: "true" })],
  ["run_tests", () => ({})],
  ["report", () => ({ session_id })],
  ["ask", () => ({ session_id, text: "hello" })],
  ["agent_events", () => ({ session_id })],
  ["agent_control", () => ({ session_id, action: "stop" })],
  ["agents", () => ({})],
  ["stop", () => ({ session_id })],
  ["stop", () => ({})],
  ["mode", () => ({ session_id, mode: "terminal" })],
  ["policy", () => ({ session_id, level: "always_allow" })],
  ["explain", () => ({ command: "ls" })],
  ["ask_person", () => ({ message: "hello" })],
  ["trust", () => ({ cwd: "/" })],
  ["points", () => ({ session_id })],
  ["undo", () => ({ session_id })],
  ["rename", () => ({ session_id, name: "mine" })],
  ["complete", () => ({ session_id, line: "/", kind: "path" })],
  ["checks", () => ({ session_id })],
  ["news", () => ({ since: 0, timeout_ms: 0 })],
  ["pty_resize", () => ({ session_id, cols: 20, rows: 5 })],
  ["signal", () => ({ session_id, signal: "TERM" })],
  ["pty_close", () => ({ session_id })],
  ["remove", () => ({ session_id })],
  ["gc", () => ({ yes: true, days: 0 })],
  ["export", () => ({ session_id })],
  ["search", () => ({ query: "x" })],
  ["search", () => ({ query: "x", session_id })],
  ["doctor", () => ({})],
  ["shutdown", () => ({})],
  ["login_code", () => ({})],
  ["share", () => ({ session_id, role: "approve" })],
  ["shares", () => ({})],
  ["unshare", () => ({ id: guest("watch").share.id })],
  ["approvals", () => ({})],
  ["pty_read_screen", () => ({ session_id: other })],
  ["pty_wait", () => ({ session_id: other, any: [{ text: "x" }] })],
  ["pty_send", () => ({ session_id: other, text: "INTRUDER\n" })],
  ["blocks", () => ({ session_id: other })],
  ["block", () => ({ session_id: other, block_id: "last" })],
  ["timeline", () => ({ session_id: other })],
  ["take", () => ({ session_id: other })],
  ["release", () => ({ session_id: other })],
  ["lift_line", () => ({ session_id: other })],
];

const ONLY_TYPISTS: typeof FORBIDDEN = [
  ["pty_send", () => ({ session_id, text: "INTRUDER\n" })],
  ["take", () => ({ session_id })],
  ["release", () => ({ session_id })],
  ["lift_line", () => ({ session_id })],
];

const MAY = new Set("shared pty_read_screen pty_read_screen_deltas pty_screen_status pty_wait".split(" "));
for (const op of "blocks block timeline approvals pty_send take release lift_line approve deny".split(" ")) MAY.add(op);

describe.each(ROLES)("a guest who may %s", (role) => {
  it.each(FORBIDDEN.map(([op, input]) => ({ op, input })))("is refused $op", async ({ op, input }) => {
    expect(await guest(role).call(op, input())).toMatchObject({ status: 403, body: { code: "auth.forbidden" } });
  });

  it("is refused every operation that nobody thought of", async () => {
    for (const { name } of ops.filter((op) => !MAY.has(op.name)))
      expect([name, await guest(role).call(name, { session_id })]).toMatchObject([name, { status: 403 }]);
  });

  it("gets no MCP, metrics or description", async () => {
    for (const path of ["/mcp", "/v1/openapi.json", "/metrics"])
      expect((await duetty.request(path, guest(role).headers())).status).toBe(403);
  });

  it("reads its session", async () => {
    for (const op of ["pty_read_screen", "pty_screen_status", "blocks", "timeline", "approvals"])
      expect([op, await guest(role).call(op, { session_id })]).toMatchObject([op, { status: 200 }]);
  });
});

it.each(ONLY_TYPISTS.map(([op, input]) => ({ op, input })))(
  "who only watches is refused $op",
  async ({ op, input }) => {
    expect(await guest("watch").call(op, input())).toMatchObject({ status: 403 });
    expect(duetty.raw(session_id).toString()).not.toContain("INTRUDER");
  },
);

it("a guest reads the output of its session's commands, and of no other", async () => {
  const mine = await openBash();
  const ran = async (where: string) =>
    (await person.run_command({ session_id: where, command: "echo shown" })).block_id ?? "";
  const [own, foreign] = [await ran(mine), await ran(other)];
  const ann = await Guest.of(shared, { session_id: mine, role: "watch" });
  expect(await ann.call("block", { block_id: own })).toMatchObject({ status: 200, body: { content: "shown" } });
  for (const input of [{ block_id: foreign }, { block_id: own, format: "raw" }, { block_id: "last" }])
    expect(await ann.call("block", input)).toMatchObject({ status: 403 });
});

describe("questions", () => {
  const asked = async (where: string) => {
    void agent("sly")
      .run_command({ session_id: where, command: "curl example.com", timeout_ms: 60_000 })
      .catch(() => 0);
    return (await pendingOf(where)).approval_id;
  };

  it("of its session are answered by a guest who may approve, under their name; others by nobody", async () => {
    const [mine, foreign] = [await openGatedShell(), await openGatedShell()];
    const [ask, theirs] = [await asked(mine.session_id), await asked(foreign.session_id)];
    const typist = await Guest.of(shared, { session_id: mine.session_id, role: "type" });
    const ann = await Guest.of(shared, { session_id: mine.session_id, role: "approve", name: "Ann" });
    expect(await typist.call("deny", { approval_id: ask })).toMatchObject({ status: 403 });
    expect(await ann.call("deny", { approval_id: theirs })).toMatchObject({ status: 403 });
    expect(await ann.call("approve", { approval_id: ask, always: "user" })).toMatchObject({ status: 403 });
    expect(await ann.call("approve", { approval_id: ask, via: "mcp:x" })).toMatchObject({ status: 403 });
    expect(await ann.call("deny", { approval_id: ask, reason: "no" })).toMatchObject({
      status: 200,
      body: { state: "denied", by: "person:Ann" },
    });
    expect(duetty.events(mine.session_id)).toMatch(/"state":"denied".*"by":"person:Ann"/);
    await person.deny({ approval_id: theirs });
  });
});

describe("the keyboard", () => {
  it("that the owner took is not given to agents by a guest; a guest's own is", async () => {
    const session_id = await open(["cat"]);
    const ann = await Guest.of(shared, { session_id, role: "type", name: "Ann" });
    await person.take({ session_id });
    expect(await ann.call("release", { session_id })).toMatchObject({ body: { code: "gate.held" } });
    expect(await ann.call("take", { session_id })).toMatchObject({ body: { code: "gate.held" } });
    await person.release({ session_id });
    expect(await ann.call("take", { session_id })).toMatchObject({ body: { hold: "person:Ann" } });
    await expect(agent("sly").pty_send({ session_id, text: "x" })).rejects.toMatchObject({
      code: "gate.held",
      message: "Ann has taken the keyboard",
    });
    expect(await ann.call("release", { session_id })).toMatchObject({ body: { hold: "nobody" } });
  });
});
