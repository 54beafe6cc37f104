// A command that prints 50 MB: how long after its end the run is answered, and how long any ten of its lines take; against the
// plain program, and tail and sed on a file with the same output.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { table, withStand } from "./stand.mjs";

export const question = "How long do the run and any ten lines of a 50 MB output take? (ms)";

const LINES = 500_000;
/** 103 bytes a line with its end, as a verbose build prints them. */
const PRINT = `seq -f 'line %08.0f of the build: compiling one more module with all of its dependencies and every warning shown' 1 ${LINES}`;
const PLACES = [0, 1_000, LINES / 2, 314_158, LINES - 10];
const TIMES = 5;

export async function run() {
  await withStand(async ({ client, dir }) => {
    const rows = [];
    for (const shell of ["bash", "zsh", "fish"]) {
      const { session_id } = await client.pty_open({ shell: `/usr/bin/${shell}`, cwd: dir, env: { HOME: dir } });
      await client.pty_wait({ session_id, any: [{ prompt: true }] });
      const ran = await client.run_command({ session_id, command: PRINT, timeout_ms: 600_000 });
      const answered = Date.now();
      const { block } = await client.block({ block_id: ran.block_id, lines: "0:0" });
      rows.push([`${shell}: the command itself`, block.duration_ms.toFixed(0)]);
      rows.push([`${shell}: run, after the command's end`, (answered - block.ts_end).toFixed(0)]);
      for (const from of PLACES) {
        const took = [];
        for (let i = 0; i < TIMES; i += 1) took.push(await timed(() => tenLines(client, ran.block_id, from)));
        rows.push([
          `${shell}: lines ${from} to ${from + 9}`,
          Math.min(...took).toFixed(1),
          Math.max(...took).toFixed(1),
        ]);
      }
      await client.pty_close({ session_id });
    }
    const file = join(dir, "same.txt");
    rows.push(["the program into a file", (await timed(() => sh(`${PRINT} > ${file}`))).toFixed(0)]);
    rows.push([
      `sed: lines ${LINES / 2} to …`,
      (await timed(() => sh(`sed -n '${LINES / 2},+9p;${LINES / 2 + 10}q' ${file}`))).toFixed(1),
    ]);
    rows.push(["tail: the last ten", (await timed(() => sh(`tail -n 10 ${file}`))).toFixed(1)]);
    table(
      ["", "best", "worst"],
      rows.map((row) => [...row, ""].slice(0, 3)),
    );
  });
}

async function tenLines(client, block_id, from) {
  const { content, lines_total } = await client.block({ block_id, lines: `${from}:${from + 9}` });
  const first = `line ${String(from + 1).padStart(8, "0")} `;
  if (lines_total !== LINES || !content.startsWith(first) || content.split("\n").length !== 10)
    throw new Error(`wrong lines: ${content.slice(0, 80)} of ${lines_total}`);
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const sh = (line) => execFileSync("sh", ["-c", line]);
