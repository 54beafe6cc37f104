// Records the raw stream of a real agent CLI, with the states that a person saw: node scripts/record-agent.mjs FILE -- claude. Work
// with the agent as usual. Ctrl+] and then a letter notes the state from here on: s starting, w working, p permission, q question,
// a auth, i idle, d done, e error. FILE gets the bytes, FILE.json the program and the notes with their cursors and times. Look for
// secrets before you keep them.
import fs from "node:fs";
import { createRequire } from "node:module";

const STATES = {
  s: "starting",
  w: "working",
  p: "blocked permission",
  q: "blocked question",
  a: "blocked auth",
  i: "idle",
  d: "done",
  e: "error",
};
const MARK = 0x1d;
const [file, dashes, ...command] = process.argv.slice(2);
if (!file || dashes !== "--" || command.length === 0 || !process.stdin.isTTY) {
  console.error("Usage, in a terminal: node scripts/record-agent.mjs FILE -- PROGRAM ARGS…");
  process.exit(2);
}
const pty = createRequire(import.meta.url)("@lydell/node-pty");
const { columns: cols, rows } = process.stdout;
const out = fs.openSync(file, "wx", 0o600);
const notes = [{ cursor: 0, ms: 0, state: "starting" }];
const began = Date.now();
let cursor = 0;
let isMark = false;

const [program, ...args] = command;
const child = pty.spawn(program, args, { name: "xterm-256color", cols, rows, encoding: null });
child.onData((data) => {
  const bytes = Buffer.from(data);
  fs.writeSync(out, bytes);
  cursor += bytes.length;
  process.stdout.write(bytes);
});
process.stdin.setRawMode(true);
process.stdin.on("data", (bytes) => {
  for (const byte of bytes) {
    if (isMark) {
      const state = STATES[String.fromCharCode(byte)];
      if (state) notes.push({ cursor, ms: Date.now() - began, state });
      isMark = false;
    } else if (byte === MARK) isMark = true;
    else child.write(Buffer.from([byte]));
  }
});
process.stdout.on("resize", () => child.resize(process.stdout.columns, process.stdout.rows));
child.onExit(({ exitCode }) => {
  notes.push({ cursor, ms: Date.now() - began, state: exitCode === 0 ? "done" : "error" });
  fs.writeFileSync(`${file}.json`, `${JSON.stringify({ command, cols, rows, notes }, null, 2)}\n`, { mode: 0o600 });
  process.stdin.setRawMode(false);
  process.exit(0);
});
