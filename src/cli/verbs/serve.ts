// The daemon in the foreground: a child process with this terminal's output.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Home } from "../../protocol/plain/home.ts";
import { parseLocal } from "../local-args.ts";

export function serveHere(home: Home, words: readonly string[]): Promise<number> {
  parseLocal("serve", words);
  const main = fileURLToPath(new URL("../../serve/main.js", import.meta.url));
  const env = { ...process.env, DUETTY_HOME: home.dir, DUETTY_SESSION_ID: undefined, DUETTY_TOKEN: undefined };
  const child = spawn(process.execPath, [main], { stdio: "inherit", env });
  // Ctrl+C reaches the child too. It ends in order and we follow.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  return new Promise((resolve) => child.on("exit", (code) => resolve(code ?? 1)));
}
