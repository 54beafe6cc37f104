// close() against real processes: it ends every process of the session and no other.
import { spawn } from "node:child_process";
import { closeSync, constants, openSync, readlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { CLOSE_GRACE_MS, sessionProcesses } from "../../../src/host/process/processes.ts";
import { processRow, processTable, type Tty, ttyOf } from "../../../src/host/process/table.ts";
import { isReaped, marked, NativeSessions, program } from "../../fixtures/pty/native-sessions.ts";
import { soon } from "../../fixtures/soon.ts";

// They run side by side, as most of them wait for the grace.
const sessions = NativeSessions.shared("with the file");

test.concurrent("a well-behaved child ends at SIGHUP, before the grace period is over", async () => {
  const { pty, seen, marker } = sessions.sh("stty raw -echo; printf ready; exec cat");
  await seen.untilText("ready");
  await pty.close();
  // After it SIGKILL would have ended it.
  expect(seen.exits).toEqual([{ code: null, signal: "SIGHUP" }]);
  expect(marked(marker)).toEqual([]);
  expect(isReaped(pty.pid)).toBe(true);
});

test.concurrent("a child that ignores SIGHUP and SIGTERM is killed after the grace period", async () => {
  const { pty, seen, marker } = sessions.run("sh", [program("ignore-sigterm.sh")]);
  await seen.untilText("ready");
  const sinceMs = performance.now();
  await pty.close();
  expect(performance.now() - sinceMs).toBeGreaterThanOrEqual(CLOSE_GRACE_MS - 1);
  expect(seen.exits).toEqual([{ code: null, signal: "SIGKILL" }]);
  expect(marked(marker)).toEqual([]);
  expect(isReaped(pty.pid)).toBe(true);
});

test.concurrent("processes with nohup, setsid or a cleared environment do not escape", async () => {
  const { pty, seen, marker } = sessions.run("sh", [program("orphan-child.sh")]);
  await seen.untilText("ready");
  const trace = { leader: pty.pid, marker, tty: null, startedTick: 0, endedTick: null };
  // The leader, the sleep under nohup, two of ignore-sigterm.sh and their sleeps.
  await soon(() => expect(sessionProcesses(trace).length).toBeGreaterThanOrEqual(6));
  await pty.close();
  expect(sessionProcesses(trace)).toEqual([]);
  expect(seen.exits).toHaveLength(1);
});

test.concurrent("close ends what an exited leader left behind", async () => {
  const { pty, seen, marker } = sessions.sh("nohup sleep 300 >/dev/null 2>&1 & (setsid sleep 300 &) ; sleep 0.05");
  await seen.exited();
  await soon(() => expect(marked(marker)).toHaveLength(2));
  await pty.close();
  expect(marked(marker)).toEqual([]);
});

test.concurrent("a stopped job gets SIGHUP", async () => {
  const { pty, seen, marker } = sessions.run("bash", ["--norc", "-i"]);
  await soon(() => expect(pty.echo()).toBe("raw"));
  pty.write(Buffer.from("sleep 300\n"));
  await soon(() => expect(pty.foreground()?.name).toBe("sleep"));
  pty.write(Uint8Array.of(0x1a));
  await seen.untilText("Stopped");
  await pty.close();
  expect(marked(marker)).toEqual([]);
});

test.concurrent("a paused session that floods can be closed", async () => {
  const { pty, seen, marker } = sessions.run("sh", [program("flood.sh")]);
  await seen.until(() => seen.bytesSeen > 100_000);
  pty.pause();
  await pty.close();
  expect(seen.exits).toHaveLength(1);
  expect(marked(marker)).toEqual([]);
});

test.concurrent("closing one session leaves the others alone", async () => {
  const one = sessions.run("cat");
  const other = sessions.run("cat");
  await one.pty.close();
  other.pty.write(Buffer.from("still here\n"));
  await other.seen.untilText("still here");
  expect(other.seen.exits).toEqual([]);
});

test("a terminal of the same number in a container is another one", async () => {
  const { pty } = sessions.run("cat");
  // Until it has become cat, it still has what it was forked with.
  const path = await soon(() => {
    const input = readlinkSync(`/proc/${pty.pid}/fd/0`);
    expect(input).toMatch(/^\/dev\//);
    return input;
  });
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOCTTY);
  const ours = ttyOf({ path, fd });
  closeSync(fd);
  // With a devpts of its own, where numbers begin at 0 again.
  const sandbox = ["--bind", "/", "/", "--dev", "/dev", "--die-with-parent"];
  const inside = spawn("bwrap", [...sandbox, "script", "-qc", "sleep 600", "/dev/null"], { stdio: "ignore" });
  try {
    const within = (pid: number): boolean => pid === inside.pid || (pid > 1 && within(processRow(pid)?.parent ?? 0));
    const stranger = await soon(() => {
      const row = processTable().find(({ pid, tty }) => tty !== "0" && within(pid));
      if (!row) throw new Error("it has no terminal yet");
      return row;
    });
    const trace = { leader: 0x7fff_fff0, marker: "NONE=1", startedTick: 0, endedTick: null };
    const found = (tty: Tty) => sessionProcesses({ ...trace, tty }).map((row) => row.pid);
    expect(found(ours)).toContain(pty.pid);
    expect(found({ ...ours, key: stranger.tty, device: Number(stranger.tty) })).not.toContain(stranger.pid);
  } finally {
    inside.kill("SIGKILL");
  }
});

test("processes with another marker, a longer marker, ourselves and our parents are not part of a session", () => {
  const { pty, marker } = sessions.run("cat");
  const trace = { leader: 0x7fff_fff0, tty: null, startedTick: 0, endedTick: null };
  expect(sessionProcesses({ ...trace, marker: marker.slice(0, -1) })).toEqual([]);
  expect(sessionProcesses({ ...trace, marker: `PATH=${process.env.PATH}` }).map((row) => row.pid)).not.toContain(
    process.pid,
  );
  const session = sessionProcesses({ ...trace, leader: pty.pid, marker });
  expect(session.map((row) => row.pid)).toEqual([pty.pid]);
  // A recycled session id: processes that started after the leader's end are not ours.
  expect(sessionProcesses({ ...trace, leader: pty.pid, marker: "NONE=1", endedTick: 1 })).toEqual([]);
});
