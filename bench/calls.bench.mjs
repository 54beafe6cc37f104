// What a call costs over a kept connection: in time, and in the daemon's processor time against a bare Node server that
// answers the same bytes. And how much faster than tmux an agent types, waits and sees.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import http from "node:http";
import { cpuMs, quantile, seconds, table, withBuilds } from "./stand.mjs";

export const question = "What does a call cost over HTTP? (one kept connection)";

const CALLS = 1_500;
const TURNS = 300;
const TMUX_TURNS = 30;

const BARE = `require("node:http").createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => { JSON.parse(Buffer.concat(parts).toString() || "{}"); response.end(process.argv[1]); });
}).listen(0, "127.0.0.1", function () { console.log(this.address().port); });`;

export async function run() {
  await withBuilds(async (ours, base) => {
    const rows = [];
    for (const [name, stand] of [["duetty", ours], ...(base ? [["base", base]] : [])])
      rows.push(...(await costs(name, stand)));
    rows.push(["tmux: send-keys, wait, capture-pane", ...(await tmuxTurns(ours)), "", ""]);
    table(["", "p50 ms", "p99 ms", "calls a second", "CPU ms a call", "of a bare server"], rows);
  });
}

async function costs(name, { client, home }) {
  const status = await client.status({});
  const token = readFileSync(home.personToken, "utf8").trim();
  const call = caller(status.http.port, { authorization: `Bearer ${token}` });
  const { session_id } = await call("pty_open", {
    command: ["sh", "-c", "stty -echo; while read x; do echo got $x; done"],
  });
  const screen = await call("pty_wait", { session_id, any: [{ settled_ms: 200 }] });
  const bare = spawn(process.execPath, ["-e", BARE, JSON.stringify(status)], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise((resolve) => bare.stdout.once("data", (text) => resolve(Number(text))));
  const kinds = [
    ["a bare Node server", () => caller(port, {}), "status", {}, bare.pid],
    ["status", () => call, "status", {}, status.daemon.pid],
    ["list", () => call, "pty_list", {}, status.daemon.pid],
    ["see", () => call, "pty_read_screen", { session_id }, status.daemon.pid],
    ["see, unchanged", () => call, "pty_read_screen", { session_id, since_seq: screen.screen.seq }, status.daemon.pid],
  ];
  const rows = [];
  let floor = 0;
  for (const [what, make, op, input, pid] of kinds) {
    const one = make();
    await repeat(CALLS / 5, () => one(op, input));
    const before = cpuMs(pid);
    const { took, rate } = await repeat(CALLS, () => one(op, input));
    const cpu = (cpuMs(pid) - before) / CALLS;
    floor ||= cpu;
    rows.push([`${name}: ${what}`, ...figures(took), rate.toFixed(0), cpu.toFixed(2), (cpu / floor).toFixed(1)]);
  }
  bare.kill();
  const before = cpuMs(status.daemon.pid);
  let turn = 0;
  const { took, rate } = await repeat(TURNS, async () => {
    turn += 1;
    const then = { any: [{ text: `got ${turn}.` }], timeout_ms: 5_000 };
    const seen = await call("pty_send", { session_id, text: `${turn}.`, keys: ["Enter"], then });
    if (!seen.screen.rows.some((row) => row.includes(`got ${turn}.`))) throw new Error("not on the screen");
  });
  const cpu = (cpuMs(status.daemon.pid) - before) / TURNS;
  rows.push([`${name}: type, wait, see`, ...figures(took), rate.toFixed(0), cpu.toFixed(2), ""]);
  await call("pty_close", { session_id });
  return rows;
}

/** tmux has no wait for text, so the program says when it has answered. */
async function tmuxTurns({ tmux }) {
  tmux("new-session", "-d", "-s", "turns", "stty -echo; while read x; do echo got $x; tmux wait-for -S done$x; done");
  let turn = 0;
  const { took, rate } = await repeat(TMUX_TURNS, async () => {
    turn += 1;
    tmux("send-keys", "-t", "turns", String(turn), "Enter");
    tmux("wait-for", `done${turn}`);
    tmux("capture-pane", "-p", "-t", "turns");
  });
  return [...figures(took), rate.toFixed(0)];
}

/** Calls one after the other over one connection. */
function caller(port, extra) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  return (op, input) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify(input);
      const headers = { ...extra, "content-type": "application/json", "content-length": Buffer.byteLength(body) };
      const request = http.request(
        { port, host: "127.0.0.1", path: `/v1/${op}`, method: "POST", headers, agent },
        (answer) => {
          const parts = [];
          answer.on("data", (part) => parts.push(part));
          answer.on("end", () => resolve(JSON.parse(Buffer.concat(parts).toString())));
        },
      );
      request.on("error", reject);
      request.end(body);
    });
}

async function repeat(times, one) {
  const took = [];
  const all = await seconds(async () => {
    for (let i = 0; i < times; i++) took.push((await seconds(one)) * 1000);
  });
  return { took, rate: times / all };
}

const figures = (took) => [0.5, 0.99].map((q) => quantile(took, q).toFixed(2));
