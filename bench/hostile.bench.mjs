// How long hostile output in one session keeps everybody else waiting: another caller asks for health all the time.

import { writeFileSync } from "node:fs";
import http from "node:http";
import { quantile, table, withStand } from "./stand.mjs";

export const question =
  "How long can output stall the daemon? (one turn of its loop, and what a bystander waits; ms; goal 50)";

const KB = 1 << 10;
const INPUTS = {
  "a plain log": ["a line of a log, as plain as can be\n", 8192],
  "RIS, over and over": ["\x1bc", 256],
  "REP 9999": ["x\x1b[9999b", 256],
  DECALN: ["\x1b#8", 256],
  "IL 2147483647": ["x\x1b[2147483647L", 512],
  "erase all": ["x\x1b[2J", 512],
};

function health(socketPath) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const request = http.get({ socketPath, path: "/healthz", agent: false }, (response) => {
      response.resume();
      response.on("end", () => resolve(performance.now() - began));
    });
    request.on("error", reject);
  });
}

export async function run() {
  await withStand(async ({ client, home, dir }) => {
    const rows = [];
    for (const [name, [text, kilobytes]] of Object.entries(INPUTS)) {
      const file = `${dir}/hostile.bin`;
      writeFileSync(file, Buffer.alloc(kilobytes * KB, text, "latin1"));
      const { session_id } = await client.pty_open({
        command: ["sh", "-c", `read go; cat '${file}'`],
        cols: 120,
        rows: 40,
      });
      const over = client.pty_send({
        session_id,
        keys: ["Enter"],
        then: { any: [{ exit: true }], timeout_ms: 60_000 },
      });
      const waits = [];
      await client.status({});
      let running = true;
      over.then(() => {
        running = false;
      });
      while (running) waits.push(await health(home.daemonSocket));
      const { stall_ms } = (await client.status({})).daemon;
      const bystander = [0.5, 1].map((q) => quantile(waits, q).toFixed(1));
      rows.push([name, stall_ms.toFixed(1), stall_ms <= 50 ? "yes" : "NO", waits.length, ...bystander]);
      await client.pty_close({ session_id });
    }
    table(["output", "longest stall", "≤ 50", "asked", "waited p50", "longest"], rows);
  });
}
