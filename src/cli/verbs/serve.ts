// The daemon in the foreground: a child process with this terminal's output.
import { spawn } from "node:child_process";
import { DAEMON_MAIN } from "../../package.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { parseLocal } from "../local-args.ts";

export function serveHere(home: Home, words: readonly string[]): Promise<number> {
  parseLocal("serve", words);
  const env = { ...process.env, DUETTY_HOME: home.dir, DUETTY_SESSION_ID: undefined, DUETTY_TOKEN: undefined };
  const child = spawn(process.execPath, [DAEMON_MAIN], { stdio: "inherit", env });
  // Ctrl+C reaches the child too. It ends in order and we follow.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  return new Promise((resolve) => child.on("exit", (code) => resolve(code ?? 1)));
}
