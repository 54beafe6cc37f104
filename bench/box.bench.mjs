// What a box costs: an agent's line in a person's shell, and a session that an agent opens, with boxes and without, in turn.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BIN, quantile, table, withStand } from "./stand.mjs";

export const question = "What does a box cost a line (10 ms at most) and an opening (20 ms at most)? (ms, medians)";

const LINES = 200;
const OPENINGS = 40;

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), "dtb-work-"));
  try {
    await withStand((boxed) => withStand((plain) => compare(boxed, plain, folder), BIN, { box: { agents: false } }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(boxed, plain, folder) {
  const rows = [];
  for (const shell of ["bash", "zsh", "fish"])
    rows.push(
      await inTurn(`a line, ${shell}`, LINES, await liner(boxed, shell, folder), await liner(plain, shell, folder)),
    );
  rows.push(await inTurn("opening to the first prompt, bash", OPENINGS, opener(boxed, folder), opener(plain, folder)));
  table(["", "boxed", "plain", "more"], rows);
}

async function inTurn(name, times, boxed, plain) {
  const took = { boxed: [], plain: [] };
  for (let i = 0; i < times; i++) {
    took.boxed.push(await boxed(i));
    took.plain.push(await plain(i));
  }
  const [a, b] = [quantile(took.boxed, 0.5), quantile(took.plain, 0.5)];
  return [name, a.toFixed(1), b.toFixed(1), (a - b).toFixed(1)];
}

async function liner({ client, agent, dir }, shell, folder) {
  const { session_id } = await client.pty_open({ shell: `/usr/bin/${shell}`, cwd: folder, env: { HOME: dir } });
  await client.pty_wait({ session_id, any: [{ prompt: true }] });
  const caller = agent();
  return async (i) => {
    const began = performance.now();
    const ran = await caller.run_command({ session_id, command: `echo ${i}` });
    if (ran.output.head !== String(i)) throw new Error(`wrong output: ${JSON.stringify(ran)}`);
    return performance.now() - began;
  };
}

function opener({ agent }, folder) {
  const caller = agent();
  return async () => {
    const began = performance.now();
    const { session_id } = await caller.pty_open({ command: ["/bin/bash", "--norc", "-i"], cwd: folder });
    await caller.pty_wait({ session_id, any: [{ prompt: true }] });
    const took = performance.now() - began;
    await caller.pty_close({ session_id });
    return took;
  };
}
