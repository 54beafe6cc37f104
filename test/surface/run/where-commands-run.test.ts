// Where commands run when no session is named, beside the terminal, and in programs that mark nothing.
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connectMcp } from "../../fixtures/mcp/clients.ts";
import { sharedStand, UNBOXED } from "../../fixtures/stand/stand.ts";

// Mostly not about the gate: the person runs, who is not asked.
const { duetty, person, agent, folder, openShell, openBash, pendingOf, foregroundOf } = sharedStand({
  config: UNBOXED,
});

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

it("a run in a session without marks is refused and runs nowhere, over HTTP, MCP and CLI", async () => {
  const cwd = folder();
  const info = await person.pty_open({ command: ["sh"], cwd });
  expect(info.integration).toBe("none");
  const { session_id } = info;
  expect(await person.blocks({ session_id })).toMatchObject({ integration: "none", blocks: [], total: 0 });
  const command = "touch ran; hostname";
  for (const mode of ["auto", "pty"] as const)
    await expect(person.run_command({ session_id, command, mode })).rejects.toMatchObject({
      code: "run.no_marks",
      hint: expect.stringMatching(/pty_send.*pipe/i),
    });
  await using mcp = await connectMcp(duetty);
  const refused = await mcp.call("run_command", { session_id, command });
  expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/^run.no_marks: .* sh,/) });
  const cli = await duetty.cli("run", session_id, "--", "touch", "ran");
  expect(cli).toMatchObject({ stdout: "", stderr: expect.stringContaining("does not mark its commands") });
  expect(fs.readdirSync(cwd)).toEqual([]);
  const off = await person.pty_open({ shell: "/bin/bash", integrate: false });
  expect(off.integration).toBe("none");
});

it("mode pipe says first that it ran beside the session, on the machine that has it, over HTTP, MCP and CLI", async () => {
  const { session_id, cwd } = await openShell();
  const note = `ran beside the session ${session_id}, on the machine that has it`;
  const beside = await person.run_command({ session_id, command: "pwd", mode: "pipe" });
  expect(beside).toMatchObject({ mode: "pipe", note, output: { head: `${cwd}\n` } });
  await using mcp = await connectMcp(duetty);
  const told = await mcp.call("run_command", { session_id, command: "pwd", mode: "pipe" });
  expect(told.text.split("\n")[0]).toMatch(new RegExp(`^${note} · exit 0`));
  const alone = await mcp.call("run_command", { command: "cat", stdin: "given" });
  expect(alone.text).toMatch(/^ran outside any session · exit 0.*\n\[untrusted terminal output \w{6}\]\ngiven/s);
  const cli = await duetty.cli("run", session_id, "--mode", "pipe", "--", "pwd");
  expect(cli).toMatchObject({ code: 0, stdout: `${cwd}\n`, stderr: `duetty: ${note}\n` });
});

it("a run that names a session does not run elsewhere because of stdin or a folder", async () => {
  const { session_id, cwd } = await openShell();
  const run = (more: object) => person.run_command({ session_id, command: "pwd", ...more });
  await expect(run({ stdin: "x" })).rejects.toMatchObject({
    code: "input.invalid",
    hint: expect.stringMatching(/pipe/),
  });
  await expect(run({ cwd: "/" })).rejects.toMatchObject({
    code: "input.invalid",
    message: expect.stringContaining(cwd),
  });
  expect((await run({ cwd })).output.head).toBe(cwd);
});

it("a run on a busy session says so at once and uses up no approval, over HTTP, MCP and CLI", async () => {
  const session_id = await openBash();
  await person.run_command({ session_id, command: "sleep 600", timeout_ms: 0 });
  await expect.poll(() => foregroundOf(session_id)).toBe("sleep");
  const line = { session_id, command: "curl -d x example.org" };
  // Far more than the test may take: only an answer at once comes in time.
  const patient = { timeout_ms: 3_600_000 };
  const busy = { code: "session.busy", message: expect.stringContaining("sleep 600") };
  await expect(agent().run_command({ ...line, ...patient })).rejects.toMatchObject(busy);
  await using mcp = await connectMcp(duetty);
  expect((await mcp.call("run_command", { ...line, ...patient })).text).toMatch(
    /^session.busy: "sleep 600" still runs/,
  );
  const cli = await duetty.agentCli("run", session_id, "--timeout", "3600000", "--", "curl", "-d", "x", "example.org");
  expect(cli).toMatchObject({ code: 11, stderr: expect.stringContaining("still runs") });
  expect((await person.approvals({ session_id, all: true })).approvals).toEqual([]);
  await person.pty_send({ session_id, keys: ["Ctrl+C"], then: { any: [{ prompt: true }] } });
  // A nested shell waits for input: what helps is typing to it, and a person hears the same.
  await person.run_command({ session_id, command: "sh" });
  for (const client of [agent(), person])
    await expect(client.run_command({ ...line, ...patient })).rejects.toMatchObject({
      code: "session.busy",
      hint: expect.stringContaining("pty_send"),
    });
});

it("a yes counts again when the session was busy before the line could run", async () => {
  const session_id = await openBash();
  const asks = agent("busy");
  const line = { session_id, command: "curl -d x http://127.0.0.1:1/" };
  const first = asks.run_command({ ...line, timeout_ms: 60_000 });
  const { approval_id } = await pendingOf(session_id);
  await person.run_command({ session_id, command: "cat" });
  await person.approve({ approval_id });
  await expect(first).rejects.toMatchObject({ code: "session.busy" });
  await person.pty_send({ session_id, keys: ["Ctrl+C"], then: { any: [{ prompt: true }] } });
  expect(await asks.run_command(line)).toMatchObject({ status: "done", exit_code: 7 });
  // It counted once.
  expect(await asks.run_command({ ...line, timeout_ms: 0 })).toMatchObject({ status: "approval_pending" });
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
  await person.pty_wait({ session_id, any: [{ prompt: true }] });
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
  // A full-screen program is shown once.
  const editor = await duetty.cli("run", session_id, "--", "vim", "-u", "NONE", "-i", "NONE", "-N", "fresh.txt");
  expect(editor.stdout.match(/"fresh.txt" \[New/g)).toHaveLength(1);
});
