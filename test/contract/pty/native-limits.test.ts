// Limits and descriptors of the native adapter: pause, full queues, reused numbers, inheritance.
import { execFile } from "node:child_process";
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { INPUT_QUEUE_BYTES_MAX, PtyWriter } from "../../../src/host/pty/writer.ts";
import {
  cpuTicks,
  type NativeSession,
  NativeSessions,
  openDescriptors,
  program,
} from "../../fixtures/pty/native-sessions.ts";
import { soon } from "../../fixtures/soon.ts";

const sessions = NativeSessions.shared();

/** Twice the longest wait between two tries to write: a wrong one would have happened by then. */
const RETRIES_OVER_MS = 40;

/** A raw terminal whose program never reads. */
async function deaf(): Promise<NativeSession> {
  const session = sessions.sh("stty raw -echo; printf ready; exec sleep 100");
  await session.seen.untilText("ready");
  return session;
}

test("pause stops a flooding child, resume lets it go on without a gap", async () => {
  const { pty, seen } = sessions.run("sh", [program("flood.sh")]);
  await seen.until(() => seen.bytesSeen > 1_000_000);
  pty.pause();
  const held = seen.bytesSeen;
  // It blocks as soon as the kernel's buffer is full: two equal readings in a row, a few ticks apart.
  await soon(async () => {
    const before = cpuTicks(pty.pid);
    await delay(50);
    expect(cpuTicks(pty.pid)).toBe(before);
  });
  expect(seen.bytesSeen).toBe(held);
  pty.resume();
  await seen.until(() => seen.bytesSeen > held + 1_000_000);
  await pty.close();
  const line = `${"0123456789abcdef".repeat(4).slice(0, 63)}\n`;
  const lines = seen.all();
  expect(lines.equals(Buffer.alloc(lines.length, line))).toBe(true);
});

test("unread input costs no CPU and is refused beyond the limit", async () => {
  const { pty } = await deaf();
  const chunk = new Uint8Array(1 << 20).fill(0x61);
  const answers = Array.from({ length: 6 }, () => pty.write(chunk));
  // The kernel took a little of the first, so four fit, and the fifth does not quite.
  expect(answers).toEqual(["queued", "queued", "queued", "queued", "full", "full"]);
  expect(pty.write(new Uint8Array(INPUT_QUEUE_BYTES_MAX))).toBe("full");
  // 84 % with node-pty; the retries of 300 ms take about 2 ms. Now and then the process collects other tests' garbage.
  const share = async () => {
    const before = process.cpuUsage();
    await delay(300);
    const spent = process.cpuUsage(before);
    return (spent.user + spent.system) / 300_000;
  };
  await expect.poll(share).toBeLessThan(0.2);
});

test("dropped: what agents have queued and what the kernel holds; what a person has queued stays, in order", async () => {
  const { pty, seen } = sessions.sh("mkfifo now; stty raw -echo; printf ready; read -r go < now; exec head -c 10");
  await seen.untilText("ready");
  const flood = new Uint8Array(300_000).fill(0x61);
  pty.write(flood, "agent");
  pty.write(Buffer.from("first"));
  pty.write(flood, "agent");
  pty.write(Buffer.from("later"), "person");
  pty.dropUnread();
  await promisify(execFile)("sh", ["-c", "echo go > now"], { cwd: sessions.folder });
  await seen.exited();
  expect(seen.text()).toBe("readyfirstlater");
});

test("what an agent typed ahead is still the agent's when it is typed again, and dropped with the rest", async () => {
  const full = join(sessions.folder, "full");
  await promisify(execFile)("mkfifo", [full]);
  const fd = openSync(full, constants.O_RDWR | constants.O_NONBLOCK);
  const writer = new PtyWriter(fd);
  writer.write(new Uint8Array(300_000).fill(0x61), "agent");
  writer.writeFirst(Buffer.from("again"));
  writer.dropAgents();
  expect(writer.queued).toBe(0);
  writer.writeFirst(Buffer.from("mine"));
  writer.dropAgents();
  expect(writer.queued).toBe("mine".length);
  writer.end();
  closeSync(fd);
});

test("input that waited reaches a child that reads later, complete", async () => {
  const { pty, seen } = sessions.sh("mkfifo go; stty raw -echo; printf ready; read -r go < go; exec head -c 300000");
  await seen.untilText("ready");
  const paste = Buffer.alloc(300_000, "0123456789");
  pty.write(paste.subarray(0, 100_001));
  for (const byte of paste.subarray(100_001, 100_100)) pty.write(Uint8Array.of(byte));
  pty.write(paste.subarray(100_100));
  await promisify(execFile)("sh", ["-c", "echo go > go"], { cwd: sessions.folder });
  await seen.exited();
  expect(seen.all().subarray(5).equals(paste)).toBe(true);
});

test("queued input never reaches a file that got the descriptor's number", async () => {
  const { pty, seen } = await deaf();
  pty.write(new Uint8Array(200_000).fill(0x61));
  const files: number[] = [];
  const sizes = (): number[] => files.map((fd) => fstatSync(fd).size);
  pty.signal("SIGKILL");
  await seen.exited();
  for (let n = 0; n < 8; n += 1) files.push(openSync(join(sessions.folder, `reused-${n}`), "w+"));
  expect(pty.write(Buffer.from("stale"))).toBe("ended");
  pty.resize({ cols: 1, rows: 1 });
  await delay(RETRIES_OVER_MS);
  expect(sizes()).toEqual(files.map(() => 0));
  for (const fd of files) closeSync(fd);
});

test("no later child inherits a master or a held slave", async () => {
  await deaf();
  await deaf();
  const listing = "ls -l /proc/self/fd";
  const { stdout } = await promisify(execFile)("sh", ["-c", listing]);
  expect(stdout).not.toMatch(/ptmx|pts/);
  const { seen } = sessions.sh(listing);
  await seen.exited();
  expect(seen.text()).not.toContain("ptmx");
  // Its own terminal as 0, 1 and 2, nothing else.
  expect(seen.text().match(/\/dev\/pts\/\d+/g)).toHaveLength(3);
});

test("fifty sessions opened and closed leave no descriptor", async () => {
  await sessions.run("cat").pty.close();
  const before = openDescriptors();
  for (let round = 0; round < 10; round += 1) {
    const five = Array.from({ length: 5 }, () => sessions.run("cat"));
    expect(openDescriptors()).toBe(before + 10);
    await sessions.closeAll();
    for (const { seen } of five) expect(seen.exits).toHaveLength(1);
  }
  expect(openDescriptors()).toBe(before);
});
