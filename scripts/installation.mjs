// An installation of duetty for scripts that show it: a daemon with a home folder of its own, and clients of it.
// Owns: the daemon. Refuses: to make or remove folders.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { clientOver } from "../build/client/client.js";
import { unixTransport } from "../build/client/local.js";
import { homeOf } from "../build/protocol/plain/home.js";

const MAIN = fileURLToPath(new URL("../dist/serve/main.js", import.meta.url));
export const BIN = fileURLToPath(new URL("../bin/duetty.js", import.meta.url));
/** Anything that a script waits for happens within this time, even on a busy machine. */
export const SOON_MS = 20_000;
const POLL_MS = 50;

export async function until(what, holds) {
  for (const end = Date.now() + SOON_MS; !(await holds()); await delay(POLL_MS))
    if (Date.now() > end) throw new Error(`${what} did not happen in time`);
}

/** The environment of a place of its own: nothing of the session or of the `npm run` that this may run in. */
export function environmentIn(place) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:npm_|DUETTY_)/.test(name));
  const own = { HOME: place, DUETTY_HOME: join(place, ".duetty"), SHELL: "/bin/bash" };
  return { ...Object.fromEntries(inherited), ...own, npm_config_update_notifier: "false" };
}

/** `env` has HOME and DUETTY_HOME. */
export async function install(env) {
  const home = homeOf(env);
  const daemon = spawn(process.execPath, [MAIN], { env, stdio: ["ignore", "ignore", "inherit"] });
  const token = (file) => readFileSync(file, "utf8").trim();
  const as = (file, name) => clientOver(unixTransport(home, () => ({ token: token(file), as: name })));
  await until("the start of the daemon", () => existsSync(home.httpFile));
  const person = as(home.personToken);
  const isUp = () =>
    person.status({}).then(
      () => true,
      () => false,
    );
  await until("the daemon's first answer", isUp);
  return {
    home,
    person,
    agent: (name) => as(home.agentToken, `agent:${name}`),
    personToken: () => token(home.personToken),
    address: () => `http://127.0.0.1:${JSON.parse(readFileSync(home.httpFile, "utf8")).port}/`,
    async close() {
      // The daemon may be gone already; its sessions are not.
      if (daemon.exitCode === null) await person.shutdown({}).catch(() => daemon.kill());
      else execFileSync(process.execPath, [BIN, "shutdown"], { env });
    },
  };
}
