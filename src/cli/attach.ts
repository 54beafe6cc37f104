// A session in this terminal: raw mode, bytes both ways. Owns: this terminal's state, given back whatever happens.
// Refuses: to interpret output. The terminal's own answers to queries are not typed: the session's engine answers.
import { parseArgs } from "node:util";
import { WebSocket } from "ws";
import { clientOver } from "../client/client.ts";
import { unixTransport } from "../client/local.ts";
import { EXIT } from "../protocol/exit.ts";
import type { Home } from "../protocol/home.ts";
import type { ToViewer } from "../protocol/stream.ts";
import { UsageError } from "./args.ts";
import { findSession } from "./find.ts";
import { identityFrom } from "./identity.ts";
import { withoutReplies } from "./replies.ts";
import { checkFits, TerminalState, terminalSize } from "./terminal-state.ts";

/** Ctrl+\ */
const DETACH = 0x1c;

export async function attach(home: Home, words: string[]): Promise<number> {
  const { values, positionals } = parse(words);
  const [ref] = positionals;
  if (ref === undefined) throw new UsageError("attach needs SESSION (duetty attach --help)");
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new UsageError("attach needs a terminal; use see and send");
  const identity = identityFrom(home, undefined);
  const client = clientOver(unixTransport(home, () => identityFrom(home, undefined)));
  const info = await findSession(home, client, ref);
  if (values.fit) await client.pty_resize({ session_id: info.session_id, ...terminalSize() });
  else if (info.sizing !== "follow") checkFits(info);
  const query = values.watch ? "role=watch&paint=screen" : "paint=screen";
  const socket = new WebSocket(`ws+unix://${home.daemonSocket}:/v1/sessions/${info.session_id}/terminal?${query}`, {
    headers: { authorization: `Bearer ${identity.token}` },
    perMessageDeflate: false,
  });
  return use(socket, values.watch === true);
}

function parse(words: string[]) {
  const options = { watch: { type: "boolean" }, fit: { type: "boolean" } } as const;
  try {
    return parseArgs({ args: words, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(String(error));
  }
}

function use(socket: WebSocket, watching: boolean): Promise<number> {
  const { stdout } = process;
  return new Promise((resolve) => {
    const terminal = new TerminalState((code) => {
      socket.terminate();
      resolve(code);
    });
    const leave = (message: string, code: number) => terminal.giveBack(message, code);
    socket.on("open", () => {
      terminal.take((bytes) => {
        if (bytes.includes(DETACH)) return leave("detached; the session goes on", EXIT.ok);
        const typed = withoutReplies(bytes);
        if (!watching && typed.length > 0) socket.send(typed);
      });
      stdout.on("resize", () => tellSize(socket));
      tellSize(socket);
    });
    socket.on("message", (data: Buffer, binary: boolean) => {
      if (binary) return void stdout.write(data);
      const message = JSON.parse(data.toString()) as ToViewer;
      if (message.type === "exit") setTimeout(() => leave(ending(message), EXIT.ok), 20);
    });
    socket.on("error", (error) => leave(`connection failed: ${error.message}`, EXIT.error));
    socket.on("close", () => leave("the daemon went away; duetty attach comes back to the session", EXIT.error));
  });
}

function tellSize(socket: WebSocket): void {
  socket.send(JSON.stringify({ type: "resize", ...terminalSize() }));
}

function ending({ exit_code, signal }: Extract<ToViewer, { type: "exit" }>): string {
  return signal ? `ended by ${signal}` : `exited with ${exit_code}`;
}
