// The page: xterm.js draws, window.pty has the session.
const { Terminal, FitAddon, pty } = window;
const element = (id) => document.getElementById(id);

const terminal = new Terminal({ cursorBlink: true });
const fit = new FitAddon.FitAddon();
terminal.loadAddon(fit);
terminal.open(element("terminal"));
fit.fit();

const { sessionId } = await pty.create({ cols: terminal.cols, rows: terminal.rows });
const ours = (listener) => (event) => (event.sessionId === sessionId ? listener(event) : undefined);

// The promise tells when xterm.js has drawn it: a flood of output waits for this window, and for no other.
pty.onData(ours(({ data }) => new Promise((drawn) => terminal.write(data, drawn))));
pty.onExit(ours(({ exitCode }) => terminal.write(`\r\n[ended: ${exitCode}]\r\n`)));
terminal.onData((data) => pty.write({ sessionId, data }));
terminal.onBinary((data) => pty.write({ sessionId, data: Uint8Array.from(data, (char) => char.charCodeAt(0)) }));
terminal.onResize(({ cols, rows }) => pty.resize({ sessionId, cols, rows }));
new ResizeObserver(() => fit.fit()).observe(element("terminal"));
terminal.focus();

// An agent works in this session, too, and asks before it does what it may not do by itself.
let asked;
pty.onApproval(
  ours(({ approval }) => {
    asked = approval.state === "pending" ? approval : undefined;
    element("question").hidden = !asked;
    element("what").textContent = asked ? `${asked.actor} wants to run: ${asked.text}` : "";
  }),
);
for (const [id, answer] of [
  ["allow", "approve"],
  ["deny", "deny"],
]) {
  element(id).addEventListener("click", () => pty.answer({ sessionId, approvalId: asked.approval_id, answer }));
}
Object.assign(window, { terminal });
