// The machine, ready for callers: what compose.ts connected, who may call it, what is hidden from whom, and what each operation
// does. The daemon and the library open it in this one way; they differ in where terminals live and in the ways in.
import { setTimeout as pause } from "node:timers/promises";
import { isFault } from "../core/base/fault.ts";
import type { Holder } from "../core/journal/holding.ts";
import { nodeClock } from "../host/clock.ts";
import { makeGhostty } from "../host/engine/ghostty.ts";
import { makeLookup } from "../host/lookup.ts";
import { packageFile } from "../package.ts";
import type { Home } from "../protocol/plain/home.ts";
import { Audit } from "./audit.ts";
import { Auth } from "./auth.ts";
import { compose, type Machine, noteOf } from "./compose.ts";
import { readConfig } from "./config.ts";
import { forwardTo } from "./fleet/forward.ts";
import type { Aim } from "./fleet/nats/host-streams.ts";
import { OtherMachines } from "./fleet/other-machines.ts";
import { Guests } from "./guests.ts";
import { handlersFor } from "./handlers/handlers.ts";
import type { Log } from "./log.ts";
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
import { aimAt } from "./viewing/far-viewer.ts";
import type { TargetParts } from "./viewing/target.ts";
import type { ViewingParts } from "./viewing/viewing.ts";

/** A disk that takes longer for a few small files is broken; nobody waits for it to end. */
const LAST_WRITES_MS = 5_000;
const WEB_ROOT = packageFile("dist/web");

/** Its ways in, which may be made after it. */
interface Ways {
  /** Of the page; 0 without one. */
  port(): number;
  /** All that we listen on. */
  ports(): readonly number[];
  /** Where links to the page begin. */
  origin(publicOrigins: readonly string[]): string;
  /** Lets callers in by another socket, too. */
  listenAt(path: string): { close(): void };
  /** Somebody asks for the end of it all. */
  shutdown(what: "daemon" | "everything"): Promise<number>;
}

interface MachineParts {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  /** Called when files that others could have planted were looked at. */
  holder(): Promise<Holder>;
  readonly ways: Ways;
  /** The broker of the fleet, instead of the one that was joined. */
  readonly fleetUrl?: string | undefined;
}

export type RunningMachine = Awaited<ReturnType<typeof openMachine>>;

export async function openMachine({ home, env, log, holder: connect, ways, fleetUrl }: MachineParts) {
  // What is planted in their place is found before anything is started.
  const visits = new Visits();
  const passes = new Passes({ path: home.passes, clock: nodeClock, newId: () => `k_${digits(8)}` });
  const auth = new Auth(home, (name) => machine.agents.owns(name), passes);
  const audit = new Audit(`${home.run}/audit.log`, log);
  const holder = await connect();
  const secrets = new Secrets(auth, readConfig(home.config).redact, env);
  const asks = { ownPorts: ways.ports, listenAt: ways.listenAt, eyes: secrets.eyes, log };
  const machine = await compose(home, env, holder, { ...asks, perform: (...ask) => perform(...ask) });
  const push = pushOf(home, passes, machine, { visits, audit, log, eyes: secrets.eyes });
  const underWay = new UnderWay(machine.limits, () => machine.changes.bump());
  const limits = boxLimits(machine.sessions);
  const ask: Perform = (...asked) => perform(...asked);
  const served = { secrets, underWay, limits, visits, perform: ask, log };
  const far = otherMachines(machine, { home, env, fleetUrl, ...served });
  const where = { env, home, webRoot: WEB_ROOT, startedAt: Date.now() };
  const place = { holder, far, members: far.members, auth, secrets, passes, visits, push, ...where };
  const origin = () => ways.origin(machine.config.public_origins);
  const context = { ...machine, ...place, httpPort: ways.port, origin, underWay, shutdown: ways.shutdown };
  const handlers = handlersFor(context);
  const who = { secrets, underWay, guests: new Guests({ visits, auth, sessionOf: (id) => sessionOf(machine, id) }) };
  const perform: Perform = metered(
    operationsOf({ handlers, ...who, limits, forward: forwardTo(far.hosts) }),
    machine.meters,
    log,
  );
  const peers = peersOf(home, holder, machine);
  let isOver = false;

  /** `leave` lets go of the terminals, or ends them. When it resolves, the last screens are on the disk and nothing is written after. */
  async function end(what: "daemon" | "everything", leave: () => Promise<void>): Promise<number> {
    isOver = true;
    // Hosted agents are programs of ours: they end before we do.
    await machine.conversations.dispose();
    await far.close();
    const live = what === "everything" ? machine.sessions.live : [];
    // One that cannot be closed does not keep the others. Its program ends with the holder.
    await Promise.allSettled(live.map((session) => session.close({ kind: "program" })));
    await leave();
    await Promise.race([machine.dispose(), pause(LAST_WRITES_MS, undefined, { ref: false })]);
    audit.close();
    return live.length;
  }

  /** What can be done before somebody needs it, once the ways in are there. Nobody waits for sessions that they do not use. */
  function begin(): void {
    setImmediate(warmUp);
    far.begin();
    void machine.sessions.wake().then(() => (isOver ? undefined : machine.care.begin()));
  }

  const { sessions, config } = machine;
  const pages = { origins: config.public_origins, embeds: config.embed_origins };
  const doors = { auth, hosts: far.hosts, visits, peers, audit, secrets, underWay, limits, log, ...pages };
  return { ...doors, perform, sessions, webRoot: WEB_ROOT, begin, end };
}

interface Around extends Omit<ViewingParts & TargetParts, "sessions" | "hosts"> {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly fleetUrl: string | undefined;
}

/** The person's other machines, and what they may see of this one. */
function otherMachines(machine: Machine, { home, env, fleetUrl, ...around }: Around): OtherMachines {
  const note = (event: object) => noteOf(home, event);
  const aim: Aim = (wanted) => aimAt({ ...around, sessions: machine.sessions, hosts: made.hosts })(wanted);
  const own = { home, env, broker: fleetUrl, newId: () => digits(8), note, aim };
  const made: OtherMachines = new OtherMachines({ ...machine, ...around, ...own });
  return made;
}

/** Whose question this is. */
function sessionOf({ approvals }: Machine, approval_id: string): string | null | undefined {
  const found = approvals.find(approval_id);
  return isFault(found) ? undefined : found.session_id;
}

interface Ends {
  readonly visits: Visits;
  readonly audit: Audit;
  readonly log: Log;
  readonly eyes: Secrets["eyes"];
}

/** Who wants to be notified is, as long as its pass is good. */
function pushOf(home: Home, passes: Passes, machine: Machine, { visits, audit, log, eyes }: Ends): Push {
  const { loopback } = machine.config.push;
  const isPaired = (id: string) => passes.find(id)?.kind === "device";
  const push = new Push({ path: home.push, clock: nodeClock, lookup: makeLookup(), loopback, isPaired, log });
  machine.attention.onNeeds((opened) => {
    if (push.isWanted) for (const need of opened) push.tell(noticeFor(need, eyes));
  });
  passes.watch((pass, why) => {
    visits.end(pass.id);
    push.forget(pass.id);
    audit.pass(why, pass);
    noteEnd(machine, pass, why);
  });
  return push;
}

/** A session's own events say who could be in it. */
function noteEnd({ sessions }: Machine, pass: Pass, state: string): void {
  const session = pass.kind === "share" ? sessions.find(pass.session_id) : undefined;
  if (session && !isFault(session)) session.gate.log({ kind: "share", state, id: pass.id, name: pass.name });
}

/** Who comes from inside this machine's sessions, runs and hosted agents. */
function peersOf(home: Home, holder: Holder, { config, sessions, runner }: Machine): Peers {
  return new Peers({
    homeDir: home.dir,
    holderPid: holder.pid,
    hidden: config.unseen_peers,
    isSession: (id) => sessions.has(id),
    isRun: (pids) => runner.isPiped(pids),
    sessionOf: (pids) => sessions.live.find(({ pid }) => pid !== null && pids.includes(pid))?.meta,
  });
}

/** The engine is compiled at its first use, which takes 50 ms: better now than under the first session. */
function warmUp(): void {
  const engine = makeGhostty({ cols: 80, rows: 24, scrollback: 10 });
  engine.feed(Buffer.from("\x1b[1;31mw\x1b[marm\r\n漢\x1b[2J\x1b[H".repeat(50)));
  engine.rows();
  engine.snapshot();
  engine.dispose();
}
