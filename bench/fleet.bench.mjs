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
import { cpuMs, quantile, SMOKE, table, withStand } from "./stand.mjs";

export const question = "What do terminals of another machine cost, and the lists of a thousand? (NATS, sealed)";

const TRIPS = SMOKE ? 50 : 500;
const ROUNDS = SMOKE ? 1 : 3;
const STREAM_BYTES = (SMOKE ? 4 : 32) << 20;
const ECHO = "stty raw -echo; echo ready; exec cat";
const FLOOD = `read go; head -c ${STREAM_BYTES} /dev/zero | tr '\\0' x; exec cat`;
const LOUD = "exec yes loud";
const BEACONS_MS = SMOKE ? 1_000 : 20_000;
const HOSTS = SMOKE ? 20 : Number(process.env.HOSTS ?? 1_000);

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), "dtb-fleet-"));
  const broker = await startBroker(folder);
  const root = makeRoot(folder);
  const config = { fleet: { name: "hub" } };
  try {
    await withStand(
      async (hub) => {
        join1(root, broker.url, hub.home.fleet, "hub", 1);
        await withStand(async (far) => {
          join1(root, broker.url, far.home.fleet, "far", 2);
          for (const { client } of [hub, far]) await client.shutdown({ keep_sessions: true });
          for (const { duetty } of [hub, far]) duetty("status");
          await until(async () => (await hub.client.hosts({})).hosts.some(({ told_at }) => told_at !== null));
          await terminals(hub);
        });
        // One machine shows a thousand. Another one that did the same here would take its time.
        await manyHosts({ hub, broker, folder });
      },
      undefined,
      config,
    );
  } finally {
    broker.child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Echo and throughput, alternating: a session here, and one over there; alone, and beside what disturbs. */
async function terminals({ client, home }) {
  const { port } = (await client.status({})).http;
  const headers = { authorization: `Bearer ${readFileSync(home.personToken, "utf8").trim()}` };
  const stand = { client, port, headers };
  const places = [
    { name: "here", open: {} },
    { name: "over NATS", open: { host: "far" } },
  ].map((place) => ({ ...place, trips: [], besideFlood: [], rates: [], besideFrozen: [] }));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { open, trips, besideFlood, rates, besideFrozen } of places) {
      const [echo, flood, loud] = [ECHO, FLOOD, LOUD].map((command) => ({ ...open, command: ["sh", "-c", command] }));
      trips.push(...(await inSession(stand, echo, echoes)));
      const beside = async (socket) => {
        take(socket);
        return inSession(stand, echo, echoes);
      };
      besideFlood.push(...(await inSession(stand, loud, beside)));
      rates.push(await inSession(stand, flood, rateOf));
      const frozen = async (socket, session_id) => {
        const still = await viewed(stand, session_id);
        still.pause();
        const rate = await rateOf(socket);
        still.terminate();
        return rate;
      };
      besideFrozen.push(await inSession(stand, flood, frozen));
    }
  const [{ trips: own, rates: ownRates }] = places;
  table(
    [
      "terminal",
      "echo p50 µs",
      "p99",
      "times",
      "beside a flood p50 µs",
      "MB/s",
      "times",
      "beside a frozen viewer, times",
    ],
    places.map(({ name, trips, besideFlood, rates, besideFrozen }) => [
      name,
      quantile(trips, 0.5).toFixed(0),
      quantile(trips, 0.99).toFixed(0),
      (quantile(trips, 0.5) / quantile(own, 0.5)).toFixed(1),
      quantile(besideFlood, 0.5).toFixed(0),
      (Math.max(...rates) / 1e6).toFixed(1),
      (Math.max(...rates) / Math.max(...ownRates)).toFixed(2),
      (Math.max(...besideFrozen) / Math.max(...rates)).toFixed(2),
    ]),
  );
}

async function inSession(stand, open, measure) {
  const { session_id } = await stand.client.pty_open(open);
  const socket = await viewed(stand, session_id);
  await stand.client.pty_wait({ session_id, any: [{ settled_ms: 200 }, { text: "loud" }] });
  const measured = await measure(socket, session_id);
  socket.terminate();
  await stand.client.pty_close({ session_id });
  return measured;
}

async function viewed({ port, headers }, session_id) {
  const path = `/v1/sessions/${encodeURIComponent(session_id)}/terminal`;
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers, perMessageDeflate: false });
  await new Promise((resolve) => socket.once("open", resolve));
  return socket;
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

/** Bytes a second of all that a viewer gets who takes everything at once. */
async function rateOf(socket) {
  const began = performance.now();
  await new Promise((resolve) => {
    take(socket, (cursor) => cursor >= STREAM_BYTES && resolve());
    socket.send(Buffer.from("\n"));
  });
  return STREAM_BYTES / ((performance.now() - began) / 1000);
}

/** Takes everything at once. Pictures count by their cursor. */
function take(socket, heard = () => undefined) {
  let cursor = 0;
  socket.on("message", (data, binary) => {
    if (binary) cursor += data.length;
    else {
      const said = JSON.parse(data.toString());
      if (said.type === "snapshot") cursor = said.cursor;
    }
    socket.send(JSON.stringify({ type: "ack", cursor }));
    heard(cursor);
  });
}

/** Machines of two processes that sign real cards and answer real calls, with ten sessions each. A quarter of them dies. */
async function manyHosts({ hub, broker, folder }) {
  const [like] = (await hub.client.pty_list({})).sessions;
  writeFileSync(join(folder, "session.json"), JSON.stringify(like));
  const dying = HOSTS / 4;
  const began = performance.now();
  const [lasting, mortal] = await Promise.all([
    startHosts(broker, folder, 0, HOSTS - dying),
    startHosts(broker, folder, HOSTS - dying, dying),
  ]);
  const spoke = performance.now();
  const hosts = async () => (await hub.client.hosts({})).hosts.filter(({ host }) => host !== "far");
  const count = async (holds) => (await hosts()).filter(holds).length;
  await until(async () => (await count(({ told_at }) => told_at !== null)) >= HOSTS, 100);
  const listed = performance.now();
  const answers = [];
  for (let i = 0; i < 5; i += 1) {
    const start = performance.now();
    const { sessions } = await hub.client.pty_list({ hosts: "all" });
    answers.push(performance.now() - start);
    if (sessions.length < HOSTS * 10) throw new Error(`${sessions.length} sessions are listed`);
  }
  const { pid } = (await hub.client.status({})).daemon;
  const [cpu, start] = [cpuMs(pid), performance.now()];
  await pause(BEACONS_MS);
  const busy = (100 * (cpuMs(pid) - cpu)) / (performance.now() - start);
  const died = performance.now();
  mortal.kill("SIGKILL");
  await until(async () => (await count(({ reach }) => reach !== "here")) >= dying, 100);
  const grey = performance.now() - died;
  const away = (await hosts()).find(({ reach }) => reach !== "here");
  const asked = performance.now();
  await hub.client.pty_list({ host: away.host }).catch(() => undefined);
  const refused = performance.now() - asked;
  const memory = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${broker.child.pid}/status`, "utf8"))?.[1]) / 1024;
  lasting.kill("SIGKILL");
  const ms = (value) => value.toFixed(0);
  table(
    ["machines × 10 sessions", "made, ms", "all lists here, ms", "list of all, ms", "broker, MB"],
    [[HOSTS, ms(spoke - began), ms(listed - spoke), ms(quantile(answers, 0.5)), ms(memory)]],
  );
  table(
    ["beacons of all: % of a core here", "a quarter dies: all grey after, ms", "a call to one, ms"],
    [[busy.toFixed(1), ms(grey), refused.toFixed(1)]],
  );
}

/** Until all have spoken. */
async function startHosts(broker, folder, first, count) {
  const script = fileURLToPath(new URL("fleet-hosts.mjs", import.meta.url));
  const child = spawn(process.execPath, [script, broker.url, folder, `${first}`, `${count}`], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return child;
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

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** `everyMs`: so often it is asked, which costs the machine that is measured. */
async function until(holds, everyMs = 20) {
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    if (await holds()) return;
    await pause(everyMs);
  }
  throw new Error("it did not come true");
}
