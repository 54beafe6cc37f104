// Whether real programs wait for input: each blocks, polls, computes or sleeps in its own way. Linux only: other
// systems say "unknown".
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { Activity } from "../../../src/core/pty/pty.ts";
import { type NativeSession, NativeSessions } from "../../fixtures/pty/native-sessions.ts";
import { soon } from "../../fixtures/soon.ts";

const sessions = NativeSessions.shared();

/** A cold interpreter on a small busy machine. */
const START_MS_MAX = 15_000;
/** Probes in a row that must agree: a program that starts up also says "no", but not for so long. */
const STEADY_PROBES = 8;

type Reading = Activity["reading"];

const PROMPT =
  "require('readline').createInterface({input:process.stdin,output:process.stdout}).question('name? ',()=>{})";
const SAY_THEN = (work: string): string => `process.stdout.write('up\\n');${work}`;

async function becomes({ pty }: NativeSession, ...expected: Reading[]): Promise<void> {
  await soon(() => expect(expected).toContain(pty.activity().reading));
}

/** The same answer in many probes, each in its own turn. */
async function stays({ pty }: NativeSession, expected: Reading): Promise<void> {
  let probes = 0;
  await vi.waitUntil(
    () => {
      expect(pty.activity().reading).toBe(expected);
      probes += 1;
      return probes >= STEADY_PROBES;
    },
    { timeout: START_MS_MAX, interval: 20 },
  );
}

describe("waits for input", () => {
  test.each<[string, string[], Reading[]]>([
    ["cat", [], ["blocked"]],
    ["bash", ["-c", "read x"], ["blocked"]],
    ["bash", ["-c", "cat | sleep 20"], ["blocked"]],
    ["bash", ["-c", "cat </dev/tty"], ["blocked"]],
    ["bash", ["--norc", "-i"], ["polled", "blocked"]],
    ["python3", ["-c", "input()"], ["polled", "blocked"]],
    ["python3", ["-c", "import sys; sys.stdin.readline()"], ["blocked"]],
    ["python3", ["-c", "import threading; threading.Thread(target=input).start()"], ["blocked", "polled"]],
    ["python3", ["-c", "import select; p=select.poll(); p.register(0,select.POLLIN); p.poll()"], ["polled"]],
    ["python3", ["-q"], ["polled", "blocked"]],
    ["node", ["-e", PROMPT], ["polled"]],
    ["vim", ["-u", "NONE"], ["polled"]],
    ["htop", [], ["polled"]],
  ])("%s %j", async (file, args, expected) => {
    await becomes(sessions.run(file, args), ...expected);
  });

  test("a pager on the keyboard, also when its text comes from a pipe", async () => {
    writeFileSync(join(sessions.folder, "long"), "line\n".repeat(500));
    await becomes(sessions.run("less", ["long"]), "blocked");
    await becomes(sessions.sh("cat long | less"), "blocked");
  });

  test("a password prompt is blocked with the echo off", async () => {
    const session = sessions.run("bash", ["-c", "read -s x"]);
    await becomes(session, "blocked");
    expect(session.pty.echo()).toBe("off");
  });

  test("a job of a shell, and the shell again after it", async () => {
    const session = sessions.run("bash", ["--norc", "-i"]);
    await becomes(session, "polled", "blocked");
    session.pty.write(Buffer.from("sleep 100\n"));
    await soon(() => expect(session.pty.foreground()?.name).toBe("sleep"));
    await becomes(session, "no");
    await stays(session, "no");
    session.pty.signal("SIGINT");
    await becomes(session, "polled", "blocked");
  });
});

describe("does not wait for input", () => {
  test.each<[string, string[]]>([
    ["bash", ["-c", "echo up; exec sleep 20"]],
    ["bash", ["-c", "echo up; sleep 20 | cat"]],
    ["bash", ["-c", "echo up; while :; do :; done"]],
    [
      "python3",
      ["-c", "import select; print('up',flush=True); select.select([],[0],[],0); select.select([],[],[],20)"],
    ],
    ["node", ["-e", SAY_THEN("setTimeout(()=>{},20000)")]],
  ])("%s %j", async (file, args) => {
    const session = sessions.run(file, args);
    await session.seen.untilText("up");
    await becomes(session, "no");
    await stays(session, "no");
  });

  test("a program that has ended", async () => {
    const { pty, seen } = sessions.sh("exit 0");
    await seen.exited();
    expect(pty.activity()).toEqual({ running: false, cpu_ticks: 0, reading: "no" });
  });
});
