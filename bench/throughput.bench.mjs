// PTY → journal → screen, against tmux and others on the same payloads, alternating, in the same run.
import { makePayloads, requestPayload } from "./payloads.mjs";
import { peers } from "./peers.mjs";
import { SMOKE, seconds, table, withBuilds } from "./stand.mjs";

export const question = "How fast does output get onto the screen? (120×40, MB/s, best of 3, alternating)";

const ROUNDS = 3;
const GOAL = 2.5;

async function ours(client, { file }) {
  const command = ["sh", "-c", `read go; cat '${file}'`];
  const { session_id } = await client.pty_open({ command, cols: 120, rows: 40 });
  const then = { any: [{ exit: true }], timeout_ms: 120_000 };
  const took = await seconds(() => client.pty_send({ session_id, keys: ["Enter"], then }));
  await client.pty_close({ session_id });
  return took;
}

async function theirs(tmux, { file }) {
  tmux("new-session", "-d", "-s", "bench", "-x", "120", "-y", "40", `read go; cat '${file}'; tmux wait-for -S done`);
  const took = await seconds(async () => {
    tmux("send-keys", "-t", "bench", "Enter");
    tmux("wait-for", "done");
  });
  return took;
}

export async function run() {
  const others = SMOKE ? [] : peers();
  await withBuilds(async ({ client, tmux, dir, env }, base) => {
    tmux("new-session", "-d", "-s", "keep", "sleep 3600");
    const rows = [];
    for (const payload of SMOKE ? [requestPayload(dir, 8)] : await makePayloads(client, dir, 34)) {
      const ways = {
        tmux: () => theirs(tmux, payload),
        duetty: () => ours(client, payload),
        ...(base ? { base: () => ours(base.client, payload) } : {}),
        ...Object.fromEntries(
          others.map(({ name, run }) => [name, () => seconds(() => run(`cat '${payload.file}'`, dir, env))]),
        ),
      };
      const best = Object.fromEntries(Object.keys(ways).map((name) => [name, Number.POSITIVE_INFINITY]));
      for (let round = 0; round < (SMOKE ? 1 : ROUNDS); round += 1)
        for (const [name, way] of Object.entries(ways)) best[name] = Math.min(best[name], await way());
      for (const [name, took] of Object.entries(best)) {
        const ratio = took / best.duetty;
        const rate = (payload.bytes / 1e6 / took).toFixed(1);
        const met = name !== "tmux" ? "" : ratio >= GOAL ? "yes" : "NO";
        rows.push([payload.name, name, rate, ratio.toFixed(2), met]);
      }
    }
    table(["payload", "by", "MB/s", "duetty is so many times as fast", `≥ ${GOAL}`], rows);
  });
}
