// Whole sessions in a box: everything that works in a plain one works, and the kernel keeps the rest out.
import fs from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { processTable } from "../../../src/host/process/table.ts";
import { git } from "../../fixtures/git.ts";
import { ANY_SHELL, SHELLS } from "../../fixtures/stand/shells.ts";
import { sharedStand, stand } from "../../fixtures/stand/stand.ts";

const { duetty, person, agent, folder, openShell, foregroundOf, stateOf } = sharedStand();

test("a box opens the folders that were judged, and none that a link in their place leads to at its start", async () => {
  const [cwd, other] = [folder({ "sub/here.txt": "" }), folder()];
  const sub = join(cwd, "sub");
  const eve = agent("eve");
  const { session_id, box } = await eve.pty_open({ cwd: sub, box: { roots: [sub] }, lazy: true });
  expect(box?.roots).toEqual([sub]);
  fs.rmSync(sub, { recursive: true });
  fs.symlinkSync(other, sub);
  const wrong = { code: "box.refused", message: "a folder of its box leads elsewhere now" };
  await expect(eve.pty_send({ session_id, text: "touch made\r" })).rejects.toMatchObject(wrong);
  expect(fs.readdirSync(other)).toEqual([]);
});

describe.each(SHELLS)("%s in a box", (kind) => {
  test("marks its commands, keeps their exit codes and its state", async () => {
    const cwd = folder({ "here.txt": "here\n" });
    const { session_id, box, integration } = await openShell(kind, { cwd, box: true });
    expect({ box, integration }).toEqual({ box: { network: [], roots: [cwd] }, integration: kind });
    const run = (command: string) => person.run_command({ session_id, command, timeout_ms: 20_000 });
    expect(await run("cat here.txt; false")).toMatchObject({
      status: "done",
      exit_code: 1,
      output: { head: "here" },
    });
    expect(await run("mkdir sub; cd sub; pwd")).toMatchObject({ exit_code: 0, output: { head: `${cwd}/sub` } });
    expect((await person.status({ session_id })).session?.cwd).toBe(join(cwd, "sub"));
    const { blocks } = await person.blocks({ session_id });
    expect(blocks.map(({ cmd, exit_code }) => ({ cmd, exit_code }))).toEqual([
      { cmd: "cat here.txt; false", exit_code: 1 },
      { cmd: "mkdir sub; cd sub; pwd", exit_code: 0 },
    ]);
  });
});

describe.each(ANY_SHELL)("a session with %s in a box", (kind) => {
  test("is found behind its box: prompt, program in front, what waits, Ctrl+C", async () => {
    const { session_id } = await openShell(kind, { cwd: folder(), box: true });
    await expect.poll(() => foregroundOf(session_id)).toBe(kind);
    const asked = await person.run_command({ session_id, command: "head -n 1", timeout_ms: 20_000 });
    expect(asked.status).toBe("waiting_for_input");
    expect(await foregroundOf(session_id)).toBe("head");
    expect(await stateOf(session_id)).toBe("waiting_for_input");
    await person.pty_send({ session_id, keys: ["Ctrl+C"], then: { any: [{ prompt: true }], timeout_ms: 20_000 } });
    await expect.poll(() => foregroundOf(session_id)).toBe(kind);
    await person.pty_send({ session_id, text: "sleep 1000\r" });
    await expect.poll(() => foregroundOf(session_id)).toBe("sleep");
    expect(await person.signal({ session_id, signal: "TERM" })).toMatchObject({ delivered: true });
    await person.pty_wait({ session_id, any: [{ prompt: true }] });
    expect(await stateOf(session_id)).toBe("running");
  });

  test("goes on after the daemon was killed, and leaves no process when it is closed", async () => {
    await using s = await stand();
    const { session_id } = await s.openShell(kind, { cwd: s.folder(), box: true });
    await s.duetty.killDaemon();
    await s.duetty.status();
    const ran = await s.person.run_command({ session_id, command: "touch /etc/no", timeout_ms: 20_000 });
    expect(ran).toMatchObject({ status: "done", exit_code: 1 });
    expect((await s.person.status({ session_id })).session).toMatchObject({ box: { network: [] } });
    await s.person.pty_send({ session_id, text: "sleep 1001 &\r", then: { any: [{ prompt: true }] } });
    await s.person.pty_close({ session_id });
    const left = processTable().filter((row) => row.environ().includes(`DUETTY_SESSION_ID=${session_id}`));
    expect(left).toEqual([]);
  });
});

test("Ctrl+C interrupts a program in a box, and does not end the box", async () => {
  const { session_id } = await person.pty_open({ command: ["python3", "-q"], box: true, cwd: folder() });
  await person.pty_wait({ session_id, any: [{ text: ">>>" }], since: 0 });
  // Python shows its prompt a moment before it waits for keys, and forgets a Ctrl+C that comes in between.
  await person.pty_wait({ session_id, any: [{ input: true }], since: 0 });
  const stopped = await person.pty_send({
    session_id,
    keys: ["Ctrl+C"],
    then: { any: [{ text: "KeyboardInterrupt" }], timeout_ms: 20_000 },
  });
  expect(stopped.outcome).toBe("matched");
  const sum = await person.pty_send({
    session_id,
    text: "40+2\r",
    then: { any: [{ text: "42" }], timeout_ms: 20_000 },
  });
  expect(sum.outcome).toBe("matched");
});

test("sessions of agents are boxed, those of people are not", async () => {
  const cwd = folder();
  expect(await agent().pty_open({ cwd })).toMatchObject({ box: { network: [], roots: [cwd] } });
  expect(await person.pty_open({ cwd })).toMatchObject({ box: null });
  const { stdout } = await duetty.cli("open", "--box", "--json", "--cwd", cwd);
  expect(JSON.parse(stdout)).toMatchObject({ box: { roots: [cwd] } });
});

test("once a box is there, the daemon keeps nothing of its folders open", async () => {
  const cwd = folder();
  const { session_id } = await agent().pty_open({ command: ["/bin/bash", "--norc", "-i"], cwd });
  await agent().pty_wait({ session_id, any: [{ prompt: true }] });
  const { pid } = (await duetty.status()).daemon;
  const open = () => fs.readdirSync(`/proc/${pid}/fd`).flatMap((fd) => linkOf(`/proc/${pid}/fd/${fd}`) ?? []);
  await expect.poll(() => open().filter((path) => path.startsWith(cwd))).toEqual([]);
});

/** Undefined: it is closed by now. */
function linkOf(path: string): string | undefined {
  try {
    return fs.readlinkSync(path);
  } catch {
    return undefined;
  }
}

test("an agent cannot leave the box or widen it", async () => {
  const cwd = folder();
  const refused = { code: "box.refused" };
  await expect(agent().pty_open({ cwd, box: false })).rejects.toMatchObject(refused);
  await expect(agent().pty_open({ cwd, box: { roots: ["/var/cache"] } })).rejects.toMatchObject(refused);
  await expect(agent().pty_open({ cwd, box: { network: ["example.invalid"] } })).rejects.toMatchObject(refused);
});

test("a protected file that the person replaces meanwhile is protected again, also by the next daemon; a link stays", async () => {
  await using s = await stand();
  const cwd = s.folder({ ".envrc": "old\n", "shared/settings.json": "{}" });
  git(cwd, "init", "-q");
  fs.symlinkSync("shared", join(cwd, ".vscode"));
  const { session_id } = await s.openShell("bash", { cwd, box: true });
  const run = async (command: string) => {
    const { output } = await s.person.run_command({ session_id, command, timeout_ms: 20_000 });
    return output.head;
  };
  const files = [".git/config", ".envrc", ".mcp.json"];
  const replaceAll = () => {
    git(cwd, "config", "person.time", String(Date.now()));
    fs.rmSync(join(cwd, ".mcp.json"), { recursive: true, force: true });
    for (const name of [".envrc", ".mcp.json"]) {
      fs.writeFileSync(join(cwd, "beside"), "mine\n");
      fs.renameSync(join(cwd, "beside"), join(cwd, name));
    }
  };
  const areProtected = async () => {
    const mounts = async () => (await run("cut -d ' ' -f 5 /proc/self/mountinfo")).split(/\r?\n/);
    for (const name of [...files, ".vscode"]) await expect.poll(mounts).toContain(join(cwd, name));
    const tries = files.map((name) => `echo x >>${name} && echo ESCAPED; mv ${name} x && echo ESCAPED`);
    expect(
      await run([...tries, "rm .vscode && echo ESCAPED", "echo x >>.vscode/settings.json && echo ESCAPED"].join("; ")),
    ).not.toContain("ESCAPED");
    expect(fs.readFileSync(join(cwd, ".envrc"), "utf8")).toBe("mine\n");
  };
  replaceAll();
  await areProtected();
  await s.duetty.killDaemon();
  replaceAll();
  await s.duetty.status();
  await areProtected();
});

test("S11: a secret that the person replaces or makes meanwhile is hidden, also by the next daemon", async () => {
  await using s = await stand();
  const home = join(s.duetty.folder, "home");
  const write = (name: string, text: string) => {
    fs.mkdirSync(dirname(join(home, name)), { recursive: true });
    fs.writeFileSync(join(home, `${name}.new`), text);
    fs.renameSync(join(home, `${name}.new`), join(home, name));
  };
  const secrets = [".netrc", ".pgpass", ".ssh/key", ".gem/credentials"];
  write(".netrc", "canary");
  write(".ssh/key", "canary");
  const { session_id } = await s.openShell("bash", { cwd: s.folder(), box: true });
  const read = async () => {
    const command = `cd '${home}' && cat ${secrets.join(" ")}; echo READ`;
    return (await s.person.run_command({ session_id, command, timeout_ms: 20_000 })).output.head;
  };
  const areHidden = async () => {
    await expect.poll(read).not.toContain("canary");
    expect(await read()).toContain("READ");
  };
  const replaceAll = () => {
    fs.rmSync(join(home, ".ssh"), { recursive: true });
    for (const name of secrets) write(name, "canary");
  };
  await areHidden();
  replaceAll();
  await areHidden();
  await s.duetty.killDaemon();
  replaceAll();
  await s.duetty.status();
  await areHidden();
});

test("S12: a link that a session's box lays where git writes is removed while the box is open", async () => {
  await using s = await stand();
  const cwd = s.folder();
  git(cwd, "init", "-q");
  const { session_id } = await s.openShell("bash", { cwd, box: true });
  const lay = () =>
    s.person.run_command({ session_id, command: "ln -s /etc/passwd .git/COMMIT_EDITMSG", timeout_ms: 20_000 });
  const areGone = () => expect.poll(() => fs.readdirSync(join(cwd, ".git"))).not.toContain("COMMIT_EDITMSG");
  expect(await lay()).toMatchObject({ exit_code: 0 });
  await areGone();
  await s.duetty.killDaemon();
  await s.duetty.status();
  expect(await lay()).toMatchObject({ exit_code: 0 });
  await areGone();
});

test("a plain sh that an agent opens is in a box, so nobody is asked about its lines", async () => {
  const cwd = folder({ "here.txt": "" });
  const { session_id } = await agent().pty_open({ command: ["sh"], cwd });
  const then = { any: [{ text: "here.txt" }] };
  const sent = await agent().pty_send({ session_id, text: "touch /etc/no; ls\n", then });
  expect(sent.matched).toBe("here.txt");
  expect((await person.approvals({ session_id })).approvals).toEqual([]);
  expect(fs.existsSync("/etc/no")).toBe(false);
});

test("without bubblewrap nothing that asks for a box runs, and agents work by the rules without one", async () => {
  await using s = await stand({ env: { PATH: "/nowhere" } });
  expect((await s.person.status({})).box).toEqual({ available: false, why: "bubblewrap (bwrap) is not installed" });
  await expect(s.person.pty_open({ shell: "/bin/bash", box: true })).rejects.toMatchObject({ code: "box.unavailable" });
  expect(await s.agent().pty_open({ shell: "/bin/bash" })).toMatchObject({ box: null });
  const { checks } = await s.person.doctor({});
  expect(checks.find(({ name }) => name === "box")).toMatchObject({
    ok: false,
    hint: expect.stringContaining("apt-get install bubblewrap"),
  });
});
