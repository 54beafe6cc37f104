// Two machines over a real nats-server, sealed, beside the same terminals here; and a thousand machines in one list.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { nodeClock } from "../build/host/clock.js";
import { issue } from "../build/host/fleet/certificate.js";
import { keptIdentity, makeRoot } from "../build/host/fleet/keys.js";
import { Membership } from "../build/serve/fleet/members/membership.js";
import { quantile, SMOKE, table, withStand } from "./stand.mjs";

export const question = "What do terminals of another machine cost, and the lists of a thousand? (NATS, sealed)";

const TRIPS = SMOKE ? 50 : 500;
const ROUNDS = SMOKE ? 1 : 3;
const STREAM_BYTES = (SMOKE ? 4 : 32) << 20;
const HOSTS = SMOKE ? 20 : Number(process.env.HOSTS ?? 1_000);

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), "dtb-fleet-"));
  const broker = await startBroker(folder);
  const root = makeRoot(folder);
  const config = { fleet: { name: "hub" } };
  try {
    await withStand(
      (hub) =>
        withStand(async (far) => {
          join1(root, broker.url, hub.home.fleet, "hub", 1);
          join1(root, broker.url, far.home.fleet, "far", 2);
          for (const { client } of [hub, far]) await client.shutdown({ keep_sessions: true });
          for (const { duetty } of [hub, far]) duetty("status");
          await until(async () => (await hub.client.hosts({})).hosts.some(({ told_at }) => told_at !== null));
          await terminals(hub);
          await manyHosts({ hub, broker, folder });
        }),
      undefined,
      config,
    );
  } finally {
    broker.child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Echo and throughput, alternating: a session here, and one over there. */
async function terminals({ client, home }) {
  const { port } = (await client.status({})).http;
  const headers = { authorization: `Bearer ${readFileSync(home.personToken, "utf8").trim()}` };
  const places = { here: {}, "over NATS": { host: "far" } };
  const trips = Object.fromEntries(Object.keys(places).map((name) => [name, []]));
  const rates = Object.fromEntries(Object.keys(places).map((name) => [name, 0]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, place] of Object.entries(places)) {
      const echo = ["sh", "-c", "stty raw -echo; echo ready; exec cat"];
      trips[name].push(...(await inSession(client, { ...place, command: echo }, port, headers, echoes)));
      const flood = ["sh", "-c", `read go; head -c ${STREAM_BYTES} /dev/zero | tr '\\0' x; exec cat`];
      rates[name] = Math.max(rates[name], await inSession(client, { ...place, command: flood }, port, headers, rateOf));
    }
  const [here, there] = Object.keys(places);
  table(
    ["terminal", "echo p50 µs", "p99", "times", "MB/s", "times"],
    [here, there].map((name) => [
      name,
      quantile(trips[name], 0.5).toFixed(0),
      quantile(trips[name], 0.99).toFixed(0),
      (quantile(trips[name], 0.5) / quantile(trips[here], 0.5)).toFixed(1),
      (rates[name] / 1e6).toFixed(1),
      (rates[name] / rates[here]).toFixed(2),
    ]),
  );
}

async function inSession(client, open, port, headers, measure) {
  const { session_id } = await client.pty_open(open);
  const path = `/v1/sessions/${encodeURIComponent(session_id)}/terminal`;
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers, perMessageDeflate: false });
  await new Promise((resolve) => socket.once("open", resolve));
  await client.pty_wait({ session_id, any: [{ settled_ms: 200 }] });
  const measured = await measure(socket);
  socket.terminate();
  await client.pty_close({ session_id });
  return measured;
}

async function echoes(socket) {
  let arrived = () => undefined;
  socket.on("message", (_, binary) => binary && arrived());
  const trips = [];
  for (let i = 0; i < TRIPS; i += 1) {
    const began = performance.now();
    const back = new Promise((resolve) => {
      arrived = resolve;
    });
    socket.send(Buffer.from("x"));
    await back;
    trips.push((performance.now() - began) * 1000);
  }
  return trips;
}

/** Bytes a second of all that a viewer gets who takes everything at once. Pictures count by their cursor. */
async function rateOf(socket) {
  let cursor = 0;
  const began = performance.now();
  await new Promise((resolve) => {
    socket.on("message", (data, binary) => {
      if (binary) cursor += data.length;
      else {
        const said = JSON.parse(data.toString());
        if (said.type === "snapshot") cursor = said.cursor;
      }
      socket.send(JSON.stringify({ type: "ack", cursor }));
      if (cursor >= STREAM_BYTES) resolve();
    });
    socket.send(Buffer.from("\n"));
  });
  return STREAM_BYTES / ((performance.now() - began) / 1000);
}

/** Machines of a process that signs real cards and answers real calls, with ten sessions each. */
async function manyHosts({ hub, broker, folder }) {
  const script = fileURLToPath(new URL("fleet-hosts.mjs", import.meta.url));
  const [like] = (await hub.client.pty_list({})).sessions;
  writeFileSync(join(folder, "session.json"), JSON.stringify(like));
  const began = performance.now();
  const child = spawn(process.execPath, [script, broker.url, folder, `${HOSTS}`], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const spoke = performance.now();
  const all = async () =>
    (await hub.client.hosts({})).hosts.filter(({ told_at, host }) => told_at && host !== "far").length;
  await until(async () => (await all()) >= HOSTS);
  const listed = performance.now();
  const answers = [];
  for (let i = 0; i < 5; i += 1) {
    const start = performance.now();
    const { sessions } = await hub.client.pty_list({ hosts: "all" });
    answers.push(performance.now() - start);
    if (sessions.length < HOSTS * 10) throw new Error(`${sessions.length} sessions are listed`);
  }
  const memory = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${broker.child.pid}/status`, "utf8"))?.[1]) / 1024;
  child.kill("SIGKILL");
  const ms = (value) => value.toFixed(0);
  table(
    ["machines × 10 sessions", "made, ms", "all lists here, ms", "list of all, ms", "broker, MB"],
    [[HOSTS, ms(spoke - began), ms(listed - spoke), ms(quantile(answers, 0.5)), ms(memory)]],
  );
}

function join1(root, url, folder, name, number) {
  const id = `${number}`.padStart(8, "0");
  const [device, host] = [`d_${id}`, `h_${id}`];
  const membership = new Membership({ folder, clock: nodeClock });
  const certOf = (role) => {
    const { publicKey: key } = keptIdentity(folder, role);
    return issue(root, { key, device, name, host: role === "host" ? host : null, role, hosts: ["*"] }, Date.now());
  };
  const certs = { host: certOf("host"), person: certOf("person"), agent: certOf("agent") };
  membership.become({ v: 1, url, device, host, name, root: root.publicKey, certs });
  membership.allow("d_00000001", { person: "drive", agent: "drive" });
}

async function startBroker(folder) {
  const port = await freePort();
  writeFileSync(join(folder, "nats.conf"), "max_payload: 1MB\n");
  const words = ["-c", join(folder, "nats.conf"), "-a", "127.0.0.1", "-p", `${port}`];
  const child = spawn("nats-server", words, { stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr.on("data", (piece) => {
    log += piece;
  });
  await until(() => log.includes("Server is ready"));
  return { child, url: `nats://127.0.0.1:${port}` };
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function until(holds) {
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("it did not come true");
}
