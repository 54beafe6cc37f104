// A list of things to do: arrows move, Space marks, q leaves with the number of open ones as its code.
const items = ["write the program", "test it", "ship it"].map((text) => ({ text, done: false }));
let at = 0;

function draw() {
  const rows = items.map(({ text, done }, i) => {
    const line = `[${done ? "x" : " "}] ${text}`.padEnd(24);
    return `│ ${i === at ? `\x1b[7m${line}\x1b[m` : line} │`;
  });
  const open = items.filter(({ done }) => !done).length;
  const lines = ["┌─ To do ──────────────────┐", ...rows, "└──────────────────────────┘", `${open} open`];
  process.stdout.write(`\x1b[H\x1b[2J${lines.join("\r\n")}`);
}

process.stdin.setRawMode(true);
process.stdout.write("\x1b[?1049h\x1b[?25l");
draw();
process.stdin.on("data", (data) => {
  // Keys that are pressed quickly come in one piece.
  for (const key of data.toString().match(/\x1b\[.|./gs) ?? []) {
    if (key === "\x1b[A") at = Math.max(0, at - 1);
    if (key === "\x1b[B") at = Math.min(items.length - 1, at + 1);
    if (key === " ") items[at].done = !items[at].done;
    if (key === "q") {
      process.stdout.write("\x1b[?25h\x1b[?1049l");
      process.exit(items.filter(({ done }) => !done).length);
    }
  }
  draw();
});
