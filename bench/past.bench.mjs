// Any past screen of a long session, against playing the journal from its beginning.

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { buildLog, random } from "./payloads.mjs";
import { quantile, seconds, table, withStand } from "./stand.mjs";

export const question =
  "How long does a past screen take? (100 MB journal, 20 random cursors over HTTP, goal: < 50 ms)";

const MEGABYTES = 100;
const LOOKS = 20;
const GOAL_MS = 50;

/** Lines of two bytes: nothing scrolls more. */
const scrolling = (bytes) => Buffer.alloc(bytes, "y\n");

function asker(home) {
  const { port } = JSON.parse(readFileSync(home.httpFile, "utf8"));
  const token = readFileSync(home.personToken, "utf8").trim();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return (body) =>
    new Promise((resolve, reject) => {
      const options = { port, host: "127.0.0.1", path: "/v1/pty_read_screen", method: "POST", headers };
      const call = request(options, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part) => {
          text += part;
        });
        response.on("end", () => resolve(JSON.parse(text)));
      });
      call.on("error", reject);
      call.end(JSON.stringify(body));
    });
}

async function looks(see, session_id, cursors) {
  const times = [];
  for (const at of cursors) {
    const began = performance.now();
    const screen = await see({ session_id, at });
    if (screen.cursor_bytes !== at) throw new Error(JSON.stringify(screen).slice(0, 200));
    times.push(performance.now() - began);
  }
  return times;
}

/** The longest that another caller had to wait meanwhile. */
async function stalls(client, work) {
  let [longest, over] = [0, false];
  const asking = (async () => {
    while (!over) {
      const began = performance.now();
      await client.status({});
      longest = Math.max(longest, performance.now() - began);
    }
  })();
  await work();
  over = true;
  await asking;
  return longest;
}

/** The gaps between states are halved in the pauses of a session: until no more are added. */
async function quiet(folder) {
  for (let before = -1, now = 0; before !== now; ) {
    before = now;
    await delay(1_500);
    now = readdirSync(folder).length;
  }
}

export async function run() {
  await withStand(async ({ client, dir, home }) => {
    const rows = [];
    for (const [name, make] of Object.entries({ "coloured build log": buildLog, "y\\n without end": scrolling })) {
      const file = join(dir, "payload.bin");
      writeFileSync(file, make(MEGABYTES << 20));
      const { session_id } = await client.pty_open({ command: ["cat", file], cols: 120, rows: 40 });
      await client.pty_wait({ session_id, any: [{ exit: true }], timeout_ms: 300_000 });
      const { total_bytes } = await client.timeline({ session_id });
      const see = asker(home);
      const pick = random(7);
      const cursors = Array.from({ length: LOOKS }, () => pick(total_bytes));
      await looks(see, session_id, cursors.slice(0, 2));
      const early = await looks(see, session_id, cursors);
      await quiet(join(home.sessions, session_id, "keyframes"));
      const times = await looks(see, session_id, cursors);
      const stall = await stalls(client, () => looks(see, session_id, cursors));
      const states = readdirSync(join(home.sessions, session_id, "keyframes"));
      rmSync(join(home.sessions, session_id, "keyframes"), { recursive: true });
      const replay = await seconds(() => see({ session_id, at: total_bytes - 1 }));
      const [p50, p95, max] = [0.5, 0.95, 1].map((q) => quantile(times, q));
      const shown = [quantile(early, 0.5), Math.max(...early), p50, p95, max, stall].map((ms) => ms.toFixed(0));
      rows.push([name, states.length, ...shown, (replay * 1000).toFixed(0), max < GOAL_MS ? "yes" : "NO"]);
    }
    table(
      [
        "journal",
        "states",
        "at once: p50 ms",
        "max",
        "after a pause: p50",
        "p95",
        "max",
        "others wait",
        "full replay ms",
        `max < ${GOAL_MS}`,
      ],
      rows,
    );
  });
}
