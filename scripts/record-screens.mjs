// Records test/fixtures/screens: real programs run by the built product, its journal and what it showed. Usage, as root
// (the programs run in name spaces of their own, so no recording knows this machine): node scripts/record-screens.mjs
// [NAME…]. Replaying needs none of these programs.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withStand } from "../bench/stand.mjs";
import { DEMO, prepareDemo } from "./record/demo.mjs";
import { fullScreenScenes } from "./record/scenes-full.mjs";
import { lineScenes } from "./record/scenes-line.mjs";

const SCREENS = fileURLToPath(new URL("../test/fixtures/screens/", import.meta.url));
const RAW_BYTES_MAX = 120 * 1024;
const WAIT_MS_MAX = 15_000;
/** What must never be in a recording: it would tell about the machine it was made on. */
const PRIVATE = [
  ...[process.cwd(), homedir()].map((folder) => new RegExp(`${folder}\\b`)),
  new RegExp(`\\b${readFileSync("/etc/hostname", "utf8").trim()}\\b`),
];
/** Host name, processes and time of day are the demo's own. */
const ISOLATE = ["unshare", "-u", "-p", "-f", "--mount-proc", "sh", "-c", 'hostname demo; exec "$@"', "demo"];
const ENVIRONMENT = {
  PATH: "/usr/local/bin:/usr/bin:/bin:/usr/games",
  HOME: DEMO,
  LANG: "C.UTF-8",
  LC_ALL: "C.UTF-8",
  TZ: "UTC",
  PS1: "$ ",
  SHELL: "/bin/bash",
  USER: "demo",
  LOGNAME: "demo",
  NODE: process.execPath,
};

const wanted = process.argv.slice(2);
const scenes = [...fullScreenScenes, ...lineScenes].filter(({ name }) => wanted.length === 0 || wanted.includes(name));
if (existsSync(DEMO)) throw new Error(`${DEMO} exists: it may be somebody's; remove it first`);
try {
  await withStand(async (stand) => {
    for (const scene of scenes) await record(stand, scene);
  });
} finally {
  rmSync(DEMO, { recursive: true, force: true });
}

async function record({ client, home }, scene) {
  prepareDemo();
  const { session_id } = await client.pty_open({
    command: [...ISOLATE, ...scene.command],
    cwd: DEMO,
    base_env: { ...ENVIRONMENT, ...scene.env },
    cols: scene.cols,
    rows: scene.rows,
  });
  const samples = [];
  let resizeCount = 0;
  for (const step of scene.steps) {
    const screen = await take(client, session_id, step, scene.name);
    if (screen) samples.push({ ...screen, resizes: resizeCount });
    else resizeCount += 1;
  }
  const folder = join(home.sessions, session_id);
  const last = await client.pty_read_screen({ session_id });
  samples.push({ ...last, resizes: resizeCount });
  const raw = readFileSync(join(folder, "output.raw")).subarray(0, last.cursor_bytes);
  const resizes = resizesOf(join(folder, "records.jsonl"), last.cursor_bytes);
  await client.pty_close({ session_id });
  write(scene, raw, resizes, samples);
}

/** One step; answers with the screen when the step ends in one. */
async function take(client, session_id, step, name) {
  if (step.resize) {
    const [cols, rows] = step.resize;
    await client.pty_resize({ session_id, cols, rows });
    return undefined;
  }
  if (step.pause) {
    await new Promise((resolve) => setTimeout(resolve, step.pause));
    return client.pty_read_screen({ session_id });
  }
  const any = step.see ? [{ regex: step.see }] : step.exit ? [{ exit: true }] : [{ settled_ms: step.settle ?? 250 }];
  const wait = { any, timeout_ms: WAIT_MS_MAX };
  const input = { text: step.text, keys: step.keys };
  const typed = step.text !== undefined || step.keys !== undefined;
  const { outcome, screen } = typed
    ? await client.pty_send({ session_id, ...input, then: wait })
    : await client.pty_wait({ session_id, ...wait });
  if (outcome !== "matched" && outcome !== "exited")
    console.error(`${name}: ${JSON.stringify(step)}: ${outcome}\n${screen.rows.join("\n")}`);
  return screen;
}

function resizesOf(path, end) {
  // The file begins with its first record.
  const lines = existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ kind, cursor }) => kind === "resize" && cursor <= end)
    .map(({ cursor, cols, rows }) => ({ cursor, cols, rows }));
}

function write(scene, raw, resizes, samples) {
  const text = raw.toString("latin1");
  const leak = PRIVATE.find((pattern) => pattern.test(text));
  if (leak) throw new Error(`${scene.name}: the recording matches ${leak}`);
  if (raw.length > RAW_BYTES_MAX) throw new Error(`${scene.name}: ${raw.length} bytes`);
  // Two samples at one cursor can differ by a resize between them.
  const screens = [...new Map(samples.map((screen) => [`${screen.cursor_bytes} ${screen.resizes}`, screen])).values()];
  const folder = join(SCREENS, scene.name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "raw"), raw);
  const { cols, rows } = scene;
  const size = { cols, rows, resizes, cursors: [...new Set(screens.map((screen) => screen.cursor_bytes))] };
  writeFileSync(join(folder, "size.json"), `${JSON.stringify(size)}\n`);
  writeFileSync(join(folder, "screen.txt"), screens.map(section).join(""));
  console.log(`${scene.name}: ${raw.length} bytes, ${screens.length} screens, ${resizes.length} resizes`);
}

function section(screen) {
  const { cursor_bytes: cursor, resizes, cols, rows_count: rows, cursor: at, title, alt_screen } = screen;
  const head = { cursor, resizes, cols, rows, row: at.row, col: at.col, visible: at.visible, alt_screen, title };
  return `=== ${JSON.stringify(head)}\n${screen.rows.map((row) => `${row.trimEnd()}\n`).join("")}`;
}
