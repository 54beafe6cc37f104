// Where commands run when no session is named, beside the terminal, and in programs that mark nothing.
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sharedStand } from "../../fixtures/stand/stand.ts";

// Not about the gate: the person runs, who is not asked.
const { duetty, person, folder, openShell, foregroundOf } = sharedStand();

it("pipe mode has separate stdout and stderr, stdin, exit codes, signals, deadline and resumption", async () => {
  const pipe = (command: string, more: object = {}) => person.run_command({ command, mode: "pipe", ...more });
  expect(await pipe("echo out; echo err >&2; exit 4")).toMatchObject({
    status: "done",
    exit_code: 4,
    mode: "pipe",
    session_id: null,
    output: { head: "out\n" },
    stderr: { head: "err\n" },
  });
  const cwd = folder();
  expect(await pipe("wc -c; pwd", { stdin: "12345", cwd })).toMatchObject({ output: { head: `5\n${cwd}\n` } });
  expect(await person.run_command({ command: "cat", stdin: "auto means pipe here" })).toMatchObject({
    mode: "pipe",
    output: { head: "auto means pipe here" },
  });
  expect((await pipe("kill -KILL $$")).exit_code).toBe(137);
  expect((await pipe("sleep 60 & echo left")).status).toBe("done");
  const go = join(cwd, "go");
  const slow = `echo a; until test -e ${go}; do sleep 0.05; done; echo b; exit 2`;
  const early = await pipe(slow, { timeout_ms: 300 });
  expect(early).toMatchObject({ status: "running", exit_code: null });
  const soFar = async () => (await person.run_command({ resume: early.run_id, timeout_ms: 0 })).output.head;
  await expect.poll(soFar).toBe("a\n");
  fs.writeFileSync(go, "");
  expect(await person.run_command({ resume: early.run_id })).toMatchObject({
    status: "done",
    exit_code: 2,
    output: { head: "a\nb\n" },
  });
  await expect(pipe("true", { cwd: "/no/such/folder" })).rejects.toMatchObject({ code: "cwd.not_found" });
  await expect(person.run_command({ command: "cat", stdin: "x", mode: "pty" })).rejects.toMatchObject({
    code: "input.invalid",
  });
});

it("without a session one is kept for the folder, and two commands at once do not wait for each other", async () => {
  const cwd = folder();
  const run = (command: string) => person.run_command({ command, cwd });
  const first = await run("pwd");
  expect(first).toMatchObject({ status: "done", output: { head: cwd }, mode: "pty" });
  const second = await run("echo again");
  expect(second.session_id).toBe(first.session_id);
  const [slow, quick] = await Promise.all([run("sleep 1.5; echo slow"), run("echo quick")]);
  expect(slow?.session_id).not.toBe(quick?.session_id);
  expect([slow?.output.head, quick?.output.head]).toEqual(["slow", "quick"]);
  const other = folder();
  const elsewhere = await person.run_command({ command: "pwd", cwd: other });
  expect(elsewhere.output.head).toBe(other);
  // A session that has changed its folder is not used for this one again.
  await person.run_command({ command: "cd /", session_id: first.session_id ?? "" });
  expect((await run("pwd")).output.head).toBe(cwd);
  const withEnv = await person.run_command({ command: "echo $COLOUR", cwd, env: { COLOUR: "green" } });
  expect(withEnv.output.head).toBe("green");
});

it("two runs in one session follow each other; each gets its own output", async () => {
  const { session_id } = await openShell();
  const run = (command: string) => person.run_command({ command, session_id });
  const answers = await Promise.all([run("sleep 0.5; echo a"), run("echo b"), run("echo c")]);
  expect(answers.map(({ output }) => output.head)).toEqual(["a", "b", "c"]);
  await expect(person.run_command({ command: "echo", session_id: "nobody" })).rejects.toMatchObject({
    code: "session.not_found",
  });
  const busy = run("sleep 60");
  await expect.poll(() => foregroundOf(session_id)).toBe("sleep");
  const late = person.run_command({ command: "echo late", session_id, timeout_ms: 300 });
  await expect(late).rejects.toMatchObject({ code: "session.busy" });
  await person.signal({ session_id, signal: "INT" });
  expect((await busy).exit_code).toBe(130);
});

it("a plain sh has no blocks; auto runs beside it, pty refuses with a hint", async () => {
  const cwd = folder();
  const info = await person.pty_open({ command: ["sh"], cwd });
  expect(info.integration).toBe("none");
  const { session_id } = info;
  expect(await person.blocks({ session_id })).toMatchObject({ integration: "none", blocks: [], total: 0 });
  const beside = await person.run_command({ session_id, command: "pwd" });
  expect(beside).toMatchObject({ mode: "pipe", output: { head: `${cwd}\n` } });
  const refused = person.run_command({ session_id, command: "pwd", mode: "pty" });
  await expect(refused).rejects.toMatchObject({ code: "run.no_integration", hint: expect.stringContaining("pipe") });
  await expect(person.run_command({ session_id, command: "vim" })).rejects.toMatchObject({
    code: "run.no_integration",
  });
  const off = await person.pty_open({ shell: "/bin/bash", integrate: false });
  expect(off.integration).toBe("none");
});

it("the CLI passes the exit code through and prints what an agent can read", async () => {
  const { session_id } = await openShell();
  const passed = await duetty.cli("run", session_id, "--", "sh", "-c", "echo 'a  b'; exit 9");
  expect(passed).toMatchObject({ code: 9, stdout: "a  b\n", stderr: "" });
  expect(await duetty.cli("run", session_id, "echo $((6*7)) | tr 4 x")).toMatchObject({ code: 0, stdout: "x2\n" });
  expect(await duetty.cli("run", "--session", session_id, "--", "true")).toMatchObject({ code: 0, stdout: "" });
  const slow = await duetty.cli("run", session_id, "--timeout", "300", "--", "sleep", "1");
  expect(slow.code).toBe(11);
  expect(slow.stderr).toContain("running");
  expect((await duetty.cli("run", "--mode", "pipe", "--", "sh", "-c", "exit 3")).code).toBe(3);
  expect((await duetty.cli("run")).code).toBe(2);
  expect((await duetty.cli("run", "nobody", "--", "true")).code).toBe(3);
  const json = await duetty.json<{ exit_code: number; output: { head: string } }>("run", session_id, "--", "false");
  expect(json.exit_code).toBe(1);
  const listed = await duetty.cli("blocks", session_id, "--failed");
  expect(listed.stdout).toMatch(/BLOCK +EXIT +TIME +BY +COMMAND\n/);
  expect(listed.stdout).toContain("false");
  expect(await duetty.cli("block", `${session_id}:1`)).toMatchObject({ code: 0, stdout: "a  b\n" });
  expect((await duetty.cli("block", `${session_id}:99`)).code).toBe(3);
});
