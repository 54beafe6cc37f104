// What reading a screen costs: in the engine, over HTTP when nothing changed, and as a whole act–wait–see cycle in vim.
import { spawnSync } from "node:child_process";
import { makeGhostty } from "../build/host/engine/ghostty.js";
import { BIN, quantile, table, withStand } from "./stand.mjs";

export const question = "What does looking cost? (120×40; medians)";

const CYCLES = 50;

function engineCosts() {
  const engine = makeGhostty({ cols: 120, rows: 40, scrollback: 1000 });
  const line = `${"\x1b[32mok\x1b[m some words of a line that is about as long as usual lines are ".repeat(2)}\r\n`;
  engine.feed(Buffer.from(line.repeat(60)));
  const round = (times, run) => {
    const all = [];
    for (let i = 0; i < times; i++) {
      const began = performance.now();
      run(i);
      all.push((performance.now() - began) * 1000);
    }
    return quantile(all, 0.5);
  };
  // The best of three medians: the first round also compiles.
  const timed = (times, run) => Math.min(...[1, 2, 3].map(() => round(times, run)));
  const cell = timed(5000, (i) => {
    engine.feed(Buffer.from(`\x1b[20;${(i % 100) + 1}H${i % 10}`));
    engine.takeDirty();
  });
  const whole = timed(1000, () => engine.rows());
  const clean = timed(5000, () => engine.takeDirty());
  const styled = timed(200, () => engine.styled({ history: 0 }));
  engine.dispose();
  const row = (what, us, goal) => [
    what,
    us.toFixed(1),
    goal ?? "",
    goal === undefined ? "" : us <= goal ? "yes" : "NO",
  ];
  table(
    ["in the engine", "µs", "goal", "within"],
    [
      row("one cell → text of its row", cell, 10),
      row("text of the whole screen", whole, 100),
      row("nothing changed", clean),
      row("the whole screen in colour", styled),
    ],
  );
}

async function cycles({ client, tmux, env, dir }) {
  const file = `${dir}/bench.txt`;
  const { session_id } = await client.pty_open({ command: ["vim", "-u", "NONE", "-N", file], cols: 120, rows: 40 });
  await client.pty_wait({ session_id, any: [{ settled_ms: 300 }] });
  tmux("new-session", "-d", "-s", "vim", "-x", "120", "-y", "40", "vim", "-u", "NONE", "-N", `${file}.tmux`);
  const { hash } = await client.pty_read_screen({ session_id });
  const measured = { poll: [], http: [], cli: [], tmux: [] };
  const time = async (into, run) => {
    const began = performance.now();
    await run();
    into.push(performance.now() - began);
  };
  for (let i = 0; i < CYCLES; i++)
    await time(measured.poll, () => client.pty_read_screen({ session_id, since_hash: hash }));
  for (let i = 0; i < CYCLES; i++) {
    const text = `word${i}`;
    await time(measured.http, () => client.pty_send({ session_id, text: `o${text}\x1b`, then: { any: [{ text }] } }));
    await time(measured.cli, () =>
      spawnSync(
        process.execPath,
        [BIN, "send", session_id, "--text", `ocli${text}\x1b`, "--wait-text", `cli${text}`, "--see"],
        { env },
      ),
    );
    await time(measured.tmux, () => {
      tmux("send-keys", "-t", "vim", `o${text}`, "Escape");
      // tmux cannot wait: it is asked until the text is there.
      while (!tmux("capture-pane", "-p", "-t", "vim").includes(text));
    });
  }
  const ms = (values) => [0.5, 0.95].map((q) => quantile(values, q).toFixed(2));
  const node = quantile(
    Array.from({ length: 15 }, () => nodeStart()),
    0.5,
  ).toFixed(0);
  table(
    ["over the wire", "p50 ms", "p95 ms"],
    [
      ["unchanged poll, HTTP on the unix socket", ...ms(measured.poll)],
      ["act + wait + see in vim, HTTP, one call", ...ms(measured.http)],
      [`the same by the CLI, one process (bare node: ${node} ms)`, ...ms(measured.cli)],
      ["tmux send-keys, then capture-pane until it is there", ...ms(measured.tmux)],
    ],
  );
}

function nodeStart() {
  const began = performance.now();
  spawnSync(process.execPath, ["-e", "0"]);
  return performance.now() - began;
}

export async function run() {
  engineCosts();
  console.log();
  await withStand(cycles);
}
