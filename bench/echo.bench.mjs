// Times a keystroke on its way through daemon and holder to the program, and back to a viewer.

import { readFileSync } from "node:fs";
import { WebSocket } from "ws";
import { quantile, table, withBuilds } from "./stand.mjs";

export const question = "How long does an echo take through holder and daemon? (raw cat, one WebSocket viewer, µs)";

const TRIPS = 2000;

const ROUNDS = 3;

export async function run() {
  await withBuilds(async (ours, base) => {
    const builds = [{ name: "duetty", stand: ours }, ...(base ? [{ name: "base", stand: base }] : [])];
    const trips = new Map(builds.map(({ name }) => [name, []]));
    for (let round = 0; round < ROUNDS; round++)
      for (const { name, stand } of builds) trips.get(name).push(...(await echoes(stand)));
    const row = (name) => [0.5, 0.9, 0.99].map((q) => quantile(trips.get(name), q).toFixed(0));
    table(
      ["build", "round trips", "p50", "p90", "p99"],
      builds.map(({ name }) => [name, ROUNDS * TRIPS, ...row(name)]),
    );
  });
}

/** How long each of TRIPS bytes took from a viewer's socket to the program and back. */
async function echoes({ client, home }) {
  const { session_id } = await client.pty_open({ command: ["sh", "-c", "stty raw -echo; echo ready; exec cat"] });
  await client.pty_wait({ session_id, any: [{ settled_ms: 200 }] });
  const token = readFileSync(home.personToken, "utf8").trim();
  const { http } = await client.status({});
  const socket = new WebSocket(`ws://127.0.0.1:${http.port}/v1/sessions/${session_id}/terminal`, {
    headers: { authorization: `Bearer ${token}` },
  });
  let arrived = () => undefined;
  let held = false;
  await new Promise((resolve) => {
    socket.on("message", (data, binary) => {
      if (binary && held) arrived();
      if (!binary && JSON.parse(data.toString()).type === "hold") {
        held = true;
        resolve();
      }
    });
  });
  const trips = [];
  for (let i = 0; i < TRIPS; i++) {
    const began = performance.now();
    const back = new Promise((resolve) => {
      arrived = resolve;
    });
    socket.send(Buffer.from("x"));
    await back;
    trips.push((performance.now() - began) * 1000);
  }
  socket.terminate();
  await client.pty_close({ session_id });
  return trips;
}
