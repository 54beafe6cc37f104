// The daemon on this machine: how to reach it, and how to bring it up when it is missing.
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { appendPrivately, privateFolder } from "../host/disk/private.ts";
import { DAEMON_MAIN } from "../package.ts";
import type { Home } from "../protocol/plain/home.ts";
import { API_PROTOCOL } from "../protocol/plain/version.ts";
import { CallError, type Transport } from "./client.ts";

const START_POLL_MS = 10;
/** Half a minute: a daemon that replays long journals takes seconds. Looks are counted, so that a machine's sleep costs one. */
const START_LOOKS_MAX = 3_000;
/** Another daemon that was starting listens by then, or it has died. */
const LOST_RACE_MS = 3_000;
/** HTTP's "upgrade required": the daemon speaks another version. */
const VERSION_MISMATCH = 426;
/** A kept connection that nobody uses for so long is closed. The daemon would close it after five seconds. */
const IDLE_MS_MAX = 1_000;

export interface Identity {
  readonly token: string;
  readonly as: string | undefined;
  /** The CLI's own words in hints instead of those of tools. */
  readonly surface?: "cli";
}

/** One call after another over the same connection: a new one costs the daemon more than most calls. */
export class KeptConnection extends http.Agent {
  #usedAt = Date.now();

  constructor() {
    super({ keepAlive: true, timeout: IDLE_MS_MAX });
  }

  /** A client that was stopped or busy has missed its timer, and the daemon has closed the connection. */
  use(): void {
    const now = Date.now();
    const isOld = now - this.#usedAt > IDLE_MS_MAX;
    this.#usedAt = now;
    if (isOld) for (const socket of Object.values(this.freeSockets).flat()) socket?.destroy();
  }
}

export function unixTransport(home: Home, identity: () => Identity, kept?: KeptConnection): Transport {
  return (op, body, { signal, approvalWaitMs } = {}) =>
    new Promise((resolve, reject) => {
      kept?.use();
      const { token, as, surface } = identity();
      const headers: Record<string, string | number> = {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "x-duetty-protocol": API_PROTOCOL,
      };
      if (as !== undefined) headers["x-duetty-as"] = as;
      if (surface !== undefined) headers["x-duetty-surface"] = surface;
      if (approvalWaitMs !== undefined) headers["x-duetty-approval-wait"] = approvalWaitMs;
      const where = { socketPath: home.daemonSocket, path: `/v1/${op}`, method: "POST", headers, agent: kept ?? false };
      const options = signal ? { ...where, signal } : where;
      const request = http.request(options, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", (error) => reject(lostOr(error)));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }));
      });
      request.on("error", (error) => reject(lostOr(error)));
      request.end(body);
    });
}

/** A daemon that died in the middle of a call may have done what was asked. Only the session knows. */
function lostOr(error: Error): Error {
  if (!("code" in error) || (error.code !== "ECONNRESET" && error.code !== "EPIPE")) return error;
  return new CallError({
    code: "daemon.lost",
    message: "the daemon ended before it answered",
    hint: "What you asked for may have been done. Look at the session before you repeat it. A question that waited for a person is gone.",
  });
}

/** Starts a daemon where none runs, and replaces one of another version. Sessions live on in the holder. */
export function startingTransport(home: Home, transport: Transport): Transport {
  return async (op, body, options) => {
    const answer = await transport(op, body, options).catch((error: unknown) => {
      if (isAbsent(error)) return undefined;
      throw error;
    });
    if (answer && answer.status !== VERSION_MISMATCH) return answer;
    // Only people replace a daemon. Others are told which one they met.
    if (answer && (await transport("shutdown", JSON.stringify({ keep_sessions: true }))).status !== 200) return answer;
    // It has answered and still listens for a moment: whoever asks it now gets no answer.
    for (let looks = 0; answer && looks < START_LOOKS_MAX && (await listens(home.daemonSocket)); looks += 1)
      await pause(START_POLL_MS);
    await startDaemon(home);
    return transport(op, body, options);
  };
}

/** Whether a failure means that no daemon was there to be asked. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ECONNREFUSED");
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
    if (await listens(home.daemonSocket)) return;
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
