// The network of boxed sessions, with real programs: what is on the list, what is refused, one run that a person opened.
// All servers are on loopback; the machine's own name stands for a host elsewhere, because it leads to an address that is
// not public.
import dns from "node:dns/promises";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Stand, sharedStand, stand } from "../../fixtures/stand/stand.ts";

const HOST = hostname().toLowerCase();
const server = http.createServer((request, response) => response.end(`hello ${request.headers["user-agent"]}\n`));
server.listen(0, "0.0.0.0");
await once(server, "listening");
afterAll(() => void server.close());
const { port } = server.address() as AddressInfo;
/** What the machine's own name leads to. */
const { address } = await dns.lookup(HOST, { family: 4 });
const listed = sharedStand({ config: { box: { network: [HOST, `${address}:${port}`] } } });

/** A boxed bash of the person, and a way to run lines in it. */
async function boxed(s: Stand, network?: string[]) {
  const { session_id } = await s.openShell("bash", {
    cwd: s.folder(),
    box: network === undefined ? true : { network },
  });
  const run = async (command: string) => {
    const { output } = await s.person.run_command({ session_id, command, timeout_ms: 20_000 });
    return output.head + output.tail;
  };
  return { session_id, run };
}

interface NetworkEvent {
  readonly kind: string;
  readonly host?: string;
  readonly allowed?: boolean;
}

function eventsOf(s: Stand, session_id: string): NetworkEvent[] {
  const file = join(s.duetty.home.sessions, session_id, "events.jsonl");
  const lines = fs.readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind.startsWith("network"));
}

test("a listed host answers, another is refused with a text that says how to ask, and both are written down", async () => {
  const s = listed;
  const { session_id, run } = await boxed(s);
  expect(await run(`curl -sS -A me http://${HOST}:${port}/`)).toContain("hello me");
  expect(await run(`curl -sS -p -A tunnel http://${HOST}:${port}/`)).toContain("hello tunnel");
  const refused = await run("curl -sS http://other.example/");
  expect(refused).toContain("refused by the box: other.example:80 is not on the list");
  expect(refused).toContain("a line that names the host");
  expect(await run("curl -sS https://other.example/")).toContain("403");
  expect(eventsOf(s, session_id)).toMatchObject([
    { kind: "network", host: HOST, port, allowed: true, rule: `${address}:${port}`, run_id: null },
    { kind: "network", host: HOST, port, allowed: true },
    { kind: "network", host: "other.example", port: 80, allowed: false, rule: "is not on the list" },
    { kind: "network", host: "other.example", port: 443, allowed: false },
  ]);
  const info = (await s.person.status({ session_id })).session;
  expect(info?.box?.network).toEqual([HOST, `${address}:${port}`]);
  expect((await s.duetty.cli("status", session_id)).stdout).toContain(`${address}:${port}`);
});

test("a listed name that leads to an address of this machine is refused", async () => {
  await using s = await stand({ config: { box: { network: [HOST, "*"] } } });
  const { session_id, run } = await boxed(s);
  expect(await run(`curl -sS http://${HOST}:${port}/`)).toMatch(/leads to a (?:loopback|private|link-local) address/);
  expect(await run(`curl -sS --noproxy '' http://localhost:${port}/`)).toContain("leads to a loopback address");
  expect(await run(`curl -sS --noproxy '' http://127.0.0.1:${port}/`)).toContain("is not on the list");
  expect(eventsOf(s, session_id).map(({ allowed }) => allowed)).toEqual([false, false, false]);
});

test("nothing leads out but the proxy, and the daemon is not reached by it", async () => {
  await using s = await stand({ config: { box: { network: ["localhost", "127.0.0.1"] } } });
  const { run } = await boxed(s);
  expect(await run(`curl -sS --noproxy '*' http://127.0.0.1:${port}/`)).toContain("Failed to connect");
  expect(await run(`curl -sS --noproxy '*' http://${HOST}:${port}/ | grep hello || echo none`)).toContain("none");
  expect(await run(`(exec 3<>/dev/tcp/127.0.0.1/${port})`)).toContain("Connection refused");
  expect(await run(`(exec 3<>/dev/tcp/192.0.2.1/80)`)).toMatch(/unreachable/i);
  expect(await run(`getent hosts example.com || echo no name`)).toContain("no name");
  expect(await run(`getent hosts example.com || echo no name`)).toContain("no name");
  expect(await run(`curl -sS --noproxy '' http://127.0.0.1:${port}/`)).toContain("hello");
  const { port: own } = (await s.person.status({})).http;
  for (const host of ["localhost", "127.0.0.1"])
    expect(await run(`curl -sS --noproxy '' http://${host}:${own}/healthz`)).toContain("is duetty itself");
});

test("loopback in the box is the box's own: a server and a client in the same session meet", async () => {
  const s = listed;
  const { run } = await boxed(s);
  const serve = `python3 -c 'import http.server as h; h.test(h.SimpleHTTPRequestHandler, port=${port}, bind="127.0.0.1")'`;
  await run(
    `echo mine >index.html; (${serve} >/dev/null 2>&1 &); until curl -s http://localhost:${port}/; do sleep 0.05; done`,
  );
  expect(await run(`curl -sS http://localhost:${port}/`)).toBe("mine");
});

test("a new daemon serves the boxes that it finds", async () => {
  const s = listed;
  const { session_id, run } = await boxed(s);
  await s.duetty.killDaemon();
  await s.duetty.status();
  expect(await run(`curl -sS -A again http://${HOST}:${port}/`)).toContain("hello again");
  expect(await run("curl -sS http://other.example/")).toContain("refused by the box");
  expect(eventsOf(s, session_id).map(({ allowed }) => allowed)).toEqual([true, false]);
});

test("Ctrl+C does not end the way out", async () => {
  const s = listed;
  const { session_id, run } = await boxed(s);
  await s.person.pty_send({ session_id, keys: ["Ctrl+C"], then: { any: [{ prompt: true }] } });
  await s.person.pty_send({ session_id, text: "sleep 1000\r" });
  await expect.poll(() => s.foregroundOf(session_id)).toBe("sleep");
  await s.person.pty_send({ session_id, keys: ["Ctrl+C"], then: { any: [{ prompt: true }] } });
  expect(await run(`curl -sS http://${HOST}:${port}/`)).toContain("hello");
});

test("the way out is there before the program", async () => {
  const s = listed;
  const command = ["curl", "-sS", "-A", "first", `http://${HOST}:${port}/`];
  const { session_id } = await s.person.pty_open({ command, box: true, cwd: s.folder() });
  await s.person.pty_wait({ session_id, any: [{ exit: true }] });
  expect((await s.person.pty_read_screen({ session_id })).rows.join("\n")).toContain("hello first");
});

test("a person's yes opens the hosts that the line names, for exactly one run, and the question says which", async () => {
  await using s = await stand({ agent: "one", config: { box: { network: [`${address}:${port}`] } } });
  // Unknown lines run in the box without a question, and this one tries the network.
  const cwd = s.folder({
    fetch: `curl -sS http://${HOST}:${port}/ || true\n`,
    other: "curl -sS http://other.example\n",
  });
  const { session_id } = await s.agent().pty_open({ shell: "/bin/bash", cwd });
  await s.person.pty_wait({ session_id, any: [{ prompt: true }], since: 0 });
  const run = (command: string) => s.agent().run_command({ session_id, command, timeout_ms: 20_000 });
  const refused = "refused by the box";
  expect(await run("bash ./fetch")).toMatchObject({
    exit_code: 0,
    output: { head: expect.stringContaining(refused) },
    refused: [{ what: `boxed: network refused: ${HOST}:${port} is not on the list` }],
  });
  const line = `curl -sS -A granted http://${HOST}:${port}/; bash ./fetch; bash ./other`;
  const asked = run(line);
  const question = await s.pendingOf(session_id);
  expect(question).toMatchObject({ text: line, where: "box+network", hosts: [`${HOST}:${port}`] });
  expect((await s.duetty.cli("approvals")).stdout).toContain(`with network for this one run: ${HOST}:${port}`);
  await s.person.approve({ approval_id: question.approval_id });
  const answer = await asked;
  expect(answer).toMatchObject({ status: "done", exit_code: 0, boxed: true });
  expect(answer.refused).toMatchObject([
    { what: "boxed: network refused: other.example:80 is not on the list", hint: expect.stringContaining("names it") },
  ]);
  expect(answer.output.head).toContain("hello granted");
  expect(JSON.stringify(await run("bash ./fetch"))).toContain(refused);
  const { run_id } = answer;
  expect(eventsOf(s, session_id)).toMatchObject([
    { kind: "network", host: HOST, allowed: false },
    { kind: "network_open", run_id, hosts: [`${HOST}:${port}`] },
    { kind: "network", host: HOST, allowed: true, run_id },
    { kind: "network", host: HOST, allowed: true, run_id },
    { kind: "network", host: "other.example", allowed: false },
    { kind: "network_close", run_id },
    { kind: "network", host: HOST, allowed: false },
  ]);
});

describe("the list of one session", () => {
  test("is a person's to choose, and an agent's to narrow", async () => {
    await using s = await stand({ config: { box: { network: ["*.example", `${address}:${port}`] } } });
    const own = await boxed(s, ["elsewhere.test"]);
    expect((await s.person.status({ session_id: own.session_id })).session?.box?.network).toEqual(["elsewhere.test"]);
    const open = (network: string[]) => s.agent().pty_open({ cwd: s.folder(), box: { network } });
    expect((await open(["a.example:443"])).box?.network).toEqual(["a.example:443"]);
    expect((await open([])).box?.network).toEqual([]);
    for (const wider of ["*", "elsewhere.test", "example", "*.test", `${address}:1`])
      await expect(open([wider])).rejects.toMatchObject({ code: "box.refused" });
    await expect(open(["https://a.example"])).rejects.toMatchObject({ code: "input.invalid" });
  });

  test("is refused by the daemon's start when it cannot be read", async () => {
    await using s = await stand({ config: { box: { network: ["https://example.com"] } }, daemon: "later" });
    const { code, stderr } = await s.duetty.cli("status");
    expect(code).not.toBe(0);
    expect(stderr).toContain("*.example.com");
    // Its holder tries again and again. With a file that can be read, a daemon starts, which also ends them all.
    s.duetty.configure({});
    expect(await s.duetty.cli("status")).toMatchObject({ code: 0 });
  });
});
