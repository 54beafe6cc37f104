// The command line as a script uses it: real processes, exit codes, JSON, errors with hints.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { helpLocal, helpVerb } from "../../src/cli/help.ts";
import { loadVerbs } from "../../src/cli/verb-table.ts";
import type { Output } from "../../src/protocol/ops.ts";
import { BIN, Installation, runCli } from "../fixtures/stand/installation.ts";
import { sharedStand } from "../fixtures/stand/stand.ts";

const { duetty, folder } = sharedStand({ daemon: "later" });

type Info = Output<"pty_open">;
type Screen = Output<"pty_read_screen">;

describe("a session's life", () => {
  it("starts everything from a cold machine, opens a shell and prints its id", async () => {
    const opened = await duetty.cli("open", "--name", "first");
    expect(opened).toMatchObject({ code: 0, stderr: "" });
    expect(opened.stdout).toMatch(/^s_[0-9a-z]{8}\n$/);
    const status = await duetty.status();
    expect(status.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(status.daemon.pid).not.toBe(status.holder.pid);
    expect(status.http.port).toBe(duetty.port);
  });

  it("bare duetty leads to a session in the folder where it is called, and to the same one again", async () => {
    const cwd = fs.realpathSync(folder());
    const bare = async () => /session (s_[0-9a-z]{8});/.exec((await runCli({ env: duetty.env, cwd })).stdout)?.[1];
    const id = await bare();
    const { sessions } = await duetty.json<Output<"pty_list">>("ls");
    expect(sessions.find(({ session_id }) => session_id === id)?.cwd).toBe(cwd);
    expect(await bare()).toBe(id);
  });

  it("types, waits and shows in one call", async () => {
    const sent = await duetty.cli(
      "send",
      "first",
      "--text",
      "echo sum $((40+2))",
      "--keys",
      "Enter",
      "--wait-text",
      "sum 42",
      "--see",
    );
    expect(sent.code).toBe(0);
    expect(sent.stdout).toContain("matched: sum 42");
    expect(sent.stdout).toMatch(
      /^\[Terminal Screen - 120x36 - Alt Screen: No - Cursor: \(\d+, \d+\) - Seq: \d+ - Hash: [0-9a-f]{12} - Echo: /m,
    );
    expect(sent.stdout.trimEnd()).toMatch(/\[End Terminal Screen\]$/);
  });

  it("a session is found by id, prefix and name, and is in the list", async () => {
    const { session_id } = await duetty.json<Info>("open", "--name", "second", "--", "cat");
    for (const ref of [session_id, session_id.slice(0, 7), "second"]) {
      expect((await duetty.json<Screen>("see", ref)).session_id).toBe(session_id);
    }
    expect((await duetty.cli("ls")).stdout).toMatch(new RegExp(`${session_id}\\s+second\\s+running\\s+120x36`));
    expect((await duetty.cli("close", "second")).code).toBe(0);
    const closed = (await duetty.json<Output<"pty_list">>("ls")).sessions.find((s) => s.session_id === session_id);
    expect(closed).toMatchObject({ state: "done", pid: null });
  });

  it("gives command, folder, environment and size to the program", async () => {
    const script = 'pwd; echo "$GREETING/$HOME_GONE/$TERM"; stty size; exit 3';
    const flags = ["--cwd", "/usr", "--env", "GREETING=hi there", "--env", "HOME", "--cols", "90", "--rows", "20"];
    const { session_id } = await duetty.json<Info>(
      "open",
      ...flags,
      "--",
      "sh",
      "-c",
      script.replace("HOME_GONE", "HOME"),
    );
    await duetty.cli("wait", session_id, "--exit");
    const screen = await duetty.json<Screen>("see", session_id);
    expect(screen.rows.slice(0, 3)).toEqual(["/usr", "hi there//xterm-256color", "20 90"]);
    const { session } = await duetty.json<Output<"status">>("status", session_id);
    expect(session).toMatchObject({ state: "failed", exit_code: 3, signal: null, cols: 90, rows: 20 });
  });

  it("stays pending until its first use when opened lazily", async () => {
    const { session_id, state, pid } = await duetty.json<Info>("open", "--lazy", "--", "cat");
    expect({ state, pid }).toEqual({ state: "pending", pid: null });
    expect((await duetty.json<Screen>("see", session_id)).state).toBe("pending");
    const sent = await duetty.cli("send", session_id, "--text", "now", "--wait-text", "now");
    expect(sent.code).toBe(0);
    expect((await duetty.json<Screen>("see", session_id)).state).toBe("running");
    await duetty.cli("close", session_id);
  });

  it("delivers signals to the foreground and tells how the program ended", async () => {
    const { session_id } = await duetty.json<Info>("open", "--", "sleep", "600");
    const foreground = async () => (await duetty.json<Screen>("see", session_id)).foreground?.name;
    await expect.poll(foreground).toBe("sleep");
    expect((await duetty.cli("signal", session_id, "TERM")).code).toBe(0);
    expect((await duetty.cli("wait", session_id, "--exit")).stdout).toBe("matched: exit\n");
    const { session } = await duetty.json<Output<"status">>("status", session_id);
    expect(session).toMatchObject({ state: "failed", exit_code: null, signal: "SIGTERM" });
  });

  it("takes values that begin with a minus", async () => {
    expect((await duetty.cli("see", "first", "--at", "-1s")).code).toBe(0);
    const { stderr } = await duetty.cli("send", "first", "--scroll", "-3");
    expect(stderr).toContain("mouse");
  });

  it("reads folders relative to where it was called, in every verb", async () => {
    const here = process.cwd();
    expect((await duetty.json<Output<"checks">>("checks")).cwd).toBe(here);
    expect((await duetty.json<Output<"checks">>("checks", "src")).cwd).toBe(`${here}/src`);
    const { session_id, cwd } = await duetty.json<Info>("open", "--cwd", "src", "--", "cat");
    expect(cwd).toBe(`${here}/src`);
    expect((await duetty.json<Output<"checks">>("checks", "--session", session_id)).cwd).toBe(cwd);
  });

  it("runs one word as a command line, in the session that a flag names", async () => {
    const { session_id } = await duetty.json<Info>("open", "--shell", "/bin/bash");
    const ran = await duetty.json<Output<"run_command">>("run", "--session", session_id, "echo $((6*7))");
    expect(ran).toMatchObject({ session_id, status: "done", output: { head: "42" } });
  });

  it("explains many lines from standard input, by the policy of the session that was named", async () => {
    const { session_id } = await duetty.json<Info>("open", "--", "cat");
    await duetty.cli("policy", session_id, "--level", "always_allow", "--safe-mode", "off");
    const child = spawn(process.execPath, [BIN, "explain", "--stdin", "--session", session_id], { env: duetty.env });
    child.stdin.end('"npm test"\nfrobnicate it\n');
    const lines = (await child.stdout.setEncoding("utf8").toArray()).join("").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { command: "npm test", verdict: "allow" },
      { command: "frobnicate it", class: "unknown", verdict: "allow" },
    ]);
  });

  it("hands out the exact bytes", async () => {
    const { session_id } = await duetty.json<Info>("open", "--", "sh", "-c", "printf 'a\\tb\\033[1mc\\n'");
    await duetty.cli("wait", session_id, "--exit");
    expect((await duetty.cli("raw", session_id)).stdout).toBe("a\tb\x1b[1mc\r\n");
    const part = await duetty.json<Output<"pty_read_raw">>("raw", session_id, "--from", "3");
    expect(Buffer.from(part.base64, "base64").toString()).toBe("\x1b[1mc\r\n");
    expect(part).toMatchObject({ from: 3, next: 10, total: 10 });
  });
});

describe("what goes wrong", () => {
  it.each([
    [["see", "nobody"], 3, "no session is called"],
    [["open", "--", "no-such-program"], 1, "no-such-program"],
    [["open", "--cwd", "/no/such/folder"], 1, "/no/such/folder"],
    [["send", "first", "--keys", "Foo"], 2, "no key is named"],
    [["send", "first"], 2, "nothing to send"],
    [["frobnicate"], 2, "no verb"],
    [["see", "first", "--colour"], 2, "see has no flag --colour (duetty see --help)"],
    [["see", "first", "--at"], 2, "--at needs a value"],
    [["see", "first", "--zones=all"], 2, "--zones takes no value"],
    [["attach", "first", "--colour"], 2, "attach has no flag --colour"],
    [["resize", "first", "wide"], 2, "whole number"],
    [["resize", "first", "1", "1"], 2, "cols"],
    [["wait", "first"], 2, "wait needs a condition"],
    [["wait", "first", "--regex", "("], 2, "regular expression"],
    [["wait", "first", "--text", "never to be seen", "--timeout", "60"], 11, ""],
    [["signal", "first", "BOGUS"], 2, "no signal"],
    [["see"], 2, "needs SESSION (duetty see --help)"],
    [["run"], 2, "needs COMMAND"],
    [["run", "first", "--"], 2, "needs COMMAND"],
    [["serve", "now"], 2, "one argument too many"],
    [["replay"], 2, "needs SESSION"],
  ])("%j exits with %i", async (args, code, words) => {
    const ran = await duetty.cli(...args);
    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain(words);
    expect(ran.stderr).not.toMatch(/\bat \S+:\d+:\d+/);
  });

  it("says of each agent what it needs, in rows of whole words, and leaves no session behind when none can be asked", async () => {
    const sessions = async () => (await duetty.json<Output<"pty_list">>("ls", "--all")).sessions.length;
    const before = await sessions();
    expect(await duetty.cli("ask", "hello")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("No language model is set up"),
    });
    expect(await sessions()).toBe(before);
    const { stdout } = await duetty.cli("agents");
    expect(stdout.split(/\s+/)).toContain("OPENAI_API_KEY,");
    expect(Math.max(...stdout.split("\n").map((row) => row.length))).toBeLessThanOrEqual(80);
  });

  it("leaves no session behind when the command does not exist", async () => {
    const before = (await duetty.json<Output<"pty_list">>("ls")).sessions.length;
    await duetty.cli("open", "--", "no-such-program");
    expect((await duetty.json<Output<"pty_list">>("ls")).sessions).toHaveLength(before);
  });

  it("refuses to type into an ended session, and still shows it", async () => {
    const { session_id } = await duetty.json<Info>("open", "--", "echo", "last words");
    await duetty.cli("wait", session_id, "--exit");
    const sent = await duetty.cli("send", session_id, "--text", "x");
    expect(sent.code).toBe(4);
    expect((await duetty.cli("see", session_id)).stdout).toContain("last words");
    expect((await duetty.cli("wait", session_id, "--text", "more")).code).toBe(4);
  });

  it("reports errors as JSON when asked", async () => {
    const { stdout } = await duetty.cli("see", "nobody", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: "session.not_found", hint: expect.stringContaining("duetty ls") },
    });
  });

  it("survives a reader that goes away", async () => {
    const child = spawn("sh", ["-c", `"${process.execPath}" "${BIN}" --help | head -1; echo done`], {
      env: duetty.env,
    });
    let out = "";
    for await (const part of child.stdout) out += part;
    expect(out).toBe("duetty: one terminal, two pairs of hands\ndone\n");
  });
});

it("history is as long as config.json says, and a broken config.json is refused clearly", async () => {
  await using other = new Installation();
  other.configure({ scrollback_lines: 5_000 });
  const { session_id } = await other.json<Info>("open", "--cols", "80", "--rows", "10", "--", "seq", "1", "4000");
  await other.cli("wait", session_id, "--exit");
  expect((await other.json<Screen>("see", session_id, "--scrollback", "4500")).scrollback.length).toBeGreaterThan(
    3_900,
  );
  await other.cli("shutdown");
  other.configure({ scrollback: 1 });
  const broken = await other.cli("status");
  expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining("config.json") });
  fs.rmSync(other.home.config);
});

describe("help and health", () => {
  it("explains every verb within 80 columns, with an example", async () => {
    const all = (await duetty.cli("--help")).stdout;
    const verbs = [...all.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, verb]) => verb ?? "");
    expect(verbs).toEqual(
      expect.arrayContaining([
        "open",
        "ls",
        "see",
        "raw",
        "send",
        "wait",
        "resize",
        "signal",
        "close",
        "attach",
        "serve",
        "shutdown",
        "doctor",
      ]),
    );
    // A program for each verb would take longer than the rest of this file: two are asked for, one of each kind.
    const explained = (verb: string) => {
      const forms = loadVerbs().filter((one) => one.verb === verb || one.verb.startsWith(`${verb} `));
      return forms.length > 0 ? forms.map(helpVerb).join("\n\n") : (helpLocal(verb) ?? "");
    };
    for (const verb of ["open", "attach"])
      expect(await duetty.cli(verb, "--help")).toMatchObject({ code: 0, stdout: `${explained(verb)}\n` });
    for (const verb of verbs.filter((word) => word !== "duetty")) {
      const text = explained(verb);
      expect(text).toContain(`duetty ${verb}`);
      for (const line of text.split("\n").filter((row) => !row.startsWith("  duetty ")))
        expect(line.length).toBeLessThanOrEqual(80);
    }
  });

  it("finds this installation healthy", async () => {
    const { checks } = await duetty.json<Output<"doctor">>("doctor");
    expect(checks.filter((check) => !check.ok)).toEqual([]);
  });
});
