// The daemon in the foreground: a child process with this terminal's output.
import { spawn } from "node:child_process";
import { resolve as absolute } from "node:path";
import { DAEMON_MAIN } from "../../package.ts";
import { wrongBrokerUrl } from "../../protocol/plain/fleet/broker-url.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { type Listening, listeningOf } from "../../protocol/plain/listening.ts";
import { UsageError } from "../args.ts";
import { parseLocal } from "../local-args.ts";

export function serveHere(home: Home, words: readonly string[]): Promise<number> {
  const { fleet, ...values } = parseLocal("serve", words).values;
  const listening = listeningOf(values);
  const wrong = typeof listening === "string" ? listening : fleet === undefined ? undefined : wrongFleet(fleet);
  if (wrong !== undefined) throw new UsageError(`${wrong} (duetty serve --help)`);
  const env = { ...process.env, DUETTY_HOME: home.dir, DUETTY_SESSION_ID: undefined, DUETTY_TOKEN: undefined };
  const child = spawn(
    process.execPath,
    [DAEMON_MAIN, ...wordsFor(listening as Listening | undefined), ...(fleet === undefined ? [] : ["--fleet", fleet])],
    { stdio: "inherit", env },
  );
  // Ctrl+C reaches the child too. It ends in order and we follow.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  return new Promise((resolve) => child.on("exit", (code) => resolve(code ?? 1)));
}

function wrongFleet(url: string): string | undefined {
  const wrong = wrongBrokerUrl(url);
  return wrong === undefined ? undefined : `--fleet ${wrong}`;
}

/** A daemon that is started again stands in another folder. */
function wordsFor(listening: Listening | undefined): string[] {
  if (!listening) return [];
  const { host, port, tls } = listening;
  const own =
    tls === "self-signed" ? ["--self-signed"] : ["--tls-cert", absolute(tls.cert), "--tls-key", absolute(tls.key)];
  return ["--host", host, "--port", String(port), ...own];
}
