// A keystroke's way through daemon and holder to the program, and back onto a viewer's wire.

import { readFileSync } from "node:fs";
import { WebSocket } from "ws";
import { quantile, table, withStand } from "./stand.mjs";

export const question = "How long does an echo take through holder and daemon? (raw cat, one WebSocket viewer, µs)";

const TRIPS = 2000;

export async function run() {
  await withStand(async ({ client, home }) => {
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
    table(
      ["round trips", "p50", "p90", "p99"],
      [[TRIPS, ...[0.5, 0.9, 0.99].map((q) => quantile(trips, q).toFixed(0))]],
    );
  });
}
