// A session that printed 1 GB: how long a search for one line takes, the newest, the oldest and one between; against grep on the
// same journal. The first search also divides the journal into pieces.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { table, withStand } from "./stand.mjs";

export const question = "How long does it take to find any line of 1 GB of output? (ms)";

const LINES = 10_000_000;
/** 104 bytes with its end. */
const PRINT = `seq -f 'line %09.0f of the build: compiling one more module with all of its dependencies and every warning shown' 1 ${LINES}`;
const TIMES = 5;

export async function run() {
  await withStand(async ({ client, dir, home }) => {
    const { session_id } = await client.pty_open({ command: ["sh", "-c", PRINT], cwd: dir });
    await client.pty_wait({ session_id, any: [{ exit: true }], timeout_ms: 600_000 });
    const journal = join(home.sessions, session_id, "output.raw");
    const rows = [];
    rows.push([
      "the first search, for the newest line",
      (await timed(() => find(client, session_id, LINES))).toFixed(0),
    ]);
    for (const [name, line] of Object.entries({ newest: LINES, middle: LINES >> 1, oldest: 1 })) {
      const ours = [];
      const theirs = [];
      for (let i = 0; i < TIMES; i += 1) {
        ours.push(await timed(() => find(client, session_id, line)));
        theirs.push(await timed(() => grep(journal, line)));
      }
      rows.push([`the ${name} line`, Math.min(...ours).toFixed(1), Math.min(...theirs).toFixed(1)]);
    }
    table(
      ["", "duetty, best", "grep -F, best"],
      rows.map((row) => [...row, ""].slice(0, 3)),
    );
  });
}

const words = (line) => `line ${String(line).padStart(9, "0")} of`;

async function find(client, session_id, line) {
  const { matches } = await client.search({ session_id, query: words(line), limit: 1 });
  if (matches.length !== 1 || matches[0].line !== line - 1) throw new Error(`not found: line ${line}`);
}

const grep = (journal, line) => execFileSync("grep", ["-F", "-m", "1", words(line), journal]);

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
