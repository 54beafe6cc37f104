// The library: sessions, screens, waits, blocks, runs, gate and redaction in the process of whoever embeds it, without a daemon.
// Owns: its home's lock, the terminals in it, and the home itself when nobody named one.
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CallError, type CallOptions } from "../client/client.ts";
import type { Connection, OpenSocket } from "../client/connection.ts";
import { checkOptions } from "../client/options.ts";
import { connectionOf } from "../client/streams.ts";
import { isFault } from "../core/base/fault.ts";
import { nodeClock } from "../host/clock.ts";
import { fileStore, writeWhole } from "../host/disk/files.ts";
import { prepareHome } from "../host/disk/home.ts";
import { OwnHolder } from "../host/holder/own.ts";
import { adoptOrphans } from "../host/peer/orphans.ts";
import { takeLock } from "../host/process/lock.ts";
import { spawnPty } from "../host/pty/pty.ts";
import { type AnyOp, ops } from "../protocol/ops.ts";
import { type Home, homeOf } from "../protocol/plain/home.ts";
import { type Caller, PERSON } from "../serve/auth.ts";
import { asking } from "../serve/calling.ts";
import { type ConfigFile, readConfig, wrongConfig } from "../serve/config.ts";
import { Log } from "../serve/log.ts";
import { openMachine, type RunningMachine } from "../serve/machine.ts";
import { targetOf } from "../serve/viewing/target.ts";
import { serveViewer } from "../serve/viewing/viewing.ts";
import { agentFor, type Listener, type ListenerOptions, listenerOf } from "./listener.ts";
import { socketPair } from "./socket-pair.ts";

export interface TerminalsOptions {
  /** Where journals are kept, as DUETTY_HOME for a daemon. Default: a new folder that is removed at the end. */
  readonly home?: string;
  /** What config.json would say. Refused where the home has one that says something else. */
  readonly config?: ConfigFile;
  /** What programs inherit. Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Gets each line of the log, a JSON object. Default: nobody. */
  readonly log?: (line: string) => void;
}

/** With a person's rights: whoever embeds it decides what reaches it. Closing it ends every session. */
export interface Terminals extends Connection {
  /** Where the journals are. */
  readonly home: string;
  /** The same operations for an agent: gated, and secrets hidden. */
  as(agent: `agent:${string}`): Connection;
  /** Lets others in by a server of one's own. It comes before the first operation that does more than read. */
  listener(options: ListenerOptions): Listener;
}

/** Operations that begin in a folder. */
const PLACED: ReadonlySet<string> = new Set(
  ops.filter(({ cli }: AnyOp) => cli?.adds?.includes("cwd")).map(({ name }) => name),
);

const OPTIONS: Readonly<Record<keyof TerminalsOptions, true>> = { home: true, config: true, env: true, log: true };

/** A restore point that was being made still writes until its git has ended: tries again for some seconds. */
const WHILE_GIT_ENDS = { maxRetries: 10, retryDelay: 100 };

const NO_WAY = { close: () => undefined };

export async function openTerminals(options: TerminalsOptions = {}): Promise<Terminals> {
  checkOptions("openTerminals", options, OPTIONS);
  const own = options.home === undefined ? fs.mkdtempSync(join(tmpdir(), "duetty-")) : undefined;
  const remove = () => {
    if (own !== undefined) fs.rmSync(own, { recursive: true, force: true, ...WHILE_GIT_ENDS });
  };
  try {
    return await opened(homeOf({ DUETTY_HOME: own ?? options.home }), options, remove);
  } catch (error) {
    remove();
    throw error;
  }
}

async function opened(home: Home, options: TerminalsOptions, remove: () => void): Promise<Terminals> {
  prepareHome(home);
  const lock = lockOf(home);
  let ending: Promise<number> | undefined;
  let close = async () => 0;
  try {
    if (options.config) writeConfig(home, options.config);
    const { machine, holder } = await running(home, options, () => close());
    close = () => {
      ending ??= machine
        .end("everything", () => holder.shutdown())
        .finally(() => {
          lock.release();
          remove();
        });
      return ending;
    };
    return terminalsOf(home, machine, close);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function running(
  home: Home,
  { env = process.env, log = () => undefined }: TerminalsOptions,
  shutdown: () => Promise<number>,
) {
  const { unread_mb, unread_beyond: beyond } = readConfig(home.config).journal;
  const unread = { bytes: unread_mb * 2 ** 20, beyond };
  const holder = new OwnHolder({ store: fileStore(home.sessions), clock: nodeClock, spawn: spawnPty, unread });
  const none = { port: () => 0, ports: () => [], origin: () => "", listenAt: () => NO_WAY };
  const place = { home, env: { ...env }, log: new Log(log), holder: async () => holder };
  const machine = await openMachine({ ...place, ways: { ...none, shutdown } });
  machine.begin();
  return { machine, holder };
}

function terminalsOf(home: Home, machine: RunningMachine, end: () => Promise<number>): Terminals {
  const open: { close(): unknown }[] = [];
  const ours = <T extends { close(): unknown }>(made: T): T => {
    open.push(made);
    return made;
  };
  const close = async () => {
    for (const made of open.splice(0)) made.close();
    await end();
  };
  let [hasBegun, isListening] = [false, false];
  const noted: RunningMachine = {
    ...machine,
    perform: (op, ...rest) => {
      hasBegun ||= op.effect !== "read";
      return machine.perform(op, ...rest);
    },
  };
  const listener = (options: ListenerOptions) => {
    if (hasBegun && !isListening) throw new CallError(TOO_LATE);
    // Who leaves a session from here on stays below this process, and is known by that.
    adoptOrphans();
    isListening = true;
    return ours(listenerOf(machine, options));
  };
  const as = (agent: string) => ours(connectionFor(noted, callerOf(agent)));
  return Object.assign(connectionFor(noted, PERSON, close), { home: home.dir, as, listener });
}

const TOO_LATE = {
  code: "listener.late",
  message: "listener was called after sessions or runs may have begun",
  hint: "Call it before: a program that has left its session by now could not be told from a person.",
};

function connectionFor(machine: RunningMachine, caller: Caller, end?: () => Promise<void>): Connection {
  const open: OpenSocket = (session_id, query) => {
    const { viewer, client } = socketPair();
    const target = targetOf(caller, session_id, query, machine);
    if (isFault(target)) viewer.terminate();
    else
      serveViewer(viewer, target, machine).catch((error: unknown) => {
        machine.log.error(error);
        viewer.terminate();
      });
    return client;
  };
  return connectionOf({ ask: asked(machine, caller), open, ...(end ? { end } : {}) });
}

function callerOf(agent: string): Caller {
  const caller = agentFor(agent);
  if (isFault(caller)) throw new CallError(caller);
  return caller;
}

/** As over the wire: whoever changes an answer changes nothing of ours. Folders are meant from where this process is. */
function asked({ perform }: RunningMachine, caller: Caller) {
  const ask = asking(perform, caller);
  return async (op: string, input: unknown, options?: CallOptions): Promise<unknown> =>
    JSON.parse(JSON.stringify(await ask(op, fromHere(op, input), options)));
}

function fromHere(op: string, input: unknown): unknown {
  if (!PLACED.has(op) || typeof input !== "object" || input === null) return input;
  const { cwd, session_id } = input as { readonly cwd?: unknown; readonly session_id?: unknown };
  if (typeof cwd === "string" && !cwd.startsWith("~")) return { ...input, cwd: resolve(cwd) };
  return cwd === undefined && session_id === undefined ? { ...input, cwd: process.cwd() } : input;
}

function lockOf(home: Home): NonNullable<ReturnType<typeof takeLock>> {
  const lock = takeLock(home.run);
  if (lock) return lock;
  const message = `${home.dir} is used by a daemon or by other terminals`;
  const hint = "Close those first, connect to that daemon with duetty/client, or leave home out.";
  throw new CallError({ code: "home.taken", message, hint });
}

/** A person's own settings are not written over. */
function writeConfig({ config: path }: Home, config: ConfigFile): void {
  const text = `${JSON.stringify(config, null, 2)}\n`;
  const wrong = wrongConfig(JSON.parse(text));
  if (wrong !== undefined)
    throw new CallError({
      code: "config.invalid",
      message: `config: ${wrong}`,
      hint: "docs/gate.md has what it may say.",
    });
  if (fs.existsSync(path) && fs.readFileSync(path, "utf8") !== text) {
    const hint = "Change that file, leave config out, or choose another home.";
    throw new CallError({ code: "config.taken", message: `${path} says something else`, hint });
  }
  writeWhole(path, text);
}
