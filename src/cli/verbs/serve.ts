// The daemon in the foreground: a child process with this terminal's output.
import { spawn } from "node:child_process";
import { resolve as absolute } from "node:path";
import { DAEMON_MAIN } from "../../package.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { type Listening, listeningOf } from "../../protocol/plain/listening.ts";
import { UsageError } from "../args.ts";
import { parseLocal } from "../local-args.ts";

export function serveHere(home: Home, words: readonly string[]): Promise<number> {
  const listening = listeningOf(parseLocal("serve", words).values);
  if (typeof listening === "string") throw new UsageError(`${listening} (duetty serve --help)`);
  const env = { ...process.env, DUETTY_HOME: home.dir, DUETTY_SESSION_ID: undefined, DUETTY_TOKEN: undefined };
  const child = spawn(process.execPath, [DAEMON_MAIN, ...wordsFor(listening)], { stdio: "inherit", env });
  // Ctrl+C reaches the child too. It ends in order and we follow.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  return new Promise((resolve) => child.on("exit", (code) => resolve(code ?? 1)));
}

/** A daemon that is started again stands in another folder. */
function wordsFor(listening: Listening | undefined): string[] {
  if (!listening) return [];
  const { host, port, tls } = listening;
  const own =
    tls === "self-signed" ? ["--self-signed"] : ["--tls-cert", absolute(tls.cert), "--tls-key", absolute(tls.key)];
  return ["--host", host, "--port", String(port), ...own];
}
