// What an agent opens is a command on every way in, and a person's rules hold for what really runs, where they were made.
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sharedStand, UNBOXED } from "../../fixtures/stand/stand.ts";

const { duetty, person, agent, openGatedShell, folder } = sharedStand({ config: UNBOXED, agent: "sly" });

/** For calls that end in a question: it is there at once. Others take the time they need. */
const BRIEF = { timeout_ms: 200 };

/** A person's shell in a folder of its own, with nobody at the keyboard. */
async function shellIn(cwd: string): Promise<string> {
  const { session_id } = await openGatedShell();
  await enter(session_id, cwd);
  return session_id;
}

async function enter(session_id: string, cwd: string): Promise<void> {
  await person.pty_send({ session_id, text: `cd ${cwd}\n`, then: { any: [{ prompt: true }] } });
  await person.release({ session_id });
}

/** What an agent is told when it opens a program and nobody answers: null when it was opened. */
async function refusal(command: string[], cwd: string): Promise<string | null> {
  const opening = agent()
    .pty_open({ command, cwd })
    .then(
      () => null,
      (error: { code?: string }) => error.code ?? "?",
    );
  const asked = async () => (await person.approvals({})).approvals.find(({ kind }) => kind === "open");
  const question = asked().then(async function again(found): Promise<string | null> {
    if (!found) return (await Promise.race([opening, null])) ?? again(await asked());
    await person.deny({ approval_id: found.approval_id });
    return opening;
  });
  return Promise.race([opening, question]);
}

it("B4: an interpreter with arguments is not opened without a question", async () => {
  const cwd = folder();
  fs.writeFileSync(join(cwd, "evil.py"), "open('X', 'w')");
  fs.writeFileSync(join(cwd, "x.js"), "require('fs').writeFileSync('X', '')");
  for (const command of [
    ["python3", "evil.py"],
    ["python3", "-i", "evil.py"],
    ["node", "x.js"],
    ["less", duetty.home.personToken],
    ["vim", "/etc/shadow"],
    ["gdb", "x"],
    ["man", "/etc/shadow"],
  ])
    expect([command, await refusal(command, cwd)]).toEqual([command, "gate.denied"]);
  expect(fs.existsSync(join(cwd, "X"))).toBe(false);
});

it("B4: programs that wait for keys and show files of the workspace are opened without one", async () => {
  const cwd = folder();
  fs.writeFileSync(join(cwd, "a.txt"), "a");
  for (const command of [["python3"], ["less", "a.txt"], ["bash", "--norc"]]) await agent().pty_open({ command, cwd });
});

it("B4 and M5: a person's deny rule holds for what is opened and for what runs behind wrappers, with safe mode off", async () => {
  const cwd = folder();
  const session_id = await shellIn(cwd);
  fs.writeFileSync(join(cwd, "kept.log"), "kept");
  fs.writeFileSync(join(cwd, ".duetty.json"), JSON.stringify({ rules: { deny: ["rm *", "python3 *", "git push *"] } }));
  await person.trust({ cwd });
  await person.policy({ session_id, level: "always_allow", safe_mode: "off" });
  await expect(agent().pty_open({ command: ["python3"], cwd })).rejects.toMatchObject({ code: "gate.denied" });
  for (const command of [
    "rm *.log",
    'rm "$PWD/kept.log"',
    "find . -name '*.log' -exec rm {} +",
    "ls | xargs rm",
    "env A=1 nice rm kept.log",
    "sh -c 'rm kept.log'",
    "x=rm; $x kept.log",
    "git -C . push",
    "git --no-pager push",
  ])
    expect([command, (await agent().run_command({ session_id, command })).status]).toEqual([command, "denied"]);
  expect(fs.existsSync(join(cwd, "kept.log"))).toBe(true);
});

it.each(["session", "user", "project"] as const)('M6: "always" for the %s holds in its folder alone', async (scope) => {
  const cwd = folder();
  const session_id = await shellIn(cwd);
  fs.mkdirSync(join(cwd, "other"));
  const run = (more = {}) => agent().run_command({ session_id, command: "touch made", ...more });
  const first = await run(BRIEF);
  expect(first.status).toBe("approval_pending");
  await person.approve({ approval_id: first.approval_id ?? "", always: scope });
  expect((await run()).status).toBe("done");
  expect((await run()).status).toBe("done");
  await enter(session_id, join(cwd, "other"));
  expect((await run(BRIEF)).status).toBe("approval_pending");
  expect(fs.existsSync(join(cwd, "other", "made"))).toBe(false);
});

it("C12: rules that changed or appeared after a person trusted a folder allow nothing and lift nothing, and that is told", async () => {
  const [cwd, empty] = [folder(), folder()];
  const write = (at: string, rules: object) => fs.writeFileSync(join(at, ".duetty.json"), JSON.stringify({ rules }));
  const run = (command: string, at: string, more = {}) =>
    agent().run_command({ command, mode: "pipe", cwd: at, ...more });
  const statuses = async (at: string, ...lines: string[]) => {
    const all = [];
    for (const command of lines) all.push((await run(command, at)).status);
    return all;
  };
  /** What ends in a question is not waited for. */
  const asks = async (command: string, at = cwd) => {
    const { status, approval_id } = await run(command, at, BRIEF);
    expect([command, status]).toEqual([command, "approval_pending"]);
    return approval_id ?? "";
  };
  write(cwd, { allow: ["touch one"], deny: ["ls"] });
  expect((await person.trust({ cwd })).changed).toEqual([]);
  await person.trust({ cwd: empty });
  expect(await statuses(cwd, "touch one", "ls")).toEqual(["done", "denied"]);

  write(cwd, { allow: ["touch one", "touch two"] });
  write(empty, { allow: ["touch one"], deny: ["ls"] });
  for (const at of [cwd, empty]) {
    await asks("touch one", at);
    expect(await statuses(at, "ls")).toEqual(["denied"]);
  }
  const approval_id = await asks("touch two");
  const asked = (await person.approvals({})).approvals.find((one) => one.approval_id === approval_id);
  expect(asked?.reasons[0]).toMatchObject({
    rule: "rules.changed",
    why: expect.stringContaining("trust the folder again"),
  });
  const blessing = person.approve({ approval_id, always: "project" });
  await expect(blessing).rejects.toMatchObject({ hint: expect.stringContaining(`trust the folder: ${cwd}`) });
  expect((await person.status({})).changed_rules).toEqual([cwd, empty]);
  expect((await duetty.cli("trust")).stdout).toContain(`${cwd}: its rules have changed`);
  const checks = (await person.doctor({})).checks.find(({ name }) => name === "trusted folders");
  expect(checks).toMatchObject({ ok: false, hint: expect.stringContaining("duetty trust") });

  expect((await person.trust({ cwd })).changed).toEqual([empty]);
  expect(await statuses(cwd, "touch two", "ls")).toEqual(["done", "done"]);
  fs.rmSync(join(cwd, ".duetty.json"));
  await asks("touch two");
});

it('"always" for the project writes its rule through no link that an agent laid, and the folder stays trusted', async () => {
  const [cwd, victim] = [folder(), folder({ bashrc: "theirs" })];
  const { pid } = (await person.status({})).daemon;
  fs.symlinkSync(join(victim, "bashrc"), join(cwd, `.duetty.json.${pid}.new`));
  const run = (more = {}) => agent().run_command({ command: "touch made", mode: "pipe", cwd, ...more });
  await person.approve({ approval_id: (await run(BRIEF)).approval_id ?? "", always: "project" });
  expect([(await run()).status, (await run()).status]).toEqual(["done", "done"]);
  expect(fs.readFileSync(join(victim, "bashrc"), "utf8")).toBe("theirs");
  expect((await person.trust({})).changed).not.toContain(cwd);
});

it('"always" for the project writes its rule in no folder that took the place of the one that was asked about', async () => {
  const [top, victim] = [folder(), folder()];
  for (const at of [top, victim]) fs.mkdirSync(join(at, "sub"));
  const cwd = join(top, "sub");
  const asked = await agent().run_command({ command: "touch made", mode: "pipe", cwd, ...BRIEF });
  fs.renameSync(cwd, join(top, "aside"));
  fs.symlinkSync(join(victim, "sub"), cwd);
  const approval_id = asked.approval_id ?? "";
  await expect(person.approve({ approval_id, always: "project" })).rejects.toMatchObject({ code: "input.invalid" });
  await person.deny({ approval_id });
  expect(fs.readdirSync(join(victim, "sub"))).toEqual([]);
});
