// What only a real terminal can show: exact bytes, exits, modes, sizes, back-pressure. Closing is in native-close.test.ts.
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import { spawnPty } from "../../../src/host/pty/pty.ts";
import { resolveCommand } from "../../../src/host/pty/resolve.ts";
import { isReaped, NativeSessions, program } from "../../fixtures/pty/native-sessions.ts";
import { Recorder } from "../../fixtures/pty/recorder.ts";
import { SOON_MS, soon } from "../../fixtures/soon.ts";
import { command } from "./pty.ts";

const sessions = NativeSessions.shared();

/** Node's libraries failed 40 of 50 of these on Node 20 (facts/pty.md, 2a). */
const FAST_EXIT_RUNS = 25;

describe("bytes and exit", () => {
  test("a megabyte and the exit code arrive complete when the child exits at once", async () => {
    const file = join(sessions.folder, "random");
    const content = randomBytes(1_000_000);
    writeFileSync(file, content);
    for (let run = 0; run < FAST_EXIT_RUNS; run += 1) {
      const { seen } = sessions.sh("stty raw -echo; cat random; exit 7");
      expect(await seen.exited()).toEqual({ code: 7, signal: null });
      expect(seen.all().equals(content)).toBe(true);
    }
  });

  test("a child that kills itself has the signal's name in its exit", async () => {
    const { seen } = sessions.sh("kill -ABRT $$");
    expect(await seen.exited()).toEqual({ code: null, signal: "SIGABRT" });
  });

  test("characters cut between reads arrive whole", async () => {
    const { seen } = sessions.run(process.execPath, [program("split-utf8.mjs")]);
    await seen.exited();
    expect(seen.text()).toBe("aé€😀 naïve 👩‍👩‍👧\r\n");
  });

  test("a background writer cannot hold up the exit", async () => {
    const { seen } = sessions.sh("stty raw -echo; yes & sleep 0.1; exit 3");
    expect((await seen.exited()).code).toBe(3);
  });

  test("readAll returns everything that a program printed before it was seen reading", () => {
    for (let run = 0; run < FAST_EXIT_RUNS; run += 1) {
      const { pty, seen } = sessions.sh(`printf '%04000d' ${run}; read answer`);
      // No turn of the loop in between: nobody else reads.
      const deadline = performance.now() + SOON_MS;
      while (pty.activity().reading !== "blocked" && performance.now() < deadline);
      expect(pty.readAll()).toBe("all");
      expect(Number(seen.text())).toBe(run);
    }
  });

  test("an answer to a query reaches the program", async () => {
    const { pty, seen } = sessions.run(process.execPath, [program("query-terminal.mjs")]);
    await seen.untilText("\x1b[6n\x1b[c");
    pty.write(Buffer.from("\x1b[1;1R\x1b[?62c"));
    await seen.exited();
    expect(seen.text()).toContain(JSON.stringify("\x1b[1;1R\x1b[?62c"));
  });
});

describe("start", () => {
  test("only the given environment and the marker are there", async () => {
    const { seen, marker } = sessions.run("/usr/bin/env", [], { env: { ONLY: "this", DUETTY_SESSION_ID: "s_outer" } });
    await seen.exited();
    expect(seen.text().trim().split("\r\n").sort()).toEqual([marker, "ONLY=this"].sort());
  });

  test("commands are found by PATH, relative to cwd, or absolute; anything else is a fault", () => {
    const folder = join(sessions.folder, "bin");
    mkdirSync(folder);
    writeFileSync(join(folder, "tool"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    writeFileSync(join(folder, "plain"), "no program", { mode: 0o644 });
    const env = { PATH: "/usr/bin:/bin" };
    const at = (file: string, cwd = folder, path = env.PATH): unknown => {
      const pty = spawnPty(command(file, [], { cwd, env: { PATH: path } }), new Recorder());
      return "fault" in pty ? pty.code : "started";
    };
    expect(at("tool", folder, folder)).toBe("started");
    expect(at("./tool")).toBe("started");
    expect(at(join(folder, "tool"), "/")).toBe("started");
    expect(at("tool")).toBe("command.not_found");
    expect(at("plain", folder, folder)).toBe("command.not_found");
    expect(at("./plain")).toBe("command.not_found");
    expect(at("/usr")).toBe("command.not_found");
    expect(at("/dev/null")).toBe("command.not_found");
    expect(at("cat -n")).toBe("command.not_found");
    expect(at("cat", join(folder, "tool"))).toBe("cwd.not_found");
    expect(at("cat\0")).toBe("input.invalid");
  });

  test("a folder without permission is refused as cwd, except for root", () => {
    const locked = join(sessions.folder, "locked");
    mkdirSync(locked);
    chmodSync(locked, 0o600);
    const { PATH = "" } = process.env;
    const wrong = resolveCommand({ file: "cat", args: [], cwd: locked, env: { PATH } });
    expect(isFault(wrong) ? wrong.code : "entered").toBe(process.getuid?.() === 0 ? "entered" : "cwd.not_found");
  });

  test("the child has its size and is told a new one", async () => {
    const { pty, seen } = sessions.run(process.execPath, [program("size.mjs")], { cols: 101, rows: 33 });
    await seen.untilText("101x33");
    pty.resize({ cols: 64, rows: 20 });
    await seen.untilText("64x20");
  });
});

describe("foreground and modes", () => {
  test("a signal goes to the foreground group and spares the shell", async () => {
    const { pty, seen } = sessions.run("bash", ["--norc", "-i"]);
    await soon(() => expect(pty.foreground()).toMatchObject({ pid: pty.pid, name: "bash" }));
    await soon(() => expect(pty.echo()).toBe("raw"));
    pty.write(Buffer.from("sleep 100\n"));
    await soon(() => expect(pty.foreground()?.name).toBe("sleep"));
    expect(pty.foreground()?.pid).not.toBe(pty.pid);
    expect(pty.signal("SIGINT")).toBe(true);
    await soon(() => expect(pty.foreground()?.name).toBe("bash"));
    pty.write(Buffer.from("exit 5\n"));
    expect(await seen.exited()).toEqual({ code: 5, signal: null });
  });

  test("a program is a new instance after it executes itself again, and not before", async () => {
    const { pty, seen } = sessions.run("bash", ["-c", "echo one; read; exec bash -c 'echo two; read'"]);
    await seen.untilText("one");
    const before = pty.foreground();
    expect(before).toEqual({ pid: pty.pid, name: "bash", instance: expect.any(String) });
    expect(pty.foreground()).toEqual(before);
    pty.write(Buffer.from("\n"));
    await seen.untilText("two");
    expect(pty.foreground()).toEqual({ pid: pty.pid, name: "bash", instance: expect.any(String) });
    expect(pty.foreground()?.instance).not.toBe(before?.instance);
  });

  test("an unknown signal is a bug and throws", () => {
    const { pty } = sessions.run("cat");
    expect(() => pty.signal("SIGNONSENSE")).toThrow(/SIGNONSENSE/);
  });

  test("echo is off at a password prompt and on again after it", async () => {
    const { pty, seen } = sessions.run("sh", [program("echo-off.sh")]);
    await seen.untilText("Password: ");
    expect(pty.echo()).toBe("off");
    pty.write(Buffer.from("hunter2\n"));
    await seen.exited();
    expect(seen.text()).toContain("7 characters");
    expect(seen.text()).not.toContain("hunter2");
  });

  test.each([
    ["on", "cat", []],
    ["off", "bash", ["-c", "read -s x"]],
    ["on", "bash", ["-c", "read -n1 x"]],
    ["off", "python3", ["-c", "import getpass; getpass.getpass()"]],
    ["raw", "sh", ["-c", "stty raw -echo; exec cat"]],
  ] as const)("echo is %s for %s %j", async (echo, file, args) => {
    const { pty, seen } = sessions.run(file, args);
    if (file === "python3") await seen.untilText("Password");
    await soon(() => expect(pty.echo()).toBe(echo));
  });
});

describe("back-pressure", () => {
  test("pauses at every chunk, and pauses right after resumes, lose and reorder nothing", async () => {
    const content = randomBytes(2_000_000);
    writeFileSync(join(sessions.folder, "paced"), content);
    const { pty, seen } = sessions.sh("stty raw -echo; cat paced");
    seen.onChunk = () => {
      pty.pause();
      pty.resume();
      pty.pause();
      setImmediate(() => {
        pty.resume();
        pty.pause();
        setImmediate(() => pty.resume());
      });
    };
    await seen.exited();
    expect(seen.all().equals(content)).toBe(true);
  });

  test("a background writer cannot hold up the exit of a session that pauses at every chunk", async () => {
    const { pty, seen } = sessions.sh("stty raw -echo; yes & sleep 0.1; exit 3");
    seen.onChunk = () => {
      pty.pause();
      setImmediate(() => pty.resume());
    };
    expect((await seen.exited()).code).toBe(3);
  });

  test("a paused child's last output and its exit wait for resume", async () => {
    const { pty, seen } = sessions.sh("stty raw -echo; printf '%03000d' 7; exit 9");
    pty.pause();
    await soon(() => expect(isReaped(pty.pid)).toBe(true));
    expect(seen.bytesSeen).toBe(0);
    expect(seen.exits).toEqual([]);
    pty.resume();
    expect(await seen.exited()).toEqual({ code: 9, signal: null });
    expect(seen.text()).toBe("7".padStart(3000, "0"));
  });
});
