// What many tools are made of: a PTY by node-pty and a screen by @xterm/headless, in one process. Ends when the command has ended
// and its last byte is on the screen.
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";

const screen = new xterm.Terminal({ cols: 120, rows: 40, allowProposedApi: true });
const child = spawn("sh", ["-c", process.argv[2] ?? "true"], { cols: 120, rows: 40 });
let [written, shown, ended] = [0, 0, false];
const look = () => {
  if (ended && shown === written) process.exit(0);
};
child.onData((data) => {
  written += 1;
  screen.write(data, () => {
    shown += 1;
    look();
  });
});
child.onExit(() => {
  ended = true;
  look();
});
