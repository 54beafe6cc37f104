// The daemon process. Takes the lock for life, or leaves at once when another daemon has it.
import fs from "node:fs";
import { parseArgs } from "node:util";
import { shortageOf } from "../core/base/fault.ts";
import { prepareHome } from "../host/disk/home.ts";
import { listens } from "../host/holder/listening.ts";
import { adoptOrphans } from "../host/peer/orphans.ts";
import { takeLock } from "../host/process/lock.ts";
import { wrongBrokerUrl } from "../protocol/plain/fleet/broker-url.ts";
import { homeOf } from "../protocol/plain/home.ts";
import { type Listening, listeningOf } from "../protocol/plain/listening.ts";
import { VERSION } from "../protocol/plain/version.ts";
import { keepLogSmall, Log } from "./log.ts";

/** A home that was deleted takes its daemon with it. */
const HOME_CHECK_MS = 5_000;

const home = homeOf(process.env);
const log = new Log((line) => fs.writeSync(process.stderr.fd, `${line}\n`));
// A home that was removed while the holder started us stays removed.
const { start, listening, words, fleetUrl } = toldIn(process.argv.slice(2));
if (start === "first") attempt(() => prepareHome(home));
else if (!fs.existsSync(home.run)) process.exit(0);
// The terminal that started us may close.
process.on("SIGHUP", () => undefined);
// What leaves a run or a hosted agent is still known to come from there.
adoptOrphans();

const lock = takeLock(home.run);
// A daemon of an earlier version has another lock.
if (!lock || (await listens(home.daemonSocket))) {
  log.say(
    "error",
    "another daemon is running",
    listening ? { hint: "End that one first with shutdown --keep-sessions." } : {},
  );
  process.exit(listening ? 1 : 0);
}

// Loaded only now: a loser of the race for the lock must be cheap.
const { startDaemon } = await import("./daemon.ts");
const daemon = await startDaemon(home, process.env, { start, listening, words, fleetUrl, log }).catch(
  (error: unknown) => {
    lock.release();
    return giveUp(error);
  },
);
const leave = () => {
  log.say("info", "the daemon ends");
  fs.rmSync(home.daemonSocket, { force: true });
  lock.release();
  // Answers under way are flushed by then.
  setTimeout(() => process.exit(0), 50);
};
daemon.whenOver(leave);
// A machine that is short of something for a moment does not end us. Anything else is a bug: the holder starts a new daemon.
process.on("uncaughtException", (error) => {
  log.error(error);
  if (!shortageOf(error)) process.exit(1);
});
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void daemon.stop("daemon"));
setInterval(() => {
  if (!fs.existsSync(home.daemonSocket)) process.exit(0);
  for (const name of ["daemon", "holder", "audit"]) keepLogSmall(`${home.run}/${name}.log`);
}, HOME_CHECK_MS).unref();
// Not the key.
const remote = daemon.remote && { url: daemon.remote.url, sha256: daemon.remote.sha256 };
log.say("info", "the daemon listens", { pid: process.pid, port: daemon.port, remote, version: VERSION });
if (process.stdout.isTTY) console.log(`duetty daemon ${process.pid} on http://127.0.0.1:${daemon.port}`);
if (process.stdout.isTTY && remote) console.log(`and ${remote.url}, certificate ${remote.sha256}`);

function attempt(first: () => void): void {
  try {
    first();
  } catch (error) {
    giveUp(error);
  }
}

/** One line for the parent process. The CLI shows the end of the log. */
function giveUp(error: unknown): never {
  log.error(error instanceof Error ? error.message.replaceAll("\n", " ") : error);
  process.exit(1);
}

/** Nobody can be a member by a URL alone. */
function notMember(): string | undefined {
  if (fs.existsSync(`${home.fleet}/member.json`)) return undefined;
  return "this machine is in no fleet: begin one with fleet init URL, or join one with fleet join CODE";
}

/** `words`: what another daemon is told that takes our place. */
function toldIn(args: readonly string[]): {
  start: "first" | "again";
  listening: Listening | undefined;
  words: string[];
  fleetUrl: string | undefined;
} {
  const text = { type: "string" } as const;
  const options = {
    host: text,
    port: text,
    "tls-cert": text,
    "tls-key": text,
    "self-signed": { type: "boolean" },
    fleet: text,
  } as const;
  const words = args.filter((word) => word !== "again");
  const { fleet: fleetUrl, ...values } = parseArgs({ args: words, options }).values;
  const listening = listeningOf(values);
  if (typeof listening === "string") return giveUp(listening);
  const wrongUrl = fleetUrl === undefined ? undefined : wrongBrokerUrl(fleetUrl);
  if (wrongUrl !== undefined) return giveUp(`--fleet ${wrongUrl}`);
  const wrong = fleetUrl === undefined ? undefined : notMember();
  if (wrong !== undefined) return giveUp(wrong);
  return { start: args[0] === "again" ? "again" : "first", listening, words, fleetUrl };
}
