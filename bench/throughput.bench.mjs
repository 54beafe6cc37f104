// PTY → journal → screen, against tmux on the same payloads, alternating, in the same run.
import { makePayloads } from "./payloads.mjs";
import { seconds, table, withBuilds } from "./stand.mjs";

export const question = "How fast does output get onto the screen? (120×40, MB/s, best of 3, alternating with tmux)";

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
  await withBuilds(async ({ client, tmux, dir }, base) => {
    tmux("new-session", "-d", "-s", "keep", "sleep 3600");
    const rows = [];
    for (const payload of await makePayloads(client, dir, 34)) {
      const best = { ours: Infinity, theirs: Infinity, base: Infinity };
      for (let round = 0; round < ROUNDS; round++) {
        best.theirs = Math.min(best.theirs, await theirs(tmux, payload));
        best.ours = Math.min(best.ours, await ours(client, payload));
        if (base) best.base = Math.min(best.base, await ours(base.client, payload));
      }
      const rate = (s) => (payload.bytes / 1e6 / s).toFixed(1);
      const ratio = best.theirs / best.ours;
      const row = [payload.name, rate(best.theirs), rate(best.ours), ratio.toFixed(2), ratio >= GOAL ? "yes" : "NO"];
      rows.push(base ? [...row, rate(best.base), (best.base / best.ours).toFixed(2)] : row);
    }
    const head = ["payload", "tmux MB/s", "duetty MB/s", "ratio", `≥ ${GOAL}`];
    table(base ? [...head, "base MB/s", "to base"] : head, rows);
  });
}
