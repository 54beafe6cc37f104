// The library in the process of whoever embeds it: no daemon, no holder.
import { once } from "node:events";
import fs from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { connect } from "../../../src/client/node.ts";
import { openTerminals, type Terminals, type TerminalsOptions } from "../../../src/embed/terminals.ts";
import { testFolder } from "../../fixtures/folder.ts";
import { soon } from "../../fixtures/soon.ts";
import { isAlive, run } from "../../fixtures/stand/installation.ts";

const BASH = { command: ["bash", "--norc", "-i"] };
const UNBOXED = { box: { agents: false } };

/** Closed when the test is over. */
async function opened(options: TerminalsOptions = {}): Promise<Terminals> {
  const terminals = await openTerminals(options);
  onTestFinished(() => terminals.close());
  return terminals;
}

async function atPrompt(terminals: Terminals, cwd?: string): Promise<string> {
  const { session_id } = await terminals.pty_open({ ...BASH, ...(cwd === undefined ? {} : { cwd }) });
  await terminals.pty_wait({ session_id, any: [{ prompt: true }] });
  return session_id;
}

test("commands, a full-screen program, and the end of it all", async () => {
  const cwd = testFolder();
  const terminals = await openTerminals();
  const session_id = await atPrompt(terminals, cwd);
  const ran = await terminals.run_command({ session_id, command: "echo one > file; cat file" });
  expect(ran).toMatchObject({ status: "done", exit_code: 0, output: { head: "one" } });
  await terminals.pty_send({ session_id, text: "vim file\n", then: { any: [{ text: '"file" 1L' }] } });
  await terminals.pty_send({ session_id, text: "Atwo", keys: ["Escape"] });
  await terminals.pty_send({ session_id, text: ":w\r", then: { any: [{ text: "written" }] } });
  expect(fs.readFileSync(join(cwd, "file"), "utf8")).toBe("onetwo\n");
  const [{ pid } = { pid: 0 }] = (await terminals.pty_list({})).sessions;
  expect(isAlive(pid ?? 0)).toBe(true);

  await terminals.close();
  expect(isAlive(pid ?? 0)).toBe(false);
  expect(fs.existsSync(terminals.home)).toBe(false);
  await terminals.close();
});

test("folders are meant from this process, as the CLI does it", async () => {
  const terminals = await opened();
  expect(await terminals.pty_open(BASH)).toMatchObject({ cwd: process.cwd() });
  expect(await terminals.pty_open({ ...BASH, cwd: "src" })).toMatchObject({ cwd: join(process.cwd(), "src") });
});

test("an agent is gated and sees no secrets; whoever embeds it answers and does", async () => {
  const terminals = await opened({ config: UNBOXED });
  const agent = terminals.as("agent:helper");
  const session_id = await atPrompt(
    terminals,
    testFolder({ key: "token: ghp_R4nd0mR4nd0mR4nd0mR4nd0mR4nd0mR4nd0m\n" }),
  );
  await terminals.run_command({ session_id, command: "cat key" });
  expect(JSON.stringify(await terminals.pty_read_screen({ session_id }))).toContain("ghp_R4nd0m");
  expect(JSON.stringify(await agent.pty_read_screen({ session_id }))).not.toContain("ghp_R4nd0m");

  await expect(agent.policy({ session_id, level: "always_allow" })).rejects.toMatchObject({ code: "auth.forbidden" });
  const running = agent.run_command({ session_id, command: "rm -rf key" });
  const [asked] = await soon(async () => {
    const { approvals } = await terminals.approvals({});
    expect(approvals).toHaveLength(1);
    return approvals;
  });
  await terminals.approve({ approval_id: asked?.approval_id ?? "" });
  expect(await running).toMatchObject({ status: "done", exit_code: 0 });
  expect(() => terminals.as("agent:person")).toThrow("names no agent");
  expect(() => terminals.as("agent:")).toThrow("names no agent");
});

test("what an agent opens is marked as its session's, whatever environment it asks for", async () => {
  const agent = (await opened({ config: UNBOXED })).as("agent:helper");
  const { session_id, pid } = await agent.pty_open({
    command: ["cat"],
    cwd: testFolder(),
    env: { DUETTY_SESSION_ID: null },
  });
  const marks = () =>
    fs
      .readFileSync(`/proc/${pid}/environ`, "latin1")
      .split("\0")
      .filter((one) => /^DUETTY_SE/.test(one));
  await soon(() => expect(marks()).toEqual([`DUETTY_SESSION_ID=${session_id}`]));
});

test("an answer that somebody changes is not ours", async () => {
  const terminals = await opened();
  const info = await terminals.pty_open(BASH);
  Object.assign(info, { name: "changed", cols: 1 });
  expect(await terminals.pty_list({})).toMatchObject({ sessions: [{ name: null, cols: 120 }] });
});

test("a home has one owner, keeps its journals, and its own settings", async () => {
  const home = testFolder();
  const first = await openTerminals({ home, config: { scrollback_lines: 500 } });
  const session_id = await atPrompt(first);
  await first.run_command({ session_id, command: "echo kept" });
  await expect(openTerminals({ home })).rejects.toMatchObject({ code: "home.taken" });
  await first.close();

  await expect(openTerminals({ home, config: UNBOXED })).rejects.toMatchObject({ code: "config.taken" });
  const again = await opened({ home });
  const { sessions } = await again.pty_list({ all: true });
  expect(sessions).toMatchObject([{ session_id, state: "done" }]);
  expect((await again.search({ query: "kept" })).matches.length).toBeGreaterThan(0);
});

test("what nobody meant is told: an option, a setting, a listener that comes too late", async () => {
  const slip = { hom: "/x" } as TerminalsOptions;
  await expect(openTerminals(slip)).rejects.toMatchObject({
    ...{ code: "option.unknown", message: "openTerminals has no option hom" },
    hint: "It has home, config, env, log.",
  });
  await expect(connect({ tokn: "x" } as object)).rejects.toMatchObject({ code: "option.unknown" });
  const config = { scrollback_lines: "many", colour: 1 } as unknown as NonNullable<TerminalsOptions["config"]>;
  await expect(openTerminals({ config })).rejects.toMatchObject({
    ...{ code: "config.invalid", message: expect.stringMatching(/^config: scrollback_lines must be .*colour/) },
  });
  const terminals = await opened();
  const authorize = () => null;
  expect(() => terminals.listener({ authorize, orgins: [] } as never)).toThrow("orgins");
  await terminals.pty_list({});
  terminals.listener({ authorize });
  await terminals.pty_open({ command: ["cat"] });
  terminals.listener({ authorize });
  const others = await opened();
  await others.pty_open({ command: ["cat"] });
  expect(() => others.listener({ authorize })).toThrow("after sessions or runs may have begun");
});

test("several at once know nothing of each other", async () => {
  const [a, b] = await Promise.all([opened({ env: { ...process.env, WHO: "a" } }), opened()]);
  const id = await atPrompt(a);
  expect(await a.run_command({ session_id: id, command: "echo $WHO" })).toMatchObject({ output: { head: "a" } });
  await expect(b.pty_read_screen({ session_id: id })).rejects.toMatchObject({ code: "session.not_found" });
});

test("a call ends with its signal, and with the terminals", async () => {
  const terminals = await openTerminals();
  const session_id = await atPrompt(terminals);
  const leave = new AbortController();
  const waiting = terminals.pty_wait({ session_id, any: [{ text: "never" }] }, { signal: leave.signal });
  leave.abort();
  expect((await waiting.catch((error: unknown) => error)) as object).toBeDefined();
  const last = terminals.pty_wait({ session_id, any: [{ text: "never" }] });
  await terminals.close();
  expect(await last).toMatchObject({ matched: null, outcome: "cancelled" });
});

test("a server of one's own: operations and a terminal's socket, by its own rules", async () => {
  const terminals = await opened();
  const listener = terminals.listener({
    path: "/terminals",
    authorize: ({ headers }) => {
      if (headers["x-user"] === "nobody") throw new Error("the table of users");
      if (headers["x-user"] === "guest") return { session: session_id, may: "watch", name: "Ann" };
      return headers["x-user"] === "me" || headers.authorization === "Bearer mine" ? "person" : null;
    },
  });
  const server = createServer(async (request, response) => {
    if (request.headers["x-read"]) for await (const _ of request);
    listener.request(request, response);
  }).on("upgrade", listener.upgrade);
  server.on("upgrade", (request, socket) => {
    if (request.url === "/other") socket.end("HTTP/1.1 418 Another's\r\ncontent-length: 0\r\n\r\n");
  });
  const session_id = await atPrompt(terminals);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const post = (headers: Record<string, string>, name = "pty_list", input: object = {}) =>
    fetch(`http://127.0.0.1:${port}/terminals/v1/${name}`, { method: "POST", body: JSON.stringify(input), headers });

  expect(await (await post({ "x-user": "me" })).json()).toMatchObject({ sessions: [{ session_id }] });
  expect((await post({})).status).toBe(401);
  const guest = (name: string, input: object = {}) => post({ "x-user": "guest" }, name, input);
  expect((await guest("blocks", { session_id })).status).toBe(200);
  expect((await guest("pty_list")).status).toBe(403);
  expect((await guest("pty_send", { session_id, text: "x" })).status).toBe(403);
  const other = new WebSocket(`ws://127.0.0.1:${port}/other`);
  const [, { statusCode }] = (await once(other, "unexpected-response")) as [unknown, { statusCode: number }];
  expect(statusCode).toBe(418);
  const broken = await post({ "x-user": "nobody" });
  expect([broken.status, await broken.text()]).toEqual([500, expect.not.stringContaining("table")]);
  const read = await post({ "x-user": "me", "x-read": "1" });
  expect([read.status, await read.text()]).toEqual([400, expect.stringContaining("express.json")]);
  expect((await post({ "x-user": "me", origin: "https://other.example" })).status).toBe(403);
  expect((await fetch(`http://127.0.0.1:${port}/terminals/other`)).status).toBe(404);
  // A page whose name was led here: its Origin fits its Host.
  const led = await run(
    "curl",
    [
      "-s",
      "-d",
      "{}",
      "-H",
      "host: led.example",
      "-H",
      "origin: http://led.example",
      "-H",
      "x-user: me",
      `http://127.0.0.1:${port}/terminals/v1/pty_list`,
    ],
    { env: process.env },
  );
  expect(JSON.parse(led.stdout)).toMatchObject({ error: { code: "auth.forbidden" } });

  const url = `ws://127.0.0.1:${port}/terminals/v1/sessions/${session_id}/terminal`;
  const socket = new WebSocket(url, { headers: { "x-user": "me" } });
  let seen = "";
  socket.on("message", (data, isBinary) => {
    if (isBinary) seen += String(data);
    else if (JSON.parse(String(data)).type === "hello") socket.send(Buffer.from("echo typed-$((20+22))\r"));
  });
  await soon(() => expect(seen).toContain("typed-42"));
  const over = new Promise((resolve) => socket.once("close", resolve));
  const foreign = new WebSocket(url, { headers: { "x-user": "me", origin: "https://other.example" } });
  expect(
    await new Promise((resolve) => foreign.once("unexpected-response", (_, { statusCode }) => resolve(statusCode))),
  ).toBe(403);

  await using far = await connect({ url: `http://127.0.0.1:${port}/terminals/?x#y`, token: "mine" });
  await using live = far.attach(session_id);
  for await (const event of live) if (event.type === "repaint") break;
  expect((await far.pty_list()).sessions).toHaveLength(1);
  await terminals.close();
  await over;
});

test("a live terminal without a network: bytes both ways, in their order, with the size that is asked for", async () => {
  const terminals = await opened();
  const session_id = await atPrompt(terminals);
  await using live = terminals.attach(session_id, { cols: 71, rows: 19 });
  let text = "";
  for await (const event of live) {
    if (event.type === "resize") live.write("stty size; seq 20000; printf 'e\\x6ed'\r");
    if (event.type === "bytes") text += Buffer.from(event.bytes).toString();
    if (text.includes("end")) break;
  }
  expect(text).toContain("19 71");
  expect(text.match(/^\d+\r$/gm)).toHaveLength(20_000);
  await live.settled();

  const lines: string[] = [];
  const reading = (async () => {
    for await (const { deltas } of terminals.deltas(session_id)) lines.push(JSON.stringify(deltas));
  })();
  await terminals.pty_send({ session_id, text: "echo last-$((1+1))\r", then: { any: [{ text: "last-2" }] } });
  await soon(() => expect(lines.join()).toContain("last-2"));
  await expect(terminals.as("agent:a").attach("s_nothing")[Symbol.asyncIterator]().next()).resolves.toBeDefined();
  await terminals.close();
  await reading;
});
