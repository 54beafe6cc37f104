// The view of a session in this whole terminal: the program's output draws here as it is, without what would act on the terminal,
// and keys go to the program unchanged. There is no status line; only Ctrl+\ is ours. The terminal's answers to queries are not
// typed, because the session's engine answers.
import type { WebSocket } from "ws";
import { EXIT } from "../../protocol/plain/exit.ts";
import type { ToViewer } from "../../protocol/stream.ts";
import { DrawnOutput } from "../text/drawn-output.ts";
import { withoutReplies } from "../text/terminal-replies.ts";
import { ending, TerminalState, terminalSize } from "../text/terminal-state.ts";

/** Ctrl+\, and the same from a terminal whose program asked for kitty's keys. */
const DETACH = 0x1c;
const DETACH_KITTY = "\x1b[92;5u";

export function attachRaw(socket: WebSocket, role: "input" | "watch"): Promise<number> {
  const { stdout } = process;
  const output = new DrawnOutput();
  return new Promise((resolve) => {
    const terminal = new TerminalState((code) => {
      socket.terminate();
      resolve(code);
    });
    const leave = (message: string, code: number) => terminal.giveBack(message, code);
    socket.on("open", () => {
      terminal.take((bytes) => {
        if (bytes.includes(DETACH) || bytes.includes(DETACH_KITTY))
          return leave("detached; the session keeps running", EXIT.ok);
        const typed = withoutReplies(bytes);
        if (role === "input" && typed.length > 0) socket.send(typed);
      });
      stdout.on("resize", () => tellSize(socket));
      tellSize(socket);
    });
    socket.on("message", (data: Buffer, binary: boolean) => {
      if (binary) return void stdout.write(output.pass(data));
      const message = JSON.parse(data.toString()) as ToViewer;
      if (message.type === "exit") setTimeout(() => leave(ending(message), EXIT.ok), 20);
    });
    socket.on("error", (error) => leave(`connection failed: ${error.message}`, EXIT.error));
    socket.on("close", () =>
      leave("the connection to duetty was lost; duetty attach returns to the session", EXIT.error),
    );
  });
}

function tellSize(socket: WebSocket): void {
  socket.send(JSON.stringify({ type: "resize", ...terminalSize(), asks: true }));
}
