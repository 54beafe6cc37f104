// A session in this terminal: raw mode, bytes both ways. Owns: this terminal's state, given back whatever happens.
// Refuses: to interpret output. The terminal's own answers to queries are not typed: the session's engine answers.
import { parseArgs } from "node:util";
import { WebSocket } from "ws";
import { CallError, type Client, clientOver } from "../client/client.ts";
import { isAbsent, startDaemon, unixTransport } from "../client/local.ts";
import { EXIT } from "../protocol/exit.ts";
import type { Home } from "../protocol/home.ts";
import type { SessionInfo } from "../protocol/session.ts";
import type { ToViewer } from "../protocol/stream.ts";
import { UsageError } from "./args.ts";
import { identityFrom } from "./identity.ts";
import { withoutReplies } from "./replies.ts";

/** Ctrl+\ */
const DETACH = 0x1c;
/** Leaves whatever the program switched on: alternate screen, mouse, paste, kitty keys, hidden cursor, colours. */
const RESTORE =
  "\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?2026l\x1b[?1l\x1b>\x1b[<u\x1b[r\x1b[?25h\x1b[m\r\n";

export async function attach(home: Home, words: string[]): Promise<number> {
  const { values, positionals } = parse(words);
  const [ref] = positionals;
  if (ref === undefined) throw new UsageError("attach needs SESSION (duetty attach --help)");
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new UsageError("attach needs a terminal; use see and send");
  const identity = identityFrom(home, undefined);
  const client = clientOver(unixTransport(home, () => identityFrom(home, undefined)));
  const info = await find(home, client, ref);
  if (values.fit) await client.pty_resize({ session_id: info.session_id, ...size() });
  else checkSize(info);
  const query = values.watch ? "role=watch&paint=screen" : "paint=screen";
  const socket = new WebSocket(`ws+unix://${home.daemonSocket}:/v1/sessions/${info.session_id}/terminal?${query}`, {
    headers: { authorization: `Bearer ${identity.token}` },
    perMessageDeflate: false,
  });
  return use(socket, values.watch === true);
}

async function find(home: Home, client: Client, ref: string): Promise<SessionInfo> {
  const ask = async () => {
    const { session } = await client.status({ session_id: ref });
    if (!session) throw new Error("the daemon did not say which session that is");
    return session;
  };
  try {
    return await ask();
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  await startDaemon(home);
  return ask();
}

/** A larger screen than this terminal's cannot be shown here byte by byte. */
function checkSize(info: SessionInfo): void {
  const { cols, rows } = size();
  if (info.sizing === "follow" || (info.cols <= cols && info.rows <= rows)) return;
  throw new CallError({
    code: "input.invalid",
    message: `the session is ${info.cols}x${info.rows}, this terminal only ${cols}x${rows}`,
    hint: "Enlarge the terminal, use the page, or give the session this size with --fit.",
  });
}

function parse(words: string[]) {
  const options = { watch: { type: "boolean" }, fit: { type: "boolean" } } as const;
  try {
    return parseArgs({ args: words, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(String(error));
  }
}

function size(): { cols: number; rows: number } {
  return { cols: process.stdout.columns || 80, rows: process.stdout.rows || 24 };
}

function use(socket: WebSocket, watching: boolean): Promise<number> {
  const { stdin, stdout } = process;
  return new Promise((resolve) => {
    let over = false;
    const leave = (message: string, code: number) => {
      if (over) return;
      over = true;
      socket.terminate();
      stdin.setRawMode(false);
      stdin.pause();
      stdout.write(`${RESTORE}[${message}]\n`);
      resolve(code);
    };
    // Whatever ends us, the terminal is given back.
    process.on("exit", () => leave("detached", EXIT.ok));
    for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) process.on(signal, () => leave("detached", EXIT.ok));
    process.on("uncaughtException", (error) => leave(`failed: ${error.message}`, EXIT.error));
    socket.on("open", () => {
      stdin.setRawMode(true);
      stdin.on("data", (bytes: Buffer) => {
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
  socket.send(JSON.stringify({ type: "resize", ...size() }));
}

function ending({ exit_code, signal }: Extract<ToViewer, { type: "exit" }>): string {
  return signal ? `ended by ${signal}` : `exited with ${exit_code}`;
}
