// Sessions with a git worktree of their own: how one begins, what it tells, who may have it, and how it goes.
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Call } from "../../../src/protocol/ops.ts";
import { soon } from "../../fixtures/soon.ts";
import { FIRST_BOOT, reboot } from "../../fixtures/stand/reboot.ts";
import { sharedStand, stand } from "../../fixtures/stand/stand.ts";
import { gitSays, repositoryIn } from "../../fixtures/worktree-repository.ts";

const { duetty, person, folder, agent } = sharedStand();
const BASH = ["/bin/bash", "--norc", "-i"];

const infoOf = async (session_id: string) => (await person.status({ session_id })).session;
const inState = (session_id: string, state: string) =>
  soon(async () => expect((await infoOf(session_id))?.state).toBe(state));

async function openTree(cwd: string, more: Partial<Call<"pty_open">> = {}) {
  const info = await person.pty_open({ command: BASH, cwd, worktree: true, ...more });
  await person.pty_wait({ session_id: info.session_id, any: [{ prompt: true }] });
  return info;
}

it("a worktree from open to removal, by the CLI: nothing that is nowhere else goes without its branch's name", async () => {
  const repo = repositoryIn(folder());
  const before = duetty.contents(repo);
  const open = ["open", "--cwd", join(repo, "sub"), "--worktree", "fix-1", "--from", "main", "--json", "--", ...BASH];
  const info = JSON.parse((await duetty.cli(...open)).stdout);
  const { session_id, worktree } = info;
  expect(info).toMatchObject({ worktree: { branch: "fix-1", repo, changed: 0, ahead: 0 } });
  expect(worktree.path.startsWith(join(duetty.env.HOME ?? "", ".local/share/duetty/worktrees"))).toBe(true);
  await person.pty_wait({ session_id, any: [{ prompt: true }] });
  const ran = await person.run_command({
    session_id,
    command:
      "pwd; echo $PORT; echo t > $TMPDIR/t && echo new > new.txt && echo four >> ../a.txt && git commit -qam four; echo five >> ../a.txt",
  });
  expect(ran.output.head.split("\n").slice(0, 2)).toEqual([join(worktree.path, "sub"), "20000"]);
  await soon(async () =>
    expect((await infoOf(session_id))?.worktree).toMatchObject({ changed: 2, ahead: 1, behind: 0 }),
  );
  const [again, ls] = [
    await duetty.cli("open", "--cwd", repo, "--worktree", "fix-1"),
    await duetty.cli("worktree", "ls"),
  ];
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(`${session_id} works on fix-1`) });
  expect(ls.stdout).toContain("fix-1");
  const diff = (await duetty.cli("worktree", "diff", "fix-1")).stdout;
  for (const part of ["+four\n+five\n", "+++ b/sub/new.txt", "[a.txt as the commits have it: a merge brings this]"])
    expect(diff).toContain(part);
  expect(diff.split("\n").slice(-4).join("\n")).toBe(
    "2 files not committed\n1 file differs from the commits\nfix-1: 2 files, +3 -0\n",
  );
  const check = (await duetty.cli("worktree", "merge-check", session_id)).stdout;
  expect(check).toContain("fix-1 merges into main");
  expect(check).not.toContain(" push ");
  const { head } = (await person.worktree_list({})).worktrees[0] ?? expect.fail("no worktree");
  expect(check).toContain(`git -C ${repo} switch main && git -C ${repo} merge --no-ff -m 'Merge fix-1' ${head}`);
  expect((await duetty.cli("worktree", "remove", "fix-1")).stderr).toContain(session_id);
  await person.pty_close({ session_id });
  const kept = await duetty.cli("worktree", "remove", "fix-1");
  expect(kept).toMatchObject({ code: 5, stdout: expect.stringContaining("sub/new.txt") });
  expect(fs.existsSync(join(worktree.path, "sub/new.txt"))).toBe(true);
  const removed = await duetty.cli("worktree", "remove", worktree.path, "--lose", "fix-1");
  expect(removed).toMatchObject({ code: 0, stdout: expect.stringContaining("still there") });
  expect([fs.existsSync(worktree.path), gitSays(repo, "log", "-1", "--format=%s", "fix-1")]).toEqual([false, "four"]);
  const files = (all: ReadonlyMap<string, string>) => [...all].filter(([name]) => !name.startsWith(".git/"));
  expect(files(duetty.contents(repo))).toEqual(files(before));
});

it("what its repository asks for is done once a person trusted it; a step that fails ends the session with its output", async () => {
  const cwd = repositoryIn(folder(), {
    ".duetty.json": '{"setup": "cat .env; echo ready"}',
    ".worktreeinclude": ".env\n",
  });
  const open = () => person.pty_open({ command: BASH, cwd, worktree: true });
  await expect(open()).rejects.toMatchObject({ code: "gate.denied", message: expect.stringContaining("cat .env") });
  expect((await person.worktree_list({})).worktrees.filter(({ repo }) => repo === cwd)).toEqual([]);
  await person.trust({ cwd });
  const { session_id, worktree } = await openTree(cwd);
  expect((await person.pty_read_screen({ session_id })).rows.join("\n")).toMatch(/NAME=value\s+ready/);
  expect(fs.statSync(join(worktree?.path ?? "", ".env")).isFile()).toBe(true);
  fs.writeFileSync(join(cwd, ".duetty.json"), '{"setup": "echo broken; exit 3"}');
  await expect(open()).rejects.toMatchObject({ code: "gate.denied" });
  await person.trust({ cwd });
  const failed = (await open()).session_id;
  await inState(failed, "failed");
  expect(await infoOf(failed)).toMatchObject({ exit_code: 3 });
  expect((await person.pty_read_screen({ session_id: failed })).rows.join("\n")).toMatch(
    /broken\s+This failed with exit/,
  );
});

it("a killed daemon interrupts no provisioning, and the next one knows when it is done", async () => {
  const gate = join(folder(), "gate");
  await using s = await stand({ config: { worktree: { setup: `until [ -e ${gate} ]; do sleep 0.05; done` } } });
  const { session_id } = await s.person.pty_open({ command: BASH, cwd: repositoryIn(s.folder()), worktree: true });
  await s.duetty.killDaemon();
  await soon(() => s.person.status({}));
  expect(await s.stateOf(session_id)).toBe("provisioning");
  fs.writeFileSync(gate, "");
  await soon(async () => expect(await s.stateOf(session_id)).not.toBe("provisioning"));
  await s.person.pty_wait({ session_id, any: [{ prompt: true }] });
});

it("after a restart of the machine it goes on in the same worktree; a closed session's branch is taken up again", async () => {
  await using s = await stand({ env: FIRST_BOOT });
  const cwd = repositoryIn(s.folder());
  const { session_id } = await s.person.pty_open({ command: BASH, cwd, worktree: { branch: "long" }, name: "long" });
  await s.person.pty_wait({ session_id, any: [{ prompt: true }] });
  await s.person.run_command({ session_id, command: "echo kept > kept.txt" });
  await reboot(s);
  const [started] = (await s.person.restore({ do: "start" })).sessions;
  const back = (await s.person.status({ session_id: started?.restored_as ?? "" })).session;
  expect(back).toMatchObject({ worktree: { branch: "long" }, state: "running" });
  expect(fs.readFileSync(join(back?.worktree?.path ?? "", "kept.txt"), "utf8")).toBe("kept\n");
  await s.person.pty_close({ session_id: "long" });
  const third = await s.person.pty_open({ command: BASH, cwd, worktree: { branch: "long" } });
  expect(third.worktree?.path).toBe(back?.worktree?.path);
  expect((await s.person.worktree_list({ look: true })).worktrees).toMatchObject([{ branch: "long", changed: 1 }]);
});

it("a review takes a hunk back exactly, refuses one that changed, marks what is accepted, and writes comments down", async () => {
  const text = Array.from({ length: 30 }, (_, at) => `line ${at}`);
  const cwd = repositoryIn(folder(), { "long.txt": `${text.join("\n")}\n` });
  const { session_id, worktree } = await openTree(cwd);
  const file = join(worktree?.path ?? "", "long.txt");
  const changed = text.with(1, "first").with(25, "second");
  fs.writeFileSync(file, `${changed.join("\n")}\n`);
  const look = async () => (await person.worktree_diff({ worktree: session_id })).files[0];
  const shown = await look();
  expect(shown).toMatchObject({ path: "long.txt", added: 2, removed: 2, accepted: [] });
  const { seen = "" } = shown ?? {};
  const path = "long.txt";
  const done = await person.review({
    session_id,
    reject: [{ path, seen, hunk: 0 }],
    accept: [{ path, seen, hunk: 1 }],
    comments: [{ path, line: 26, text: "why?" }],
  });
  expect(done).toMatchObject({ rejected: 1, accepted: 1, prompt: expect.stringContaining("long.txt:26: why?") });
  expect(fs.readFileSync(file, "utf8")).toBe(`${text.with(25, "second").join("\n")}\n`);
  expect(await look()).toMatchObject({ added: 1, accepted: [0] });
  const old = person.review({ session_id, reject: [{ path, seen, hunk: 1 }] });
  await expect(old).rejects.toMatchObject({ code: "restore.changed" });
  expect((await person.put_away({ session_id })).put_away).toBe(true);
  expect(JSON.parse(fs.readFileSync(duetty.sessionFile(session_id, "meta.json"), "utf8")).put_away).toBe(true);
  await expect(agent("helper").review({ session_id })).rejects.toMatchObject({ code: "auth.forbidden" });
});

it("an agent begins a branch: those of the repository and worktrees of others are refused", async () => {
  const cwd = repositoryIn(folder());
  gitSays(cwd, "branch", "release");
  const { session_id } = await openTree(cwd, { worktree: { branch: "fix-9" } });
  await person.pty_close({ session_id });
  const open = (branch: string) => agent("a").pty_open({ command: BASH, cwd, worktree: { branch } });
  await expect(open("release")).rejects.toMatchObject({
    code: "worktree.refused",
    hint: expect.stringContaining("new"),
  });
  await expect(open("fix-9")).rejects.toMatchObject({ code: "worktree.refused" });
  const own = await open("mine");
  expect(own).toMatchObject({ box: { network: [] }, worktree: { branch: "mine" } });
  await agent("a").pty_close({ session_id: own.session_id });
  const again = await open("mine");
  expect(again.worktree?.path).toBe(own.worktree?.path);
  await agent("a").pty_close({ session_id: again.session_id });
  await expect(agent("b").pty_open({ command: BASH, cwd, worktree: { branch: "mine" } })).rejects.toMatchObject({
    code: "worktree.refused",
  });
});
