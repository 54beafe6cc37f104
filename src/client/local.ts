// The daemon on this machine: how to reach it, and how to bring it up when it is missing.
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import { connect } from "node:net";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { appendPrivately, privateFolder } from "../host/disk/private.ts";
import { DAEMON_MAIN } from "../package.ts";
import { type Home, homeOf } from "../protocol/plain/home.ts";
import { CallError, type CallOptions, isAbsent, type Transport } from "./client.ts";
import { httpTransport, type Identity, type KeptConnection } from "./http.ts";

const START_POLL_MS = 10;
/** Half a minute: a daemon that replays long journals takes seconds. Looks are counted, so that a machine's sleep costs one. */
const START_LOOKS_MAX = 3_000;
/** Another daemon that was starting listens by then, or it has died. */
const LOST_RACE_MS = 3_000;
/** HTTP's "upgrade required": the daemon speaks another version. */
const VERSION_MISMATCH = 426;

/** Without a folder: what the environment says, or the usual place. */
export function localHome(dir = process.env.DUETTY_HOME): Home {
  // The daemon runs elsewhere: a relative folder would mean another one there.
  const absolute = dir && resolve(dir);
  return homeOf({ HOME: homedir(), XDG_STATE_HOME: process.env.XDG_STATE_HOME, DUETTY_HOME: absolute });
}

/** It is missing before the first daemon has run. Then the call fails, starts a daemon, and reads it again. */
export function tokenIn(file: string): string | undefined {
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim() || undefined : undefined;
}

export function unixTransport(home: Home, identity: () => Identity, kept?: KeptConnection): Transport {
  return httpTransport({ socketPath: home.daemonSocket }, identity, kept);
}

/** Starts a daemon where none runs, and replaces one of another version. Sessions live on in the holder. */
export function startingTransport(home: Home, transport: Transport): Transport {
  const ending = async (body: string, options?: CallOptions) => {
    const pid = pidIn(home.httpFile);
    const answer = await transport("shutdown", body, options);
    if (answer.status === 200) await silence(home, pid);
    return answer;
  };
  return async (op, body, options) => {
    const asked = op === "shutdown" ? ending(body, options) : transport(op, body, options);
    const answer = await asked.catch((error: unknown) => {
      if (isAbsent(error)) return undefined;
      throw error;
    });
    if (answer && answer.status !== VERSION_MISMATCH) return answer;
    // Only people replace a daemon. Others are told which one they met.
    if (answer && (await ending(JSON.stringify({ keep_sessions: true }))).status !== 200) return answer;
    await startDaemon(home);
    return transport(op, body, options);
  };
}

/** A daemon that has ended still listens for a moment: whoever asks it then gets no answer, or one of before. */
async function silence(home: Home, pid: number | undefined): Promise<void> {
  const listensStill = async () => pidIn(home.httpFile) === pid && (await listens(home.daemonSocket));
  for (let looks = 0; looks < START_LOOKS_MAX && (await listensStill()); looks += 1) await pause(START_POLL_MS);
}

/** A holder without a daemon counts: its sessions run. */
export async function isRunning(home: Home): Promise<boolean> {
  return fs.existsSync(home.holderSocket) || listens(home.daemonSocket);
}

/** Starts a daemon and waits until it listens. If several start at once, one wins and all use it. */
export async function startDaemon(home: Home, env = process.env): Promise<void> {
  for (const folder of [home.dir, home.run]) privateFolder(folder);
  let [child, startedAt] = [spawnDaemon(home, env), Date.now()];
  for (let looks = 0; looks < START_LOOKS_MAX && child.signalCode === null && !child.exitCode; looks += 1) {
    const winner = pidIn(home.httpFile);
    if ((await listens(home.daemonSocket)) && stateOf(winner) !== "dying") return letGo(child, winner);
    // Ours left because another one was starting. That one may have died.
    if (child.exitCode === 0 && Date.now() - startedAt > LOST_RACE_MS)
      [child, startedAt] = [spawnDaemon(home, env), Date.now()];
    await pause(START_POLL_MS);
  }
  throw new CallError({
    code: "daemon.unreachable",
    message: "the daemon did not start",
    hint: `${lastLine(`${home.run}/daemon.log`)} (log: ${home.run}/daemon.log)`,
  });
}

/** Another one won. Ours is still starting, and would begin anew what somebody ends meanwhile. */
function letGo(child: ChildProcess, winner: number | undefined): void {
  if (winner !== child.pid && stateOf(winner) === "alive") child.kill("SIGKILL");
}

function pidIn(file: string): number | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")).pid;
  } catch {
    // A disk that is full has kept an earlier one, or none.
    return undefined;
  }
}

/** One that was killed is a zombie, whose socket takes connections until its last thread has ended. */
function stateOf(pid: number | undefined): "alive" | "dying" | "unknown" {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
    return /\) [ZX]/.test(stat) ? "dying" : "alive";
  } catch {
    return "unknown";
  }
}

/** Detached: it outlives us. */
function spawnDaemon(home: Home, given: NodeJS.ProcessEnv): ChildProcess {
  const log = appendPrivately(`${home.run}/daemon.log`);
  // The daemon must not inherit the session we may run in, nor its token.
  const env = { ...given, DUETTY_HOME: home.dir, DUETTY_SESSION_ID: undefined, DUETTY_TOKEN: undefined };
  const child = spawn(process.execPath, [DAEMON_MAIN], { detached: true, stdio: ["ignore", log, log], env, cwd: "/" });
  fs.closeSync(log);
  child.unref();
  return child;
}

function listens(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/** What the log said last. Whatever died before it could log has left plain text. */
function lastLine(path: string): string {
  const text = fs.readFileSync(path, "utf8").trim().split("\n").at(-1) ?? "";
  try {
    const { message = text }: { readonly message?: string } = JSON.parse(text);
    return message;
  } catch {
    return text;
  }
}
