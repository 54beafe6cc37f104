// Shells inside of a session's own: behind a real sshd, and in a namespace of their own. They mark their commands once a
// person has integrated them. What they say is believed only with their nonce, and frees nothing for agents.
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { depth } from "../../fixtures/depth.ts";
import { soon } from "../../fixtures/soon.ts";
import { type Sshd, startSshd } from "../../fixtures/stand/sshd.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const COMMANDS = depth(6, 12, 300);
const s = sharedStand();
const { duetty, person } = s;
let sshd: Sshd;
beforeAll(async () => {
  sshd = await startSshd(duetty.makeFolder());
});
afterAll(() => sshd[Symbol.asyncDispose]());

const BARE = { bash: "bash --norc", zsh: "zsh -f", fish: "fish -N" };
type Shell = keyof typeof BARE;
const SHELLS = Object.keys(BARE) as Shell[];

/** A bash with a shell inside of it, integrated. */
async function inside(line: string): Promise<string> {
  const session_id = await s.openBash();
  await enter(session_id, line);
  return session_id;
}

async function enter(session_id: string, line: string): Promise<void> {
  // ssh reads the terminal before the other side is there.
  const prompted = line.startsWith("ssh") ? { regex: "[#$>%] *$" } : { input: true as const };
  await person.pty_send({ session_id, text: line, keys: ["Enter"], then: { any: [prompted] } });
  await person.integrate({ session_id });
}

const run = (session_id: string, command: string) => person.run_command({ session_id, command });
const blocksOf = async (session_id: string) => (await person.blocks({ session_id, limit: 1_000 })).blocks;

it.each([
  ...SHELLS.map((shell) => ["ssh", shell] as const),
  ...SHELLS.slice(0, depth(1, SHELLS.length)).map((shell) => ["unshare", shell] as const),
])("%s %s: commands have their exit codes and output, and the shell outside goes on after it", async (kind, shell) => {
  const session_id = await inside(kind === "ssh" ? sshd.login(BARE[shell]) : `unshare --uts ${BARE[shell]}`);
  const { nested, integration } =
    (await person.pty_list({})).sessions.find((one) => one.session_id === session_id) ?? {};
  expect({ ...nested, integration }).toMatchObject({
    kind,
    shell,
    far: kind === "ssh",
    guard: "none",
    integration: shell,
  });
  expect(nested?.host).toBe(kind === "ssh" ? "127.0.0.1" : null);
  // Half a key, for which the next byte would be the rest.
  await person.pty_send({ session_id, keys: ["Escape"] });
  for (let n = 0; n < COMMANDS; n += 1) {
    const command = `sh -c 'echo "n${n} \\\\ é !"; exit ${n % 100}'`;
    const ran = await run(session_id, command);
    expect(ran).toMatchObject({ status: "done", exit_code: n % 100, command, output: { head: `n${n} \\ é !` } });
  }
  expect((await person.pty_wait({ session_id, any: [{ prompt: true }] })).outcome).toBe("matched");
  const left = await run(session_id, "exit 3");
  expect(left).toMatchObject({ exit_code: 3 });
  await person.pty_wait({ session_id, any: [{ prompt: true }] });
  expect(await run(session_id, "echo $0")).toMatchObject({ exit_code: 0, output: { head: "/bin/bash" } });
  const all = await blocksOf(session_id);
  expect(all).toHaveLength(COMMANDS + 4);
  expect(all[0]).toMatchObject({ enters: nested?.id, exit_code: null, state: "done" });
  expect(all.at(-2)).toMatchObject({ left: nested?.id, exit_code: 3, cmd: all[0]?.cmd });
  expect(all.slice(1, -2).every((block) => block.nested?.id === nested?.id && block.cwd === null)).toBe(true);
});

it.each([
  ["bash as POSIX wants it", "bash --norc --posix -uo noclobber"],
  ["zsh, which counts from 0", "zsh -f -o nounset -o ksharrays -o noclobber -o shwordsplit"],
])("strict settings change nothing: %s", async (_, line) => {
  const session_id = await inside(line);
  expect(await run(session_id, "echo a; (exit 0)")).toMatchObject({ exit_code: 0, output: { head: "a" } });
  expect(await run(session_id, "exit 4")).toMatchObject({ exit_code: 4 });
  await person.pty_wait({ session_id, any: [{ prompt: true }] });
  await person.pty_send({ session_id, text: "sh", keys: ["Enter"], then: { any: [{ input: true }] } });
  expect(await person.integrate({ session_id }).catch(({ message }) => message)).toContain("cannot mark its commands");
});

it("marks without the nonce, and those of the past, change nothing; the nonce is nowhere to be read", async () => {
  const session_id = await inside(sshd.login(BARE.bash));
  const marks = [
    "133;D;0;duetty=x:2",
    "133;A;duetty=x:3",
    "133;B;duetty=x:3",
    "633;R;key;ready;duetty=x:3",
    "633;P;Bye=0",
  ];
  const forged = `printf '${marks.map((mark) => `\\033]${mark}\\007`).join("")}'`;
  // What the terminal was told before, nonce and all, printed again by a program there.
  const past = `perl -e 'open F, "<", "${duetty.home}/sessions/${session_id}/output.raw"; print <F>'`;
  const ran = await run(session_id, `${forged}; ${past}; ${forged}; exec 3>&1; sh -c 'exit 9'`);
  expect(ran).toMatchObject({ status: "done", exit_code: 9 });
  expect((await blocksOf(session_id)).map(({ exit_code }) => exit_code)).toEqual([null, 9]);
  const nonce = /duetty=([0-9a-f]{16}):1/.exec(duetty.raw(session_id).toString("latin1"))?.[1] ?? "none";
  const eyes = s.agent();
  const told = JSON.stringify([
    await eyes.pty_list({}),
    await eyes.blocks({ session_id }),
    await eyes.pty_read_screen({ session_id }),
  ]);
  expect(told).not.toContain(nonce);
  const shown = await eyes.block({ block_id: `${session_id}:last` });
  expect(JSON.stringify(shown)).not.toContain(nonce);
});

it("a lost connection is told: what ran there is lost, and ssh has its own exit code", async () => {
  const session_id = await inside(sshd.login(BARE.bash));
  const running = person.run_command({ session_id, command: "echo begun; sleep 1000" });
  await person.pty_wait({ session_id, any: [{ regex: "^begun" }] });
  sshd.kill();
  expect(await running).toMatchObject({ status: "done", exit_code: null });
  await person.pty_wait({ session_id, any: [{ prompt: true }] });
  const [, lost, rest] = await blocksOf(session_id);
  expect(lost).toMatchObject({ cmd: "echo begun; sleep 1000", state: "lost", exit_code: null });
  expect(rest).toMatchObject({ exit_code: 255, state: "failed" });
  expect((await person.pty_list({})).sessions.find((one) => one.session_id === session_id)?.nested).toBeUndefined();
});

it("an agent's line there is asked about and shown with its place", async () => {
  const session_id = await inside(sshd.login(BARE.bash));
  const agent = s.agent();
  const ask = (command: string) => agent.run_command({ session_id, command, timeout_ms: 0 }).catch((fault) => fault);
  expect(await agent.integrate({ session_id }).catch(({ code }) => code)).toBe("auth.forbidden");
  expect(await agent.explain({ session_id, command: "ls" })).toMatchObject({
    explanations: [{ verdict: "ask" }],
  });
  await ask("pwd");
  const { approval_id, program, rule, where } = await s.pendingOf(session_id);
  expect({ program, rule, where }).toEqual({ program: "ssh 127.0.0.1", rule: "shell.unguarded", where: undefined });
  await person.deny({ approval_id });
});

it("a yes counts for one shell: not for the one outside after a lost connection, and not for the next one there", async () => {
  const line = sshd.login(BARE.bash);
  const session_id = await inside(line);
  // A line that is asked about everywhere.
  const canary = join(s.folder({ "kept/file": "" }), "kept");
  const [command, agent] = [`rm -r ${canary}`, s.agent()];
  const ask = (timeout_ms: number) => agent.run_command({ session_id, command, timeout_ms }).catch(({ code }) => code);
  const lose = async () => {
    sshd.kill();
    await soon(async () => expect((await person.pty_list({})).sessions.find(isThis)?.nested).toBeUndefined());
    await person.pty_wait({ session_id, any: [{ prompt: true }] });
  };
  const isThis = (one: { session_id: string }) => one.session_id === session_id;
  // The question stands while the connection is lost. The yes comes when the shell of this machine is in front.
  const held = ask(60_000);
  const first = await s.pendingOf(session_id);
  await lose();
  await person.approve({ approval_id: first.approval_id });
  expect(await held).toBe("gate.held");

  // A yes that nobody has used yet: given there, and asked for again here, and there once more.
  await enter(session_id, line);
  expect(await ask(0)).toMatchObject({ status: "approval_pending" });
  const second = await s.pendingOf(session_id);
  await lose();
  await person.approve({ approval_id: second.approval_id });
  expect(await ask(0)).toMatchObject({ status: "approval_pending" });
  const third = await s.pendingOf(session_id);
  expect([second.program, third.program]).toEqual(["ssh 127.0.0.1", null]);
  await enter(session_id, line);
  await person.approve({ approval_id: third.approval_id });
  expect(await ask(0)).toMatchObject({ status: "approval_pending" });
  expect((await s.pendingOf(session_id)).program).toBe("ssh 127.0.0.1");
  expect(existsSync(canary)).toBe(true);
});

/** A hostile machine: it says that it waits for its line, and is gone at that moment. */
const TRAP = `#!/bin/bash
stty raw -echo
printf 'far$ '
IFS= read -rn 9999 line
token=\${line#*%s;}
printf '\\033]633;H;5.2;;;%s\\007' "\${token%%\\\\*}"
IFS= read -r script
printf -v script %b "$script"
[[ $script =~ \\(([0-9a-f]{16})\\) ]]
mark() { printf '\\033]%s;duetty=%s:1\\007' "$1" "\${BASH_REMATCH[1]}"; }
mark '133;A'; printf 'far$ '; mark '133;B'
IFS= read -rd '~' key
mark '633;R;key;ready'
`;

it("a line for a machine that is gone before it reads it does nothing on this one", async () => {
  const folder = s.folder({ ssh: TRAP });
  chmodSync(join(folder, "ssh"), 0o755);
  const session_id = await s.openBash();
  await enter(session_id, `PATH=${folder}:$PATH ssh trap; stty sane`);
  const done = await run(session_id, `touch ${folder}/canary`).catch(({ code }) => code);
  expect(typeof done === "string" ? "refused" : done.exit_code).not.toBe(0);
  await soon(async () => expect((await person.pty_list({})).sessions.find(at(session_id))?.nested).toBeUndefined());
  expect(await run(session_id, "echo on")).toMatchObject({ output: { head: "on" } });
  expect(existsSync(join(folder, "canary"))).toBe(false);
});

const at = (id: string) => (one: { session_id: string }) => one.session_id === id;

it("half a line of a person stays, and what runs meanwhile is refused", async () => {
  const session_id = await inside("bash --norc");
  await person.pty_send({ session_id, text: "echo half" });
  await soon(async () => expect((await person.pty_read_screen({ session_id })).rows.join("\n")).toContain("echo half"));
  expect(await run(session_id, "true").catch(({ code }) => code)).toBe("prompt.busy");
  await person.pty_send({ session_id, text: " line", keys: ["Enter"], then: { any: [{ block_end: true }] } });
  expect((await blocksOf(session_id)).at(-1)).toMatchObject({ cmd: "echo half line", exit_code: 0, actor: "person" });
});
