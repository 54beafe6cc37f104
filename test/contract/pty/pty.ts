// The contract of the Pty port, for every adapter. Owns: what all of them promise. Refuses: what only real processes
// can show (pty-native.test.ts). Two programs are enough: `cat` on a cooked terminal, and a raw one that loops back.
import { afterEach, describe, expect, test } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import type { Pty, PtyCommand, Spawn } from "../../../src/core/pty/pty.ts";
import { Recorder } from "../../fixtures/pty/recorder.ts";
import { SOON_MS } from "../../fixtures/soon.ts";

/** Adapters that start real programs: commands are looked up, modes come from the terminal. */
export type Capability = "programs";

/** A raw loop-back that says "ready" first. Fakes recognise it by this script. */
export const RAW_LOOPBACK = "stty raw -echo; printf ready; exec cat";

/** The limit of the port's adapters; one byte more is refused. */
const INPUT_QUEUE_BYTES_MAX = 4 << 20;

let sequence = 0;

export function command(file: string, args: readonly string[] = [], over: Partial<PtyCommand> = {}): PtyCommand {
  sequence += 1;
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: process.env.HOME ?? "/", TERM: "xterm-256color" };
  const marker = `DUETTY_SESSION_ID=s_test_${process.pid}_${sequence}`;
  return { file, args, cwd: process.cwd(), env, marker, cols: 80, rows: 24, ...over };
}

export interface Opened {
  readonly pty: Pty;
  readonly seen: Recorder;
}

export function ptyContract(name: string, spawn: Spawn, can: readonly Capability[] = []): void {
  describe(`pty contract: ${name}`, () => {
    const opened: Pty[] = [];
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((pty) => pty.close()));
    });
    const open = (asked: PtyCommand): Opened => {
      const seen = new Recorder();
      seen.onChunk = () => {
        throw new Error("an event before spawn has returned");
      };
      const pty = spawn(asked, seen);
      seen.onChunk = () => undefined;
      if (isFault(pty)) throw new Error(pty.message);
      opened.push(pty);
      return { pty, seen };
    };
    outputCases(open);
    endCases(open);
    refusalCases(spawn, can);
  });
}

type Open = (asked: PtyCommand) => Opened;

async function loopback(open: Open): Promise<Opened> {
  const session = open(command("sh", ["-c", RAW_LOOPBACK]));
  await session.seen.untilText("ready");
  return session;
}

function outputCases(open: Open): void {
  test("a cooked terminal echoes what is typed, with CR LF", async () => {
    const { pty, seen } = open(command("cat"));
    expect(pty.pid).toBeGreaterThan(1);
    expect(pty.echo()).toBe("on");
    expect(pty.write(Buffer.from("hello\n"))).toBe("queued");
    await seen.untilText("hello\r\n");
  });

  test("writes stay in order and whole, and the caller may reuse its buffer", async () => {
    const { pty, seen } = await loopback(open);
    const lines = Array.from({ length: 200 }, (_, n) => Buffer.from(`${n}:${"x".repeat(997)}\n`));
    const expected = Buffer.concat([Buffer.from("ready"), ...lines]);
    for (const line of lines) {
      const reused = Buffer.from(line);
      expect(pty.write(reused)).toBe("queued");
      reused.fill(0);
    }
    await seen.until(() => seen.bytesSeen >= expected.length);
    expect(seen.all().equals(expected)).toBe(true);
  });

  test("every byte value passes through a raw terminal", async () => {
    const { pty, seen } = await loopback(open);
    const every = Uint8Array.from({ length: 256 }, (_, n) => n);
    pty.write(every);
    await seen.until(() => seen.bytesSeen >= 5 + every.length);
    expect(seen.all().subarray(5).equals(every)).toBe(true);
  });

  test("pause holds bytes back, resume delivers them all", async () => {
    const { pty, seen } = await loopback(open);
    seen.onChunk = () => pty.pause();
    pty.write(Buffer.from("a"));
    await seen.untilText("readya");
    pty.write(Buffer.from("b"));
    // A PTY that ignored the pause would deliver within these turns.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(seen.text()).toBe("readya");
    seen.onChunk = () => undefined;
    pty.resume();
    await seen.untilText("readyab");
  });

  test("resumed for so many bytes it pauses by itself, and loses nothing", async () => {
    const { pty, seen } = await loopback(open);
    pty.resume(1);
    pty.write(Buffer.from("a"));
    await seen.untilText("readya");
    pty.write(Buffer.from("b"));
    // A PTY that went on would deliver within these turns.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(seen.text()).toBe("readya");
    pty.resume(1);
    await seen.untilText("readyab");
    pty.resume();
    pty.write(Buffer.from("cd"));
    await seen.untilText("readyabcd");
  });

  test("readAll returns everything that was printed, at once and only once; while paused it says that there is more", async () => {
    const { pty, seen } = await loopback(open);
    pty.write(Buffer.from("a"));
    const deadline = performance.now() + SOON_MS;
    while (seen.text() !== "readya" && performance.now() < deadline) expect(pty.readAll()).toBe("all");
    expect(seen.text()).toBe("readya");
    pty.pause();
    pty.write(Buffer.from("b"));
    expect(pty.readAll()).toBe("more");
    expect(seen.text()).toBe("readya");
    pty.resume();
    await seen.untilText("readyab");
    pty.write(Buffer.from("c"));
    await seen.untilText("readyabc");
    expect(seen.text()).toBe("readyabc");
  });
}

function endCases(open: Open): void {
  test("end of input ends cat with code 0, once, after its last byte", async () => {
    const { pty, seen } = open(command("cat"));
    pty.write(Buffer.from("last\n"));
    await seen.untilText("last\r\n");
    pty.write(Uint8Array.of(4));
    expect(await seen.exited()).toEqual({ code: 0, signal: null });
    await pty.close();
    expect(seen.exits).toHaveLength(1);
  });

  test("a signal ends the program and is named in the exit; a later signal reaches no process", async () => {
    const { pty, seen } = await loopback(open);
    expect(pty.signal("SIGKILL")).toBe(true);
    expect(await seen.exited()).toEqual({ code: null, signal: "SIGKILL" });
    expect(pty.signal("SIGKILL")).toBe(false);
    expect(pty.foreground()).toBeNull();
  });

  test("after the exit every call is harmless and input is refused", async () => {
    const { pty, seen } = await loopback(open);
    pty.signal("SIGKILL");
    await seen.exited();
    expect(pty.write(Buffer.from("late"))).toBe("ended");
    pty.resize({ cols: 10, rows: 10 });
    expect(pty.readAll()).toBe("all");
    pty.pause();
    pty.resume();
    expect(["on", "off", "raw"]).toContain(pty.echo());
    expect(seen.exits).toHaveLength(1);
  });

  test("an exit while paused waits for resume", async () => {
    const { pty, seen } = await loopback(open);
    pty.pause();
    pty.signal("SIGKILL");
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(seen.exits).toEqual([]);
    pty.resume();
    expect((await seen.exited()).signal).toBe("SIGKILL");
  });

  test("close is idempotent and resolves after the exit event, even when paused", async () => {
    const { pty, seen } = await loopback(open);
    pty.pause();
    const first = pty.close();
    const second = pty.close();
    await first;
    expect(seen.exits).toHaveLength(1);
    await second;
    await pty.close();
    expect(seen.exits).toHaveLength(1);
  });

  test("the foreground process has a pid and a name", async () => {
    const { pty } = await loopback(open);
    const foreground = pty.foreground();
    expect(foreground?.pid).toBeGreaterThan(1);
    expect(foreground?.name).not.toBe("");
  });

  test("input beyond the limit is refused whole", async () => {
    const { pty } = await loopback(open);
    expect(pty.write(new Uint8Array(INPUT_QUEUE_BYTES_MAX + 1))).toBe("full");
    expect(pty.write(Buffer.from("x"))).toBe("queued");
  });
}

function refusalCases(spawn: Spawn, can: readonly Capability[]): void {
  test("an empty command is a fault", () => {
    expect(spawn(command(""), new Recorder())).toMatchObject({ fault: true, code: "command.not_found" });
  });

  // A fake has no programs to look for.
  if (!can.includes("programs")) return;
  test("an unknown command and a missing cwd are faults with a hint", () => {
    const missing = spawn(command("no-such-program-here"), new Recorder());
    expect(missing).toMatchObject({ fault: true, code: "command.not_found", hint: expect.stringMatching(/.+/) });
    const nowhere = spawn(command("cat", [], { cwd: "/no/such/folder" }), new Recorder());
    expect(nowhere).toMatchObject({ fault: true, code: "cwd.not_found", hint: expect.stringMatching(/.+/) });
  });
}
