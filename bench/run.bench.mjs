// One small command in a live shell, from the call to exit code and output in hand; against tmux with what its users do:
// send-keys with a wait-for behind the command, then capture-pane (which knows no exit code).
import { quantile, table, withStand } from "./stand.mjs";

export const question = "How long does one command take in a live shell, with its exit code and output? (ms)";

const TIMES = 200;

export async function run() {
  await withStand(async ({ client, tmux, dir }) => {
    const rows = [];
    for (const shell of ["bash", "zsh", "fish"]) {
      const { session_id } = await client.pty_open({ shell: `/usr/bin/${shell}`, cwd: dir, env: { HOME: dir } });
      await client.pty_wait({ session_id, any: [{ prompt: true }] });
      const took = [];
      for (let i = 0; i < TIMES; i++) {
        const began = performance.now();
        const ran = await client.run_command({ session_id, command: `echo ${i}` });
        took.push(performance.now() - began);
        if (ran.output.head !== String(i)) throw new Error(`wrong output: ${JSON.stringify(ran)}`);
      }
      rows.push([`duetty run echo, ${shell}`, ...figures(took)]);
      const nothing = [];
      for (let i = 0; i < TIMES; i++) {
        const began = performance.now();
        const ran = await client.run_command({ session_id, command: "true" });
        nothing.push(performance.now() - began);
        if (ran.exit_code !== 0) throw new Error(`wrong code: ${JSON.stringify(ran)}`);
      }
      rows.push([`duetty run true, ${shell}`, ...figures(nothing)]);
      await client.pty_close({ session_id });
    }
    tmux("new-session", "-d", "-x", "120", "-y", "36", "-s", "b", "bash --norc");
    const took = [];
    for (let i = 0; i < TIMES / 4; i++) {
      const began = performance.now();
      tmux("send-keys", "-t", "b", `echo ${i}; tmux wait-for -S done${i}`, "Enter");
      tmux("wait-for", `done${i}`);
      tmux("capture-pane", "-p", "-t", "b");
      took.push(performance.now() - began);
    }
    rows.push(["tmux send-keys + wait-for + capture-pane", ...figures(took)]);
    table(["", "p50", "p90", "p99"], rows);
  });
}

const figures = (took) => [0.5, 0.9, 0.99].map((q) => quantile(took, q).toFixed(1));
