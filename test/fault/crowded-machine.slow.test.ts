// A machine with many processes that are not ours: calls look at no more of them than before.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { depth } from "../fixtures/depth.ts";
import { ROOT } from "../fixtures/stand/installation.ts";
import { type Stand, stand } from "../fixtures/stand/stand.ts";

const PROCESSES = depth(300, 300, 3_000);
const HOOK = join(ROOT, "test/fixtures/faults/counts-proc.mjs");
const CALLS = 10;

/** So many processes, until it is disposed of. */
async function crowd(count: number): Promise<AsyncDisposable> {
  const script = `for ((i = 0; i < ${count}; i++)); do sleep 3600 & done; echo ready; read end; kill $(jobs -p)`;
  const child = spawn("bash", ["-c", script], { stdio: ["pipe", "pipe", "ignore"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return {
    [Symbol.asyncDispose]: async () => {
      child.stdin.end("\n");
      await ended;
    },
  };
}

/** What the daemon and the holder have opened in /proc by now. */
async function opened(s: Stand): Promise<number> {
  const { daemon, holder } = await s.person.status({});
  const counts = [daemon.pid, holder.pid].map(async (pid) => {
    const path = `${s.duetty.env.PROC_COUNT}.${pid}`;
    fs.rmSync(path, { force: true });
    process.kill(pid, "SIGUSR2");
    await expect.poll(() => fs.existsSync(path)).toBe(true);
    return Number(fs.readFileSync(path, "utf8"));
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

test(`${PROCESSES} unrelated processes: reading, typing, running and listing open no more files of /proc`, async () => {
  await using s = await stand({ daemon: "later" });
  Object.assign(s.duetty.env, { NODE_OPTIONS: `--import=${HOOK}`, PROC_COUNT: join(s.duetty.folder, "proc") });
  await s.duetty.start();
  const { session_id } = await s.openShell();
  const work = async () => {
    const before = await opened(s);
    for (let i = 0; i < CALLS; i++) {
      await s.person.pty_read_screen({ session_id });
      await s.person.run_command({ session_id, command: `echo ${i}` });
      await s.person.pty_send({ session_id, text: "true\n", then: { any: [{ prompt: true }] } });
      await s.person.pty_list({});
    }
    return (await opened(s)) - before;
  };
  await work();
  const few = await work();
  await using _ = await crowd(PROCESSES);
  const many = await work();
  expect(many).toBeLessThan(few + PROCESSES / 2);
});
