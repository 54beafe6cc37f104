// Commands of agents that name no session: which shell they run in, what the next one finds, and what the answer says of it.
// They run in boxes, as usual.
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectMcp } from "../../fixtures/mcp/clients.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { duetty, person, agent, folder, openBash } = sharedStand();

const liveIn = async (cwd: string) => {
  const { sessions } = await person.pty_list({});
  return sessions
    .filter((one) => one.cwd.startsWith(cwd) && one.state === "running")
    .map(({ session_id }) => session_id);
};

test("a line that changes its folder leaves no shell behind: the same one is brought back, and the answer says so", async () => {
  const cwd = folder({ "sub/a.txt": "a" });
  const mine = agent("mover");
  const first = await mine.run_command({ cwd, command: "cd sub && pwd" });
  expect(first).toMatchObject({ status: "done", output: { head: join(cwd, "sub") } });
  expect(first.hint).toContain(`The next call without a session begins in ${cwd} again`);
  expect(first.hint).toContain(String(first.session_id));
  for (let i = 0; i < 3; i += 1) {
    const again = await mine.run_command({ cwd, command: "cd sub && pwd" });
    expect(again).toMatchObject({ session_id: first.session_id, output: { head: join(cwd, "sub") } });
  }
  expect(await mine.run_command({ cwd, command: "pwd" })).toMatchObject({ output: { head: cwd } });
  expect(await liveIn(cwd)).toEqual([first.session_id]);
});

test("a shell that its owner moved by name stays there, and the next call says why it ran in another", async () => {
  const cwd = folder({ "sub/a.txt": "a" });
  const mine = agent("named");
  const { session_id } = await mine.run_command({ cwd, command: "true" });
  await mine.run_command({ session_id: session_id ?? "", command: "cd sub" });
  const other = await mine.run_command({ cwd, command: "pwd" });
  expect(other.session_id).not.toBe(session_id);
  expect(other).toMatchObject({
    output: { head: cwd },
    hint: expect.stringContaining(`${session_id} is in another folder`),
  });
  expect(await mine.run_command({ session_id: session_id ?? "", command: "pwd" })).toMatchObject({
    output: { head: join(cwd, "sub") },
  });
});

test("exit ends the session: its answer says so, the next call says that it has ended, and naming it asks nobody", async () => {
  const cwd = folder();
  const mine = agent("leaver");
  const ended = await mine.run_command({ cwd, command: "exit 3" });
  expect(ended).toMatchObject({ status: "done", exit_code: 3, hint: expect.stringContaining("ended with it") });
  const session_id = ended.session_id ?? "";
  expect(await mine.run_command({ cwd, command: "true" })).toMatchObject({
    hint: expect.stringContaining(`${session_id} has ended`),
  });
  await expect(mine.run_command({ session_id, command: "npm install left-pad" })).rejects.toMatchObject({
    code: "session.ended",
  });
  const python = await mine.pty_open({ command: ["python3"], cwd });
  await person.pty_close({ session_id: python.session_id });
  await expect(mine.run_command({ session_id: python.session_id, command: "ls" })).rejects.toMatchObject({
    code: "session.ended",
  });
  expect((await person.approvals({ all: true })).approvals.filter(({ actor }) => actor === "agent:leaver")).toEqual([]);
});

test("a shell with a server in the background outlives ten other folders; curl reaches it in that session alone", async () => {
  const mine = agent("server");
  const cwd = folder({
    "server.js": "require('http').createServer((_, r) => r.end('served')).listen(8311, '127.0.0.1')",
  });
  const serve = "node server.js &";
  const begun = await mine.run_command({ cwd, command: serve });
  const session_id = begun.session_id ?? "";
  expect(begun.hint).toContain(`runs on in session ${session_id}`);
  for (let i = 0; i < 10; i += 1) await mine.run_command({ cwd: folder(), command: "true" });
  const curl = "curl -sS --retry 50 --retry-connrefused --retry-delay 1 http://127.0.0.1:8311/";
  expect(await mine.run_command({ session_id, command: curl, timeout_ms: 60_000 })).toMatchObject({
    exit_code: 0,
    output: { head: "served" },
  });
  await mine.run_command({ session_id, command: "sleep 600", timeout_ms: 0 });
  const instead = await mine.run_command({ cwd, command: "true" });
  expect(instead.hint).toContain(`${session_id} is busy. A server in it is reached only from it`);
  const elsewhere = await mine.run_command({ cwd: folder(), command: "curl -sS http://127.0.0.1:8311/" });
  expect(elsewhere.exit_code).not.toBe(0);
  expect(elsewhere.refused?.[0]?.hint).toContain("in the same session with `CMD &`");
  expect((await person.approvals({ all: true })).approvals.filter(({ actor }) => actor === "agent:server")).toEqual([]);
}, 180_000);

test("export acts in a session that an agent opened; no pager opens there", async () => {
  const cwd = folder({ "lib/here.py": "print('found')\n" });
  const mine = agent("setter");
  const { session_id } = await mine.pty_open({ cwd });
  const run = async (command: string) => (await mine.run_command({ session_id, command })).output.head;
  await run("export PYTHONPATH=$PWD/lib");
  expect(await run("python3 -m here")).toBe("found");
  expect(await run("echo $PAGER $GIT_PAGER $MANPAGER")).toBe("cat cat cat");
  const theirs = await openBash({ cwd });
  const kept = await person.run_command({ session_id: theirs, command: "printenv GIT_PAGER || echo none" });
  expect(kept.output.head).toBe("none");
  // In a person's shell it ends with its line.
  await mine.run_command({ session_id: theirs, command: "export PYTHONPATH=$PWD/lib" });
  expect(await person.run_command({ session_id: theirs, command: "printenv PYTHONPATH || echo none" })).toMatchObject({
    output: { head: "none" },
  });
});

test("a half line refuses at once, and a caller that names a time waits for it", async () => {
  const session_id = await openBash({ cwd: folder() });
  await person.pty_send({ session_id, text: "echo ha''lf", then: { any: [{ text: "ha''lf" }] } });
  await expect(agent().run_command({ session_id, command: "pwd" })).rejects.toMatchObject({ code: "prompt.busy" });
  const waiting = agent().run_command({ session_id, command: "echo mine", timeout_ms: 600_000 });
  await person.pty_send({ session_id, keys: ["Enter"], then: { any: [{ text: "half" }] } });
  expect(await waiting).toMatchObject({ status: "done", output: { head: "mine" } });
});

test("what was left out names the tool that has all of it", async () => {
  await using mcp = await connectMcp(duetty);
  const cwd = folder();
  const told = await mcp.call("run_command", { cwd, command: "seq 1 5000", max_output_chars: 200 });
  expect(told.text).toMatch(/\[… \d+ bytes omitted; block b_\w+ has all of it …\]/);
});
