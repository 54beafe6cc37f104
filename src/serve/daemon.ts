// The daemon: the machine (compose.ts) and the ways into it. Owns: servers, sockets and the end of it all.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { isFault } from "../core/base/fault.ts";
import { appendPrivately } from "../host/disk/private.ts";
import { connectHolder, type HolderLink } from "../host/holder/link.ts";
import { endOrphans } from "../host/process/child-tree.ts";
import { DAEMON_MAIN, HOLDER_MAIN } from "../package.ts";
import type { Home } from "../protocol/plain/home.ts";
import type { Listening } from "../protocol/plain/listening.ts";
import { HOLDER_PROTOCOL } from "../protocol/plain/version.ts";
import { endLeftAgents } from "./acp/left-agents.ts";
import { readConfig } from "./config.ts";
import { Servers } from "./http/servers.ts";
import { type Remote, remoteOf } from "./http/tls.ts";
import { Tries } from "./http/tries.ts";
import type { Log } from "./log.ts";
import { openMachine, type RunningMachine } from "./machine.ts";
import { markerIn, SESSION_VARIABLE } from "./markers.ts";
import type { McpEndpoint } from "./mcp/endpoint.ts";
import type { Inside } from "./mcp/inside.ts";

/** A holder that was just started listens within this time, even on a loaded machine. */
const HOLDER_START_MS = 10_000;
const HOLDER_POLL_MS = 15;
const NO_WAY = { close: () => undefined };

interface Daemon {
  readonly port: number;
  /** Where other machines reach it. */
  readonly remote: Remote | undefined;
  /** Called once when the daemon has ended, by request or because its holder is gone. */
  whenOver(run: () => void): void;
  stop(what: "daemon" | "everything"): Promise<number>;
}

interface Told {
  /** `again`: there is a holder, or the home is gone and nobody wants a daemon. */
  readonly start: "first" | "again";
  readonly listening: Listening | undefined;
  /** What the next daemon is told, if this one dies. */
  readonly words: readonly string[];
  /** Of the fleet's broker, instead of the one that is kept. */
  readonly fleetUrl: string | undefined;
  readonly log: Log;
}

export async function startDaemon(home: Home, env: NodeJS.ProcessEnv, told: Told): Promise<Daemon> {
  const { log } = told;
  const remote = told.listening && remoteOf(told.listening, home, Date.now());
  let holder: HolderLink | undefined;
  let servers: Servers | undefined;
  let over = (): void => undefined;
  let ending: Promise<number> | undefined;
  // The holder's end, which it brings about itself, is no reason to begin again.
  const stop = (what: "daemon" | "everything") => (ending ??= end(what));
  const port = () => servers?.port ?? 0;
  const machine = await openMachine({
    ...{ home, env, log, fleetUrl: told.fleetUrl },
    holder: async () => {
      holder = await connectOrStart(home, env, told);
      if (fs.existsSync(home.httpFile)) await endLeftAgents(home.dir);
      return holder;
    },
    ways: {
      port,
      ports: () => [port(), remote?.port ?? 0],
      origin: ([first]) => first ?? remote?.url ?? `http://127.0.0.1:${port()}`,
      listenAt: (path) => servers?.listenAt(path) ?? NO_WAY,
      shutdown: stop,
    },
  });
  const mcp = mcpWhenUsed({ ...machine, home });

  async function end(what: "daemon" | "everything"): Promise<number> {
    const closed = await machine.end(what, async () => {
      if (what === "everything") await holder?.shutdown();
      else holder?.leave();
    });
    // The answer to the call that asked for this is still to be sent.
    setImmediate(() => {
      mcp.close();
      servers?.close();
      over();
    });
    return closed;
  }

  servers = new Servers({ ...machine, home, mcp: mcp.endpoint, tries: new Tries() });
  await servers.listen(remote);
  machine.begin();
  // Programs that do not heed the hang-up would run for ever, and nobody could end them.
  holder?.onLost(() => void endLeftPrograms(machine).finally(() => stop("daemon")));
  const whenOver = (run: () => void) => {
    over = run;
  };
  return { port: servers.port, remote, stop, whenOver };
}

/** The holder died, and its terminals with it. What is left of its sessions is found by its environment. */
function endLeftPrograms({ sessions }: RunningMachine): Promise<number> {
  const lost = new Set(sessions.list().flatMap(({ id, state }) => (state === "lost" ? [id] : [])));
  return endOrphans((environment) => lost.has(markerIn(environment) ?? ""));
}

/** The SDK is loaded with the first client that needs it. */
function mcpWhenUsed(inside: Inside) {
  let made: Promise<McpEndpoint> | undefined;
  const endpoint = () => {
    made ??= import("./mcp/endpoint.ts").then(({ McpEndpoint }) => new McpEndpoint(inside));
    return made;
  };
  return { endpoint, close: () => void made?.then((one) => one.close()) };
}

async function connectOrStart(home: Home, env: NodeJS.ProcessEnv, told: Told): Promise<HolderLink> {
  const start = { file: process.execPath, args: [DAEMON_MAIN, "again", ...told.words], env: given(env) };
  const { unread_mb, unread_beyond: beyond } = readConfig(home.config).journal;
  const hello = { protocol: HOLDER_PROTOCOL, start, unread: { bytes: unread_mb * 2 ** 20, beyond } };
  const running = await connectHolder(home.holderSocket, hello);
  if (isFault(running)) throw new Error(`${running.message}. ${running.hint}`);
  if (running) return running;
  if (told.start === "again") throw new Error("the holder that started this daemon is gone");
  const log = appendPrivately(`${home.run}/holder.log`);
  // A session's marker in its environment would make the holder a process of that session.
  // Node reads a company's certificates for 100 ms as it starts. The holder connects to nobody, and hands its environment to nobody.
  const clean = { ...env, DUETTY_HOME: home.dir, [SESSION_VARIABLE]: undefined, NODE_EXTRA_CA_CERTS: undefined };
  const child = spawn(process.execPath, [HOLDER_MAIN], {
    detached: true,
    stdio: ["ignore", log, log],
    env: clean,
    cwd: "/",
  });
  child.unref();
  fs.closeSync(log);
  const deadline = Date.now() + HOLDER_START_MS;
  while (Date.now() < deadline) {
    await pause(HOLDER_POLL_MS);
    const link = await connectHolder(home.holderSocket, hello);
    if (link && !isFault(link)) return link;
  }
  throw new Error(`the holder did not start; see ${home.run}/holder.log`);
}

/** As a child process gets it. */
function given(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
