// What many quiet sessions cost, and how soon they are there again. COUNT sets how many, PROGRAM what runs in them.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { quantile, seconds, table, withBuilds } from "./stand.mjs";

const COUNT = Number(process.env.COUNT ?? 1_000);
const COMMAND = (process.env.PROGRAM ?? "cat").split(" ");

export const question = `What do ${COUNT} idle sessions (${COMMAND.join(" ")}) cost?`;

/** How long quiet sessions may take to fall asleep. A build without sleep never gets there. */
const ASLEEP_MS_MAX = 100_000;
const READS = 50;
/** A daemon at rest gives memory back every ten seconds. */
const AT_REST_MS = 25_000;

export async function run() {
  const rows = [];
  await withBuilds(async (...stands) => {
    for (const stand of stands)
      if (stand) rows.push([stand === stands[0] ? "this build" : "base", ...(await measure(stand))]);
  });
  const head = ["build", "sessions", "open p50/p99 ms", "asleep", "daemon + holder MB (PSS)", "descriptors a session"];
  const more = ["list ms", "see, asleep p50/p99 ms", "kill -9 to see s", "bare start to see s", "shutdown s"];
  table([...head, ...more], rows);
}

async function measure({ client, duetty }) {
  // From kill -9 with one session: what any start takes.
  const first = (await client.pty_open({ command: ["cat"] })).session_id;
  const bare = await restart(client, first);
  const before = await facts(client);
  const [opens, ids] = [[], []];
  for (let n = 1; n < COUNT; n++) {
    const began = performance.now();
    try {
      ids.push((await client.pty_open({ command: COMMAND })).session_id);
    } catch (error) {
      console.log(`after ${n}: ${error.message}`);
      break;
    }
    opens.push(performance.now() - began);
  }
  const deadline = Date.now() + ASLEEP_MS_MAX;
  const sleepers = async () => (await client.status({})).sessions.asleep ?? 0;
  while ((await sleepers()) < ids.length && Date.now() < deadline) await pause(1_000);
  const asleep = await sleepers();
  await pause(AT_REST_MS);
  const idle = await facts(client);
  const lists = await times(20, () => client.pty_list({}));
  const sees = await times(READS, (n) => client.pty_read_screen({ session_id: ids[(n * 17) % ids.length] }));
  const again = await restart(client, ids[0]);
  const end = await seconds(() => client.shutdown({}));
  duetty("status");
  const ms = (values) => `${quantile(values, 0.5).toFixed(1)} / ${quantile(values, 0.99).toFixed(1)}`;
  return [
    ids.length + 1,
    ms(opens),
    asleep,
    `${idle.mb.map((mb) => mb.toFixed(0)).join(" + ")} (${idle.pss.map((mb) => mb.toFixed(0)).join(" + ")})`,
    ((idle.descriptors - before.descriptors) / ids.length).toFixed(2),
    ms(lists),
    ms(sees),
    again.toFixed(2),
    bare.toFixed(2),
    end.toFixed(2),
  ];
}

async function times(count, run) {
  const all = [];
  for (let n = 0; n < count; n++) {
    const began = performance.now();
    await run(n);
    all.push(performance.now() - began);
  }
  return all;
}

/** Kills the daemon and returns the seconds until a screen can be read. */
async function restart(client, session_id) {
  process.kill((await client.status({})).daemon.pid, "SIGKILL");
  return seconds(async () => {
    for (;;) {
      try {
        return await client.pty_read_screen({ session_id });
      } catch {
        await pause(5);
      }
    }
  });
}

async function facts(client) {
  const { daemon, holder } = await client.status({});
  const memory = (pid, file, field) =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/${file}`, "utf8"))?.[1] ?? 0) / 1024;
  const pids = [daemon.pid, holder.pid];
  return {
    mb: pids.map((pid) => memory(pid, "status", "VmRSS")),
    pss: pids.map((pid) => memory(pid, "smaps_rollup", "Pss")),
    descriptors: readdirSync(`/proc/${daemon.pid}/fd`).length,
  };
}
