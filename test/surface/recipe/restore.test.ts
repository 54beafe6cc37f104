// Sessions come back after a restart of the machine: as they were proposed, when a person says so, each once.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Output } from "../../../src/protocol/ops.ts";
import { seeded } from "../../fixtures/seeded.ts";
import { soon } from "../../fixtures/soon.ts";
import { FIRST_BOOT, reboot } from "../../fixtures/stand/reboot.ts";
import { type Stand, stand } from "../../fixtures/stand/stand.ts";
import { TestTerminal } from "../../fixtures/stand/terminal.ts";

type Lost = Output<"restore">["sessions"][number];

const SEED = Number(process.env.SEED ?? 7);
/** An agent CLI as far as anybody sees: it says what it was told, and waits. */
const FAKE_AGENT = '#!/bin/sh\necho "told: $*"\nexec cat\n';

async function lost(s: Stand): Promise<Lost[]> {
  return (await s.person.restore({})).sessions;
}

const foldersOf = async (s: Stand, ids: readonly string[]) =>
  Promise.all(ids.map(async (session_id) => (await s.person.status({ session_id })).session?.cwd));

/** Ten sessions of five kinds, at their prompts. Their ids by a word for each. */
async function tenSessions(s: Stand) {
  const bin = join(s.duetty.folder, "bin");
  const [moved, gone, box] = [s.folder({ "sub/file": "" }), s.folder({ "deep/er/file": "" }), s.folder()];
  const shell = async (kind: "bash" | "zsh" | "fish", more: object) => (await s.openShell(kind, more)).session_id;
  const agent = s.agent("helper");
  const ids = {
    bash: await shell("bash", { name: "web", cwd: moved, env: { STAGE: "test", API_TOKEN: "xq7Zp0Lw93Kd8RtY" } }),
    gone: await shell("bash", { cwd: join(gone, "deep/er") }),
    zsh: await shell("zsh", { cwd: moved }),
    fish: await shell("fish", { cwd: moved }),
    boxed: await shell("bash", { cwd: box, box: true }),
    agents: (await agent.pty_open({ shell: "/bin/bash", cwd: box })).session_id,
    python: await s.open(["python3", "-i"], { cwd: moved, cols: 70, rows: 20 }),
    claude: (await s.person.pty_open({ agent: "claude", prompt: "fix it", command: ["--fast"], cwd: moved }))
      .session_id,
    task: await s.open([join(bin, "claude"), "-p", "fix it"], { cwd: moved }),
    tool: await s.open([join(bin, "tool")], { cwd: moved }),
  };
  await s.person.run_command({ session_id: ids.bash, command: "cd sub; echo before the restart" });
  await soon(() => expect(fs.readFileSync(s.duetty.sessionFile(ids.bash, "meta.json"), "utf8")).toContain("/sub"));
  return { ids, moved, gone, bin };
}

/** A stand whose agents are scripts under their names. */
async function standWithAgents(config: object): Promise<Stand> {
  const s = await stand({ env: FIRST_BOOT, config, daemon: "later" });
  const bin = join(s.duetty.folder, "bin");
  fs.mkdirSync(bin);
  for (const name of ["claude", "tool"]) fs.writeFileSync(join(bin, name), FAKE_AGENT, { mode: 0o755 });
  s.duetty.env.PATH = `${bin}:${process.env.PATH}`;
  await s.duetty.start();
  return s;
}

test("ten sessions of five kinds come back as proposed, whatever fails on the way, and nothing starts without a yes", async () => {
  await using s = await standWithAgents({ limits: { all_sessions: 10 } });
  const closed = await s.open(["cat"]);
  await s.person.pty_close({ session_id: closed });
  await s.person.pty_wait({ session_id: await s.open(["true"]), any: [{ exit: true }] });
  const { ids, moved, gone, bin } = await tenSessions(s);
  const all = Object.values(ids);
  await reboot(s);

  // A folder, a program and a name are not what they were.
  fs.rmSync(join(gone, "deep"), { recursive: true });
  fs.renameSync(join(bin, "tool"), join(bin, "away"));
  const occupant = await s.open(["cat"], { name: "web" });
  const offers = await lost(s);
  expect(offers.map(({ session_id }) => session_id)).toEqual(all);
  expect(offers.every(({ boot, outcome }) => boot === "earlier" && outcome === "offered")).toBe(true);
  const offer = (id: string) => offers.find(({ session_id }) => session_id === id);
  expect(offer(ids.bash)).toMatchObject({ name: "web-2", cwd: join(moved, "sub"), alone: null });
  expect(offer(ids.bash)?.notes.join()).toContain("without API_TOKEN");
  expect(offer(ids.gone)).toMatchObject({ cwd: gone, notes: [expect.stringContaining("deep/er is gone")] });
  expect(offer(ids.agents)).toMatchObject({ actor: "agent:helper", alone: "agent:helper opened it" });
  expect(offer(ids.agents)?.box).not.toBeNull();
  const { agent_session_id: talk } = (await s.person.status({ session_id: ids.claude })).session ?? {};
  expect(offer(ids.claude)).toMatchObject({ alone: null, notes: ["it goes on with its conversation"] });
  expect(offer(ids.claude)?.command).toEqual(["claude", "--resume", talk, "--fast"]);
  expect(offer(ids.task)?.alone).toContain("begin its task again");
  const secret = "xq7Zp0Lw93Kd8RtY";
  expect(fs.readFileSync(s.duetty.sessionFile(ids.bash, "meta.json"), "utf8")).not.toContain(secret);
  await expect(s.agent("helper").restore({})).rejects.toMatchObject({ code: "auth.forbidden" });
  expect((await s.person.pty_list({ all: false })).sessions.map(({ session_id }) => session_id)).toEqual([occupant]);

  // One by one in any order, then all at once and twice at the same time.
  const random = seeded(SEED);
  const few = all.filter(() => random() < 0.4).reverse();
  const first = await s.person.restore({ do: "start", sessions: few });
  const [one, other] = await Promise.all([s.person.restore({ do: "start" }), s.person.restore({ do: "start" })]);
  const again = await s.person.restore({ do: "start", sessions: (await lost(s)).map(({ session_id }) => session_id) });
  const done = [...first.sessions, ...one.sessions, ...other.sessions, ...again.sessions];
  const startedAs = (id: string) => [
    ...new Set(done.filter((x) => x.session_id === id && x.outcome === "started").map((x) => x.restored_as)),
  ];
  const { tool, ...back } = ids;
  for (const id of Object.values(back)) expect(startedAs(id), id).toHaveLength(1);
  expect(startedAs(tool)).toEqual([]);
  expect(await lost(s)).toMatchObject([{ session_id: tool, failed: expect.stringContaining("There is no file") }]);
  fs.renameSync(join(bin, "away"), join(bin, "tool"));
  // The occupant is one too many.
  await s.person.restore({ do: "start", sessions: [tool] });
  expect(await lost(s)).toMatchObject([{ session_id: tool, failed: expect.stringContaining("10") }]);
  await s.person.pty_close({ session_id: occupant });
  expect((await s.person.restore({ do: "start", sessions: [tool] })).sessions).toMatchObject([{ outcome: "started" }]);
  expect(await lost(s)).toEqual([]);

  const { sessions } = await s.person.pty_list({ all: true });
  const live = sessions.filter(({ restored_from }) => restored_from !== undefined);
  expect(live.map(({ restored_from }) => restored_from).sort()).toEqual([...all].sort());
  for (const { session_id, restored_from } of live)
    expect(sessions.find((old) => old.session_id === restored_from)?.restored_as).toBe(session_id);
  const now = (id: string) => live.find(({ restored_from }) => restored_from === id);
  expect(now(ids.agents)).toMatchObject({ actor: "agent:helper", box: offer(ids.agents)?.box });
  expect(now(ids.boxed)?.box).toEqual(offer(ids.boxed)?.box);
  expect(now(ids.python)).toMatchObject({ cols: 70, rows: 20, sizing: "pinned" });
  const { session_id: claude = "", agent } = now(ids.claude) ?? {};
  expect(agent).toBe("claude");
  const told = await s.person.pty_wait({ session_id: claude, since: 0, any: [{ text: "told:" }] });
  expect(told.screen.rows.join("")).toContain(`told: --resume ${talk}`);
  expect(s.duetty.raw(claude).toString()).not.toContain("fix it");
  const shells = [ids.bash, ids.gone, ids.zsh, ids.fish].map((id) => now(id)?.session_id ?? "");
  for (const session_id of shells) await s.person.pty_wait({ session_id, any: [{ prompt: true }] });
  expect(await foldersOf(s, shells)).toEqual([join(moved, "sub"), gone, moved, moved]);
  const asked = await s.person.run_command({ session_id: shells[0] ?? "", command: "echo $STAGE/$API_TOKEN/" });
  expect(asked.output?.head).toBe("test//");
});

test("a daemon that dies in the middle starts no recipe twice, and loses none", async () => {
  await using s = await stand({ env: FIRST_BOOT });
  const ids = await Promise.all(Array.from({ length: 5 }, () => s.open(["cat"])));
  await reboot(s, "down");
  expect((await lost(s)).map(({ session_id }) => session_id).sort()).toEqual([...ids].sort());
  const { daemon } = await s.person.status({});
  const asked = s.person.restore({ do: "start" }).catch(() => undefined);
  await soon(async () => expect((await s.person.pty_list({ all: false })).sessions.length).toBeGreaterThan(0));
  await s.duetty.killDaemon(daemon.pid);
  await asked;
  await s.duetty.status();
  const offered = (await lost(s)).map(({ session_id }) => session_id);
  const { sessions } = await s.person.pty_list({ all: false });
  const back = sessions.flatMap(({ restored_from }) => (restored_from === undefined ? [] : [restored_from]));
  expect([...offered, ...back].sort()).toEqual([...ids].sort());
  // What ran when the next reboot came is offered by its new id, and only by that.
  await s.person.restore({ do: "start" });
  await reboot(s);
  const second = await lost(s);
  expect(second.some(({ session_id }) => ids.includes(session_id))).toBe(false);
  expect(second).toHaveLength(5);
});

test("the CLI shows what would start, and asks: about all, and about an agent's and a risky one alone", async () => {
  await using s = await stand({ env: FIRST_BOOT });
  const mine = await s.open(["cat"], { name: "mine" });
  const risky = await s.open(["sh", "-c", "cat; curl http://127.0.0.1:1/x | sh"], { name: "risky" });
  const theirs = (await s.agent("helper").pty_open({ shell: "/bin/bash", cwd: s.folder() })).session_id;
  await reboot(s);
  expect((await s.duetty.cli("restore")).stdout).toContain("Nothing was started");
  expect((await s.duetty.agentCli("restore")).code).toBe(5);
  const terminal = TestTerminal.open(s.duetty, ["restore"], { cols: 120, rows: 40 });
  await terminal.shows(/mine[\s\S]*Start mine\? \[y\/N\]/);
  terminal.type("y\r");
  await terminal.shows(/home: its command is risky: \S.*\nStart it\?/);
  terminal.type("n\r");
  await terminal.shows(/agent:helper opened it\nStart it\?/);
  terminal.type("n\r");
  await terminal.shows(`${mine} (mine) is back as`);
  await terminal.ended();
  const list = TestTerminal.open(s.duetty, ["ls"], { cols: 80, rows: 40 });
  await list.shows(/mine +lost, back as s_/);
  await list.shows(/risky .*sh -c cat; curl http:/);
  await list.ended();
  expect(new Set((await lost(s)).map(({ session_id }) => session_id))).toEqual(new Set([risky, theirs]));
  const yes = await s.duetty.cli("restore", "--yes");
  expect(yes.stdout).toContain(`duetty restore ${theirs} --yes`);
  expect(await lost(s)).toHaveLength(2);
  await s.duetty.cli("restore", "--forget", "risky");
  expect((await s.duetty.cli("restore", theirs, "--yes")).stdout).toContain("is back as");
  expect((await s.duetty.cli("restore")).stdout).toContain("Nothing to restore");
});

test("what an agent opened comes back in no folder that a link leads to since", async () => {
  await using s = await stand({ env: FIRST_BOOT });
  const [work, other] = [s.folder({ "sub/file": "" }), s.folder()];
  const sub = join(work, "sub");
  const wish = { command: ["sh", "-c", "touch was-here; exec cat"], cwd: sub, env: { LC_ALL: "C" } };
  const { session_id } = await s.agent("sly").pty_open({ ...wish, box: { roots: [sub] } });
  await soon(() => expect(fs.existsSync(join(sub, "was-here"))).toBe(true));
  await reboot(s);
  const [offer] = await lost(s);
  expect(offer).toMatchObject({ cwd: sub, line: expect.stringMatching(/^LC_ALL=C sh -c /) });
  fs.renameSync(sub, join(work, "away"));
  fs.symlinkSync(other, sub);
  const { sessions } = await s.person.restore({ do: "start", sessions: [session_id] });
  expect(sessions).toMatchObject([
    { outcome: "failed", cwd: work, failed: expect.stringContaining("leads elsewhere") },
  ]);
  expect(fs.readdirSync(other)).toEqual([]);
});
