// The holder process: PTYs that survive the daemon. Started by the daemon, detached, once per home.
import fs from "node:fs";
import { createServer } from "node:net";
import { nodeClock } from "../host/clock.ts";
import { fileStore } from "../host/disk/files.ts";
import { prepareHome } from "../host/disk/home.ts";
import { bindingPrivately } from "../host/disk/private.ts";
import { noteEnd } from "../host/holder/ends.ts";
import { descendsFrom } from "../host/peer/lineage.ts";
import { adoptOrphans } from "../host/peer/orphans.ts";
import { peerPid } from "../host/peer/peer.ts";
import { spawnPty } from "../host/pty/pty.ts";
import { homeOf } from "../protocol/plain/home.ts";
import { HOLDER_PROTOCOL, VERSION } from "../protocol/plain/version.ts";
import { HolderProcess } from "./holder.ts";
import { Restarts } from "./restarts.ts";

/** How often the holder looks whether its home still exists: a deleted home must not leave programs running for ever. */
const HOME_CHECK_MS = 5_000;

const home = homeOf(process.env);
prepareHome(home);
// A log that cannot be written, because the disk is full, must end no session.
process.stderr.on("error", () => undefined);
// The terminal that started us may close. Only we end the sessions.
process.on("SIGHUP", () => undefined);
// So that a process which leaves its session is still known to come from one.
adoptOrphans();

const restarts = new Restarts({ log: `${home.run}/daemon.log`, isWanted: () => fs.existsSync(home.holderSocket) });
// A daemon that we started is our child, too, but no session's.
const isInside = (pid: ReturnType<typeof peerPid>) => pid !== restarts.pid && descendsFrom(pid, process.pid);

const holder = new HolderProcess({
  store: fileStore(home.sessions),
  clock: nodeClock,
  spawn: spawnPty,
  version: VERSION,
  protocol: HOLDER_PROTOCOL,
  restarts,
  isInside: (socket) => isInside(peerPid(socket)),
  finished: () => end(),
});

const server = createServer((socket) => holder.serve(socket));
// The daemon that starts us holds the lock, so a socket file that is there belongs to a dead holder.
fs.rmSync(home.holderSocket, { force: true });
bindingPrivately(() => server.listen(home.holderSocket));

const check = setInterval(() => {
  if (!fs.existsSync(home.holderSocket)) void closeAndEnd();
}, HOME_CHECK_MS);
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    // Nobody of our own asks in this way: the machine goes down, or its person ends us.
    noteEnd(home.holderEnds, nodeClock.now());
    void closeAndEnd();
  });
}

async function closeAndEnd(): Promise<void> {
  clearInterval(check);
  await holder.closeAll();
  end();
}

function end(): void {
  fs.rmSync(home.holderSocket, { force: true });
  process.exit(0);
}
