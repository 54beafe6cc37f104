// Where an agent's lines run: in a shell of a person's, in a boxed session, beside the terminal, and where there are no boxes.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Call } from "../../../src/protocol/ops.ts";
import { ANY_SHELL, SHELLS } from "../../fixtures/stand/shells.ts";
import { type Stand, sharedStand, stand } from "../../fixtures/stand/stand.ts";

const it = sharedStand({ agent: "one" });
const { person, agent, folder, openGatedShell, pendingOf } = it;
/** For calls that end in a question. */
const BRIEF = { timeout_ms: 300 };
const LONG = { timeout_ms: 30_000 };
/** More than a shell would throw away by itself, in calls of some size. */
const FLOOD_BYTES = 2 << 20;
const SENT_BYTES = 250_000;

/** A boxed session of an agent's, at its prompt. */
async function openBoxed(s: Pick<Stand, "agent"> = it, cwd = folder()): Promise<{ session_id: string; cwd: string }> {
  const { session_id, box } = await s.agent().pty_open({ command: ["/bin/bash", "--norc", "-i"], cwd });
  expect(box).toMatchObject({ roots: [cwd] });
  await s.agent().pty_wait({ session_id, any: [{ prompt: true }] });
  return { session_id, cwd };
}

const asked = async (session_id: string): Promise<number> =>
  (await person.approvals({ session_id, all: true })).approvals.length;

describe.each(SHELLS)("a person's %s", (kind) => {
  test("a line that nobody was asked about runs in a box: safe and unknown ones, without a question", async () => {
    const look = 'print(open("/proc/1/environ").read())';
    const cwd = folder({ "a.txt": "a\n", "look.py": look });
    const { session_id } = await openGatedShell(kind, { cwd });
    const run = (command: string) => agent().run_command({ session_id, command, ...LONG });
    expect(await run("cat a.txt")).toMatchObject({ status: "done", exit_code: 0, boxed: true, output: { head: "a" } });
    expect(await run("touch b.txt; sh -c 'exit 37'")).toMatchObject({ exit_code: 37, boxed: true });
    expect(fs.existsSync(join(cwd, "b.txt"))).toBe(true);
    expect(await run("echo c > c.txt; echo d >> c.txt")).toMatchObject({ exit_code: 0, boxed: true });
    expect(fs.readFileSync(join(cwd, "c.txt"), "utf8")).toBe("c\nd\n");
    const outside = await run("touch /etc/duetty-no");
    expect(outside).toMatchObject({
      boxed: true,
      refused: [{ what: `boxed: write outside ${cwd} refused`, hint: expect.stringContaining("box: false") }],
    });
    expect(outside.exit_code).not.toBe(0);
    expect((await run("python3 ./look.py")).output.head).not.toContain("DUETTY");
    await run("mkdir -p sub; cd sub");
    expect((await person.status({ session_id })).session?.cwd).toBe(join(cwd, "sub"));
    const made = await run("mkdir -p repo/.git; cd repo");
    expect(made).toMatchObject({ exit_code: 0, refused: [{ what: expect.stringContaining(join(cwd, "sub/repo")) }] });
    expect((await person.status({ session_id })).session?.cwd).toBe(join(cwd, "sub"));
    const { blocks } = await person.blocks({ session_id });
    expect(blocks.map(({ cmd, actor }) => `${actor} ${cmd}`)).toContain("agent:one touch /etc/duetty-no");
    expect(await asked(session_id)).toBe(0);
  });

  test("a line that changes the size of the person's terminal changes it for itself alone", async () => {
    const { session_id } = await openGatedShell(kind, { cwd: folder() });
    const size = async () =>
      (await person.run_command({ session_id, command: "stty size", ...LONG })).output.head.trim();
    const command = "stty cols 40 rows 10; stty size";
    const ran = await agent().run_command({ session_id, command, ...LONG });
    expect(ran).toMatchObject({ boxed: true, output: { head: expect.stringContaining("10 40") } });
    await expect.poll(size).toBe("24 100");
    // What a person sets stays.
    await person.run_command({ session_id, command: "stty cols 50", ...LONG });
    expect(await size()).toBe("24 50");
  });

  test("a line that an agent types key by key runs in the box as well", async () => {
    const { session_id, cwd } = await openGatedShell(kind, { cwd: folder() });
    const type = (text: string) =>
      agent().pty_send({ session_id, text, then: { any: [{ block_end: true }], timeout_ms: 30_000 } });
    await type("touch /etc/duetty-no typed\r");
    const [block] = (await person.blocks({ session_id })).blocks;
    expect(block).toMatchObject({ cmd: "touch /etc/duetty-no typed", exit_code: 1 });
    expect([fs.existsSync(join(cwd, "typed")), fs.existsSync("/etc/duetty-no")]).toEqual([true, false]);
    expect(await asked(session_id)).toBe(0);
  });

  test("the answer says that variables do not stay", async () => {
    const { session_id } = await openGatedShell(kind, { cwd: folder() });
    const command = kind === "fish" ? "set -g A 1; export B=2" : "A=1; export B=2";
    const ran = await agent().run_command({ session_id, command, ...LONG });
    expect(ran).toMatchObject({ boxed: true, hint: expect.stringContaining("variables") });
  });
});

describe.each(ANY_SHELL)("a program in a person's %s", (kind) => {
  test("what an agent types and its program does not read is never the shell's next line", async () => {
    const outside = folder();
    const python = (last: string) => `import os, select, tty\ntty.setraw(0)\n${last}\nos._exit(0)\n`;
    const files = { "one.py": python("os.read(0, 1)"), "none.py": python("select.select([0], [], [])") };
    const { session_id } = await openGatedShell(kind, { cwd: folder(files) });
    const typed = {
      cat: ["\x04LINE\r", "a\r\x04LINE\r", "a\x04\x04LINE\n"],
      "head -n1": ["one\rLINE\r"],
      "bash --norc": ["exit\rLINE\r"],
      "python3 one.py": ["xLINE\r", "x\rLINE\r"],
      "python3 none.py": ["x\rLINE\r"],
    };
    const begun = async () => (await person.blocks({ session_id })).blocks.length;
    for (const [command, all] of Object.entries(typed))
      for (const keys of all) {
        const before = await begun();
        await agent().run_command({ session_id, command, ...BRIEF });
        // Typed at the prompt, they would be asked.
        await expect.poll(begun).toBe(before + 1);
        const text = keys.replace("LINE", `touch ${outside}/ran`);
        // Refused until the program reads.
        await expect.poll(() => agent().pty_send({ session_id, text })).toBeDefined();
        expect((await person.pty_wait({ session_id, any: [{ prompt: true }] })).outcome).toBe("matched");
      }
    // The next line is whole, and nothing stands before it.
    const next = await agent().run_command({ session_id, command: "echo next", ...LONG });
    expect(next).toMatchObject({ status: "done", output: { head: "next" } });
    expect(fs.readdirSync(outside)).toEqual([]);
  });

  test("however much an agent types to a program that reads nothing, none of it reaches the prompt; what a person types does", async () => {
    const deaf =
      "import os, time, tty\ntty.setraw(0)\nprint('deaf')\nwhile not os.path.exists('go'): time.sleep(0.02)\n";
    const cwd = folder({ "deaf.py": deaf });
    const { session_id } = await openGatedShell(kind, { cwd });
    await agent().run_command({ session_id, command: "python3 -u deaf.py", ...BRIEF });
    await person.pty_wait({ session_id, any: [{ regex: "^deaf" }], since: 0 });
    const text = "a".repeat(SENT_BYTES);
    for (let sent = 0; sent < FLOOD_BYTES; sent += text.length) await agent().pty_send({ session_id, text });
    await person.pty_send({ session_id, text: "echo mine\r" });
    fs.writeFileSync(join(cwd, "go"), "");
    const commands = async () => (await person.blocks({ session_id })).blocks.map(({ cmd }) => cmd);
    await expect.poll(commands).toEqual([expect.anything(), "echo mine"]);
    await person.pty_wait({ session_id, any: [{ prompt: true }] });
    await person.release({ session_id });
    const next = await agent().run_command({ session_id, command: "echo next", ...LONG });
    expect(next).toMatchObject({ status: "done", output: { head: "next" } });
  });
});

describe.each(ANY_SHELL)("the rules of a person's %s", (kind) => {
  test("what a person's tools obey cannot be made, and nothing of the box stays in the folder", async () => {
    const cwd = folder({ "a.txt": "" });
    const { session_id } = await openGatedShell(kind, { cwd });
    const all = [".vscode", ".claude", ".git"].map((name) => `mkdir -p ${name}; touch ${name}/evil.json`);
    // The person's own prompt may run git here.
    for (const command of [...all, "git init -q ."])
      expect((await agent().run_command({ session_id, command, ...LONG })).exit_code).not.toBe(0);
    expect((await agent().run_command({ mode: "pipe", cwd, command: "touch .vscode/evil.json" })).exit_code).not.toBe(
      0,
    );
    await expect.poll(() => fs.readdirSync(cwd)).toEqual(["a.txt"]);
  });

  test("a line with characters that nobody sees is asked", async () => {
    const { session_id } = await openGatedShell(kind, { cwd: folder() });
    await agent().run_command({ session_id, command: "echo hi\u200b; rm -rf .", ...BRIEF });
    expect(await pendingOf(session_id)).toMatchObject({ kind: "run", class: "unknown" });
  });

  test("a destructive line runs in the box after the yes, so a link put in its way meanwhile leads to nothing", async () => {
    const cwd = folder({ "old.txt": "", "build/d/a.txt": "" });
    const theirs = folder({ "d/thesis.txt": "" });
    const { session_id } = await openGatedShell(kind, { cwd });
    const approved = async (command: string, meanwhile?: () => void) => {
      const waiting = agent().run_command({ session_id, command, ...LONG });
      const one = await pendingOf(session_id);
      expect(one).toMatchObject({ where: "box", risk: "destructive" });
      meanwhile?.();
      await person.approve({ approval_id: one.approval_id });
      return waiting;
    };
    const ran = await approved("rm old.txt; chmod a+r /etc/hostname");
    const refused = [{ what: `boxed: write outside ${cwd} refused`, hint: expect.stringContaining("box: false") }];
    expect(ran).toMatchObject({ exit_code: 1, boxed: true, refused });
    expect(fs.existsSync(join(cwd, "old.txt"))).toBe(false);
    const swapped = await approved("rm -rf build/d", () => {
      fs.renameSync(join(cwd, "build"), join(cwd, "aside"));
      fs.symlinkSync(theirs, join(cwd, "build"));
    });
    expect(swapped).toMatchObject({ boxed: true });
    expect(fs.existsSync(join(theirs, "d/thesis.txt"))).toBe(true);
  });

  test("an agent asks to leave the box, and a person decides", async () => {
    const { session_id, cwd } = await openGatedShell(kind, { cwd: folder() });
    const target = join(it.duetty.folder, `left-${kind}`);
    const waiting = agent().run_command({ session_id, command: `touch ${target}`, box: false, ...LONG });
    const one = await pendingOf(session_id);
    expect(one).toMatchObject({ where: "outside", rule: "box.leave", cwd });
    await person.approve({ approval_id: one.approval_id });
    expect(await waiting).toMatchObject({ exit_code: 0, boxed: false });
    expect(fs.existsSync(target)).toBe(true);
  });
});

describe("the links in the way of a line that would run outside", () => {
  async function ask(command: string) {
    const [cwd, theirs] = [folder({ "notes.txt": "a\n" }), folder({ "notes.txt": "theirs\n" })];
    const { session_id } = await openGatedShell("bash", { cwd });
    const run = () => agent().run_command({ session_id, command, box: false, ...LONG });
    const swap = () => {
      fs.rmSync(join(cwd, "notes.txt"));
      fs.symlinkSync(join(theirs, "notes.txt"), join(cwd, "notes.txt"));
    };
    const theirText = () => fs.readFileSync(join(theirs, "notes.txt"), "utf8");
    return { cwd, theirs, session_id, run, swap, theirText };
  }

  test("the question says where they lead", async () => {
    const { session_id, run, swap, theirs, theirText } = await ask("echo more >>notes.txt");
    swap();
    const waiting = run();
    const one = await pendingOf(session_id);
    const why = `leads to ${join(theirs, "notes.txt")}`;
    expect(one.reasons).toContainEqual(expect.objectContaining({ part: "notes.txt", why, rule: "path.link" }));
    await person.approve({ approval_id: one.approval_id });
    expect(await waiting).toMatchObject({ exit_code: 0 });
    expect(theirText()).toContain("more");
  });

  test("one that was laid while the question was open keeps the line from running", async () => {
    const { session_id, run, swap, theirText } = await ask("echo more >>notes.txt");
    const waiting = run();
    const one = await pendingOf(session_id);
    swap();
    await person.approve({ approval_id: one.approval_id });
    await expect(waiting).rejects.toMatchObject({ code: "gate.held", message: expect.stringContaining("link") });
    expect(theirText()).toBe("theirs\n");
  });
});

test("a program in a boxed line gets an agent's keys without a question, and Ctrl+C", async () => {
  const { session_id } = await openGatedShell("bash", { cwd: folder() });
  const began = await agent().run_command({ session_id, command: "head -n 1 | tr a-z A-Z", ...LONG });
  expect(began).toMatchObject({ status: "waiting_for_input", boxed: true, waiting: { program: "head" } });
  await agent().pty_send({ session_id, text: "shout\r", then: { any: [{ block_end: true }], timeout_ms: 30_000 } });
  const [block] = (await person.blocks({ session_id })).blocks;
  expect(block).toMatchObject({ exit_code: 0 });
  expect(await asked(session_id)).toBe(0);
});

test("the person's own lines are not boxed, nor are lines that a rule of theirs allows", async () => {
  await using s = await stand({ agent: "one", config: { rules: { allow: ["touch *"] } } });
  const cwd = s.folder();
  const { session_id } = await s.openGatedShell("bash", { cwd });
  expect(await s.person.run_command({ session_id, command: "MINE=1" })).toMatchObject({ boxed: false });
  const target = join(s.duetty.folder, "allowed");
  const ran = await s.agent().run_command({ session_id, command: `touch ${target}`, ...LONG });
  expect(ran).toMatchObject({ exit_code: 0, boxed: false });
  expect(fs.existsSync(target)).toBe(true);
});

describe("a boxed session", () => {
  test.each([
    ["ls", "done"],
    ["frobnicate-the-thing", "done"],
    ['python3 -c \'open("made", "w")\'', "done"],
  ])("%s runs without a question", async (command, status) => {
    const { session_id } = await openBoxed();
    expect(await agent().run_command({ session_id, command, ...LONG })).toMatchObject({ status, boxed: true });
    expect(await asked(session_id)).toBe(0);
  });

  test.each([
    ["curl https://example.com", "box+network"],
    ["npm install left-pad", "box+network"],
    ["rm -rf build", "box"],
    ["sudo true", "outside"],
  ])("%s is asked, and says where it would run", async (command, where) => {
    const { session_id } = await openBoxed();
    const ran = await agent().run_command({ session_id, command, ...BRIEF });
    expect(ran).toMatchObject({ status: "approval_pending", boxed: false });
    expect(await pendingOf(session_id)).toMatchObject({ text: command, where });
    await person.stop({ session_id });
  });

  test("a destructive line runs in the box after the yes", async () => {
    const { session_id, cwd } = await openBoxed(it, folder({ "old.txt": "" }));
    const waiting = agent().run_command({ session_id, command: "rm -rf old.txt /etc/hostname", ...LONG });
    await person.approve({ approval_id: (await pendingOf(session_id)).approval_id });
    expect(await waiting).toMatchObject({ boxed: true, exit_code: 1 });
    expect([fs.existsSync(join(cwd, "old.txt")), fs.existsSync("/etc/hostname")]).toEqual([false, true]);
  });

  test("what leaves the box runs in a session of the person's for that folder, and the answer names it", async () => {
    const { session_id, cwd } = await openBoxed();
    const target = join(it.duetty.folder, "outside-of-the-box");
    const waiting = agent().run_command({ session_id, command: `pwd >${target}`, box: false, ...LONG });
    const one = await pendingOf(session_id);
    expect(one).toMatchObject({ where: "outside" });
    await person.approve({ approval_id: one.approval_id });
    const ran = await waiting;
    expect(ran).toMatchObject({ status: "done", exit_code: 0, boxed: false });
    expect(ran.session_id).not.toBe(session_id);
    expect(ran.hint).toContain(`outside the box, in session ${ran.session_id}`);
    expect(fs.readFileSync(target, "utf8")).toBe(`${cwd}\n`);
    const { session } = await person.status({ session_id: ran.session_id ?? "" });
    expect(session).toMatchObject({ box: null, actor: "person" });
  });

  test("a yes to the network opens it for exactly that run", async () => {
    const cwd = folder({ "fetch.sh": "#!/bin/sh\ncurl --max-time 5 http://duetty.invalid/\n" });
    fs.chmodSync(join(cwd, "fetch.sh"), 0o755);
    const { session_id } = await openBoxed(it, cwd);
    const command = "curl --max-time 5 http://duetty.invalid/";
    const network = (): unknown[] => {
      const lines = it.duetty.events(session_id).split("\n");
      return lines.filter((line) => /"kind":"network/.test(line)).map((line) => JSON.parse(line));
    };
    const waiting = agent().run_command({ session_id, command, ...LONG });
    const one = await pendingOf(session_id);
    expect(one).toMatchObject({ where: "box+network" });
    expect(network()).toEqual([]);
    await person.approve({ approval_id: one.approval_id });
    const { run_id, boxed } = await waiting;
    expect(boxed).toBe(true);
    await expect.poll(network).toMatchObject([
      { kind: "network_open", run_id },
      { kind: "network", host: "duetty.invalid" },
      { kind: "network_close", run_id },
    ]);
    const refused = await agent().run_command({ session_id, command: "./fetch.sh", ...LONG });
    expect(refused.refused).toMatchObject([
      { what: expect.stringMatching(/^boxed: network refused: duetty.invalid:80/) },
    ]);
  });

  test("keys to a program in it are free", async () => {
    const { session_id } = await openBoxed();
    const began = await agent().run_command({ session_id, command: "head -n 1 | tr a-z A-Z", ...LONG });
    expect(began).toMatchObject({ status: "waiting_for_input", boxed: true });
    await agent().pty_send({ session_id, text: "shout\r", then: { any: [{ block_end: true }], timeout_ms: 30_000 } });
    expect(await agent().run_command({ resume: began.run_id })).toMatchObject({
      exit_code: 0,
      boxed: true,
      output: { head: expect.stringContaining("SHOUT") },
    });
    expect(await asked(session_id)).toBe(0);
  });
});

describe("beside the terminal", () => {
  test("an agent's command is boxed, a person's is not", async () => {
    const cwd = folder();
    const line = { command: "touch in /etc/duetty-no; pwd; cat", stdin: "read\n", cwd, mode: "pipe", ...LONG } as const;
    const ran = await agent().run_command({ ...line, env: { SOME_TOKEN: "x" } });
    expect(ran).toMatchObject({ boxed: true, output: { head: `${cwd}\nread\n` } });
    expect(ran.stderr?.head).toContain("Read-only file system");
    expect(fs.existsSync(join(cwd, "in"))).toBe(true);
    const failed = await agent().run_command({ ...line, command: "touch /etc/duetty-no" });
    expect(failed.refused).toMatchObject([{ what: `boxed: write outside ${cwd} refused` }]);
    expect(await person.run_command({ ...line, command: "true" })).toMatchObject({ boxed: false });
  });

  test("a destructive one is asked, and runs in the box", async () => {
    const waiting = agent().run_command({ command: "rm -rf beside", cwd: folder(), mode: "pipe", ...LONG });
    const pending = async () => (await person.approvals({})).approvals.find(({ text }) => text === "rm -rf beside");
    await expect.poll(pending).toBeDefined();
    const one = await pending();
    expect(one).toMatchObject({ where: "box" });
    await person.approve({ approval_id: one?.approval_id ?? "" });
    expect(await waiting).toMatchObject({ exit_code: 0, boxed: true });
  });
});

test("explain says in words where a line runs", async () => {
  const { session_id } = await openGatedShell("bash", { cwd: folder() });
  const boxed = await openBoxed();
  const says = async (command: string, session?: string) =>
    (await agent().explain({ command, ...(session ? { session_id: session } : {}) })).explanations[0]?.says;
  expect(await says("frobnicate", session_id)).toBe("runs in the box");
  expect(await says("curl https://x.example", session_id)).toBe("asks: network; after a yes it runs outside the box");
  expect(await says("rm -rf build", session_id)).toBe("asks: destructive; after a yes it runs in the box");
  expect(await says("rm -rf build; npm ci", session_id)).toMatch(/^asks: install; .* outside the box/);
  expect(await says("curl https://x.example", boxed.session_id)).toMatch(
    /^asks: network; .* with network .*: x\.example$/,
  );
  expect(await says("git fetch", boxed.session_id)).toContain("any public host");
  expect(await says("frobnicate")).toBe("runs in the box");
  expect((await it.duetty.agentCli("explain", "--", "frobnicate")).stdout).toContain("runs in the box");
});

describe("without boxes", () => {
  /** A PATH that has everything but what makes boxes. */
  function withoutBubblewrap(s: { folder(): string }): string {
    const dir = s.folder();
    for (const from of (process.env.PATH ?? "").split(":"))
      for (const name of fs.existsSync(from) ? fs.readdirSync(from) : [])
        if (!["bwrap", "perl"].includes(name) && !fs.existsSync(join(dir, name)))
          fs.symlinkSync(join(from, name), join(dir, name));
    return dir;
  }

  test.each(["switched off", "bubblewrap is missing"])("%s: the rules are as before", async (why) => {
    const off = why === "switched off";
    await using s = await stand({
      agent: "one",
      daemon: "later",
      ...(off ? { config: { box: { agents: false } } } : {}),
    });
    if (!off) s.duetty.env.PATH = withoutBubblewrap(s);
    expect((await s.duetty.status()).box.available).toBe(off);
    const { session_id } = await s.openGatedShell("bash", { cwd: s.folder() });
    const run = (command: string, how: Partial<Call<"run_command">> = {}) =>
      s.agent().run_command({ session_id, command, confidence: 0, ...how });
    expect(await run("pwd")).toMatchObject({ status: "done", boxed: false });
    expect(await run("frobnicate-it", BRIEF)).toMatchObject({ status: "approval_pending", boxed: false });
    const one = await s.pendingOf(session_id);
    expect(one.where).toBeUndefined();
    await s.person.deny({ approval_id: one.approval_id });
    await s.person.policy({ session_id, auto_approve: "on" });
    const sure = await run("frobnicate-now", { confidence: 1, ...(off ? {} : BRIEF) });
    expect(sure.status).toBe(off ? "done" : "approval_pending");
    const [told] = (await s.agent().explain({ command: "ls", session_id })).explanations;
    expect(told?.says).toBe(
      off ? "runs without a question" : "runs without a question; there is no box on this machine",
    );
    const { box } = await s.agent().pty_open({ shell: "/bin/bash", cwd: s.folder() });
    expect(box).toBeNull();
  });
});
