// The daemon: the machine (compose.ts) and the ways into it. Owns: servers, sockets and the end of it all.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { isFault } from "../core/base/fault.ts";
import { nodeClock } from "../host/clock.ts";
import { appendPrivately } from "../host/disk/private.ts";
import { makeGhostty } from "../host/engine/ghostty.ts";
import { connectHolder, type HolderLink } from "../host/holder/link.ts";
import { makeLookup } from "../host/lookup.ts";
import { endOrphans } from "../host/process/child-tree.ts";
import { DAEMON_MAIN, HOLDER_MAIN, packageFile } from "../package.ts";
import type { Home } from "../protocol/plain/home.ts";
import type { Listening } from "../protocol/plain/listening.ts";
import { HOLDER_PROTOCOL } from "../protocol/plain/version.ts";
import { endLeftAgents } from "./acp/left-agents.ts";
import { Audit } from "./audit.ts";
import { Auth } from "./auth.ts";
import { compose, type Machine } from "./compose.ts";
import { readConfig } from "./config.ts";
import { Guests } from "./guests.ts";
import { handlersFor } from "./handlers/handlers.ts";
import { Servers } from "./http/servers.ts";
import { type Remote, remoteOf } from "./http/tls.ts";
import { Tries } from "./http/tries.ts";
import { markerIn, SESSION_VARIABLE } from "./markers.ts";
import type { McpEndpoint } from "./mcp/endpoint.ts";
import type { Inside } from "./mcp/inside.ts";
import { metered } from "./meters.ts";
import { noticeFor } from "./needs/notices.ts";
import { boxLimits } from "./opening/box-limits.ts";
import { digits } from "./opening/open.ts";
import { operationsOf } from "./operations.ts";
import { type Pass, Passes } from "./pass/passes.ts";
import { Visits } from "./pass/visits.ts";
import { Peers } from "./peers.ts";

import type { Perform } from "./perform.ts";
import { Push } from "./push/push.ts";
import { Secrets } from "./secrets.ts";
import { UnderWay } from "./under-way.ts";

/** A holder that was just started listens within this time, even on a loaded machine. */
const HOLDER_START_MS = 10_000;
const HOLDER_POLL_MS = 15;
/** A disk that takes longer for a few small files is broken; nobody waits for it to end. */
const LAST_WRITES_MS = 5_000;
const NO_WAY = { close: () => undefined };
const WEB_ROOT = packageFile("dist/web");

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
}

export async function startDaemon(home: Home, env: NodeJS.ProcessEnv, told: Told): Promise<Daemon> {
  // What is planted in their place is found before anything is started.
  const visits = new Visits();
  const passes = new Passes({ path: home.passes, clock: nodeClock, newId: () => `k_${digits(8)}` });
  const auth = new Auth(home, (name) => machine.agents.owns(name), passes);
  const audit = new Audit(`${home.run}/audit.log`);
  const remote = told.listening && remoteOf(told.listening, home, Date.now());
  const holder = await connectOrStart(home, env, told);
  if (fs.existsSync(home.httpFile)) await endLeftAgents(home.dir);
  let servers: Servers | undefined;
  const httpPort = () => servers?.port ?? 0;
  const secrets = new Secrets(auth, readConfig(home.config).redact, env);
  const listenAt = (path: string) => servers?.listenAt(path) ?? NO_WAY;
  const asks = { ownPorts: () => [httpPort(), remote?.port ?? 0], listenAt, eyes: secrets.eyes };
  const machine = await compose(home, env, holder, { ...asks, perform: (...ask) => perform(...ask) });
  const push = pushOf(home, passes, machine, secrets.eyes, { visits, audit });
  let over = (): void => undefined;
  let ending: Promise<number> | undefined;
  // The holder's end, which it brings about itself, is no reason to begin again.
  const stop = (what: "daemon" | "everything") => (ending ??= end(what));

  async function end(what: "daemon" | "everything"): Promise<number> {
    // Hosted agents are programs of ours: they end before we do.
    await machine.conversations.dispose();
    const live = what === "everything" ? machine.sessions.live : [];
    // One that cannot be closed does not keep the others. Its program ends with the holder.
    await Promise.allSettled(live.map((session) => session.close({ kind: "program" })));
    if (what === "everything") await holder.shutdown();
    else holder.leave();
    // When we answer, the last screens are on the disk and nothing is written after them.
    await Promise.race([machine.dispose(), pause(LAST_WRITES_MS, undefined, { ref: false })]);
    // The answer to the call that asked for this is still to be sent.
    setImmediate(() => {
      mcp.close();
      servers?.close();
      over();
    });
    return live.length;
  }

  const origin = () => machine.config.public_origins[0] ?? remote?.url ?? `http://127.0.0.1:${httpPort()}`;
  const place = { holder, auth, secrets, passes, visits, push, env, home, webRoot: WEB_ROOT, startedAt: Date.now() };
  const underWay = new UnderWay(machine.limits, () => machine.changes.bump());
  const handlers = handlersFor({ ...machine, ...place, httpPort, origin, underWay, shutdown: stop });
  const who = { secrets, underWay, guests: new Guests({ visits, auth, sessionOf: (id) => sessionOf(machine, id) }) };
  const asked = { handlers, ...who, limits: boxLimits(machine.sessions) };
  const perform: Perform = metered(operationsOf(asked), machine.meters);
  const mcp = mcpWhenUsed({ perform, home, auth });
  const doors = { ...asked, auth, visits, perform, peers: peersOf(home, holder, machine), audit, tries: new Tries() };
  const ways = { ...doors, home, webRoot: WEB_ROOT, mcp: mcp.endpoint, sessions: machine.sessions };
  servers = new Servers({ ...ways, ...knownPages(machine) });
  await servers.listen(remote);
  // Programs that do not heed the hang-up would run for ever, and nobody could end them.
  holder.onLost(() => void endLeftPrograms(machine).finally(() => stop("daemon")));
  prepare(machine);
  const whenOver = (run: () => void) => {
    over = run;
  };
  return { port: servers.port, remote, stop, whenOver };
}

/** Under which addresses our own page is shown, and which pages of others may call us. */
function knownPages({ config }: Machine) {
  return { origins: config.public_origins, embeds: config.embed_origins };
}

/** What can be done before somebody needs it. Nobody waits for sessions that they do not use. */
function prepare({ sessions, care }: Machine): void {
  setImmediate(warmUp);
  void sessions.wake().then(() => care.begin());
}

/** Whose question this is. */
function sessionOf({ approvals }: Machine, approval_id: string): string | null | undefined {
  const found = approvals.find(approval_id);
  return isFault(found) ? undefined : found.session_id;
}

/** A session's own events say who could be in it. */
function passEnded(
  pass: Pass,
  state: string,
  { visits, audit, push, sessions }: Pick<Machine, "sessions"> & { visits: Visits; audit: Audit; push: Push },
): void {
  visits.end(pass.id);
  push.forget(pass.id);
  audit.pass(state, pass);
  const session = pass.kind === "share" ? sessions.find(pass.session_id) : undefined;
  if (session && !isFault(session)) session.gate.log({ kind: "share", state, id: pass.id, name: pass.name });
}

/** Who wants to be notified is, as long as its pass is good. */
function pushOf(
  home: Home,
  passes: Passes,
  machine: Machine,
  eyes: Secrets["eyes"],
  ends: { visits: Visits; audit: Audit },
): Push {
  const { loopback } = machine.config.push;
  const isPaired = (id: string) => passes.find(id)?.kind === "device";
  const push = new Push({ path: home.push, clock: nodeClock, lookup: makeLookup(), loopback, isPaired });
  machine.attention.onNeeds((opened) => {
    if (push.isWanted) for (const need of opened) push.tell(noticeFor(need, eyes));
  });
  passes.watch((pass, why) => passEnded(pass, why, { ...ends, push, sessions: machine.sessions }));
  return push;
}

/** The holder died, and its terminals with it. What is left of its sessions is found by its environment. */
function endLeftPrograms({ sessions }: Machine): Promise<number> {
  const lost = new Set(sessions.list().flatMap(({ id, state }) => (state === "lost" ? [id] : [])));
  return endOrphans((environment) => lost.has(markerIn(environment) ?? ""));
}

/** Who comes from inside this machine's sessions, runs and hosted agents. */
function peersOf(home: Home, holder: HolderLink, { config, sessions }: Machine): Peers {
  return new Peers({
    homeDir: home.dir,
    holderPid: holder.pid,
    hidden: config.unseen_peers,
    isSession: (id) => sessions.has(id),
    sessionOf: (pids) => sessions.live.find(({ pid }) => pid !== null && pids.includes(pid))?.meta,
  });
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

/** The engine is compiled at its first use, which takes 50 ms: better now than under the first session. */
function warmUp(): void {
  const engine = makeGhostty({ cols: 80, rows: 24, scrollback: 10 });
  engine.feed(Buffer.from("\x1b[1;31mw\x1b[marm\r\n漢\x1b[2J\x1b[H".repeat(50)));
  engine.rows();
  engine.snapshot();
  engine.dispose();
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
