// Restore points from outside: an agent's lines, keys and pipe runs are preceded by points, and a person goes back.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SCRIPTED } from "../../fixtures/agent/hosted-world.ts";
import { git } from "../../fixtures/git.ts";
import { fingerprint } from "../../fixtures/restore/fingerprint.ts";
import { eventsUntil } from "../../fixtures/stand/agent-events.ts";
import { sharedStand, stand } from "../../fixtures/stand/stand.ts";
import { TestTerminal } from "../../fixtures/stand/terminal.ts";

const { duetty, person, agent, folder, openShell } = sharedStand({
  agent: "one",
  config: { restore: { budget_ms: 60_000 } },
});

/** In a session of its own an agent can say anything in the name of the shell. */
const FORGED_FOLDER = `printf '\\e]633;P;Cwd=/usr;duetty=%s:%s\\a' "\${__duetty_nonce[0]}" "\${__duetty_n[0]}"\n`;

async function shellIn(files: Readonly<Record<string, string>>) {
  const cwd = folder(files);
  const { session_id } = await openShell("bash", { cwd });
  return { cwd, session_id, at: (path: string) => join(cwd, path) };
}

describe("points", () => {
  it("are made before an agent's line that may write, and say what it changed", async () => {
    const { cwd, session_id } = await shellIn({ a: "1\n", b: "2\n" });
    await agent().run_command({ session_id, command: "ls" });
    expect((await person.points({ session_id })).points).toEqual([]);
    await agent().run_command({ session_id, command: "rm a; echo new > c" });
    await agent().run_command({ session_id, command: "echo 3 > b" });
    const { workspace, points } = await agent().points({ session_id });
    expect(workspace).toBe(cwd);
    expect(points).toMatchObject([
      { actor: "agent:one", session_id, text: "rm a; echo new > c", changed: { added: 1, modified: 0, deleted: 1 } },
      { text: "echo 3 > b", changed: null, skipped: null },
    ]);
    expect(duetty.events(session_id)).toContain(`"kind":"point"`);
  });

  it("are made before keys to a program and before runs beside the terminal, and not for a person", async () => {
    const { session_id, at, cwd } = await shellIn({ a: "1" });
    await person.run_command({ session_id, command: "echo 2 > a" });
    expect((await person.points({ session_id })).points).toEqual([]);
    await person.pty_send({ session_id, text: "cat > b\n" });
    await expect.poll(() => fs.existsSync(at("b"))).toBe(true);
    await person.release({ session_id });
    await agent().pty_send({ session_id, text: "typed\n" });
    expect((await person.points({ session_id })).points).toMatchObject([{ text: "keys to cat" }]);
    await person.pty_send({ session_id, keys: ["Ctrl+D"] });
    await expect.poll(() => fs.readFileSync(at("b"), "utf8")).toBe("typed\n");
    await person.pty_wait({ session_id, any: [{ prompt: true }] });
    const asked = agent().run_command({ command: "rm a", cwd, mode: "pipe" });
    await expect.poll(async () => (await person.approvals({})).approvals.length).toBe(1);
    const [question] = (await person.approvals({})).approvals;
    await person.approve({ approval_id: question?.approval_id ?? "" });
    await asked;
    expect((await person.points({ session_id })).points).toMatchObject([{}, { text: "rm a", session_id: null }]);
  });

  it("are made of what a box may write, wherever its shell goes or says that it is", async () => {
    const cwd = folder({ a: "1\n", "forge.sh": FORGED_FOLDER });
    const { session_id } = await agent().pty_open({ command: ["/bin/bash", "--norc", "-i"], cwd });
    await agent().pty_wait({ session_id, any: [{ prompt: true }] });
    await agent().run_command({ session_id, command: ". ./forge.sh" });
    await agent().run_command({ session_id, command: "cd /" });
    expect((await person.status({ session_id })).session?.cwd).not.toBe(cwd);
    fs.writeFileSync(join(cwd, "a"), "2\n");
    await agent().run_command({ session_id, command: `python3 -c 'open("${cwd}/a", "w")'` });
    const { points } = await person.points({ session_id });
    expect(points.at(-1)).toMatchObject({ text: expect.stringContaining("python3"), workspace: cwd, skipped: null });
  });

  it("are not made in the home folder, and that is said", async () => {
    const { session_id } = await openShell("bash", { cwd: join(duetty.folder, "home") });
    await agent().run_command({ session_id, command: "touch x" });
    const { workspace, why, points } = await person.points({ session_id });
    expect([workspace, points]).toEqual([null, []]);
    expect(why).toContain("home folder");
    await expect(person.undo({ session_id })).rejects.toMatchObject({ code: "restore.none" });
  });

  it("are made before a turn of a hosted agent, which writes files by itself", async () => {
    const agents = { scripted: { command: [process.execPath, SCRIPTED] } };
    await using s = await stand({ config: { agents, restore: { budget_ms: 60_000 } } });
    const session_id = await s.openBash({ cwd: s.folder({ a: "1" }) });
    const { seq } = await s.person.ask({ session_id, agent: "scripted", text: "say hi" });
    await eventsUntil(s.person, session_id, (event) => event.type === "ended", seq - 1);
    const { points } = await s.person.points({ session_id });
    expect(points).toMatchObject([{ actor: "agent:scripted", text: "say hi", skipped: null }]);
  });

  it("a skipped point is listed and is an event", async () => {
    await using s = await stand({ config: { restore: { budget_ms: 0 } } });
    const { session_id } = await s.openShell("bash", { cwd: s.folder({ a: "1" }) });
    const ran = await s.agent("one").run_command({ session_id, command: "rm a" });
    expect(ran).toMatchObject({ status: "done", exit_code: 0 });
    const { points } = await s.person.points({ session_id });
    expect(points).toMatchObject([{ text: "rm a", skipped: expect.stringContaining("budget_ms") }]);
    expect(s.duetty.events(session_id)).toContain("point_skipped");
    expect((await s.duetty.cli("points", session_id)).stdout).toContain("nothing was kept: it took longer than 0 ms");
  });

  it("can be switched off", async () => {
    await using s = await stand({ config: { restore: { on: false } } });
    const { session_id } = await s.openShell("bash", { cwd: s.folder({ a: "1" }) });
    await s.agent("one").run_command({ session_id, command: "rm a" });
    expect(await s.person.points({ session_id })).toMatchObject({ points: [], why: "restore points are switched off" });
  });
});

describe("undo", () => {
  it("shows the difference, goes back, and can be undone; the person's repository stays as it is", async () => {
    const { cwd, session_id, at } = await shellIn({ "src/a": "one\ntwo\n", b: "b\n" });
    git(cwd, "init", "-q");
    git(cwd, "add", "-A");
    git(cwd, "commit", "-qm", "first");
    const [own, was] = [fingerprint(at(".git")), fingerprint(cwd, (path) => path === ".git")];
    await agent().run_command({ session_id, command: "rm b; echo three >> src/a; mkdir made; touch made/x" });
    const now = fingerprint(cwd, (path) => path === ".git");
    const shown = await person.undo({ session_id });
    expect(shown).toMatchObject({ applied: false, saved_as: null, total: 4, left_alone: [] });
    expect(shown.files.map(({ path, change }) => `${change} ${path}`)).toEqual(
      ["brought back b", "removed made/x", "folder made/", "changed back src/a"].sort((a, b) =>
        (a.split(" ").at(-1) ?? "").localeCompare(b.split(" ").at(-1) ?? ""),
      ),
    );
    expect(shown.diff).toContain("-three");
    expect(fingerprint(cwd, (path) => path === ".git")).toEqual(now);
    const done = await person.undo({ session_id, apply: true, to: shown.point.point_id, seen: shown.seen });
    expect(fingerprint(cwd, (path) => path === ".git")).toEqual(was);
    await person.undo({ session_id, apply: true, to: done.saved_as ?? "" });
    expect(fingerprint(cwd, (path) => path === ".git")).toEqual(now);
    expect(fingerprint(at(".git"))).toEqual(own);
  });

  it("does nothing when the files changed after a person looked", async () => {
    const { session_id, at } = await shellIn({ a: "1" });
    await agent().run_command({ session_id, command: "echo 2 > a" });
    const { seen, point } = await person.undo({ session_id });
    fs.writeFileSync(at("a"), "the person's own");
    const late = person.undo({ session_id, to: point.point_id, apply: true, seen });
    await expect(late).rejects.toMatchObject({ code: "restore.changed" });
    expect(fs.readFileSync(at("a"), "utf8")).toBe("the person's own");
  });

  it("is for people", async () => {
    const { session_id } = await shellIn({ a: "1" });
    await expect(agent().undo({ session_id })).rejects.toMatchObject({ code: "auth.forbidden" });
    expect((await duetty.agentCli("undo", session_id, "--yes")).code).toBe(5);
  });

  it("on the command line: --yes goes back, without a terminal it only shows, in 80 columns", async () => {
    const { session_id, at } = await shellIn({ a: "1\n" });
    await agent().run_command({ session_id, command: `echo 2 > a; true ${"x".repeat(100)}` });
    const points = await duetty.cli("points", session_id);
    expect(points.stdout).toContain("agent:one");
    for (const row of points.stdout.split("\n").slice(1)) expect(row.length).toBeLessThanOrEqual(80);
    const shown = await duetty.cli("undo", session_id);
    expect([shown.code, shown.stdout.includes("changed back  a")]).toEqual([2, true]);
    expect(shown.stderr).toContain("--yes");
    expect(fs.readFileSync(at("a"), "utf8")).toBe("2\n");
    const done = await duetty.cli("undo", session_id, "--yes");
    expect(done.stdout).toContain("1 path is as before.");
    expect(fs.readFileSync(at("a"), "utf8")).toBe("1\n");
    const [, back = ""] = /duetty undo \S+ --to (\S+)/.exec(done.stdout) ?? [];
    expect((await duetty.cli("undo", session_id, "--to", back, "--yes", "--json")).code).toBe(0);
    expect(fs.readFileSync(at("a"), "utf8")).toBe("2\n");
    expect((await duetty.cli("undo", session_id, "--to", "p_none")).code).toBe(3);
  });

  it("--aside gives what is not kept and in the way another name, and says which", async () => {
    const { session_id, at } = await shellIn({ a: "1\n" });
    await agent().run_command({ session_id, command: "rm -f a; mkfifo a" });
    const left = await duetty.cli("undo", session_id, "--yes");
    for (const part of ["left alone    a: ", "With --aside"]) expect(left.stdout).toContain(part);
    const done = await duetty.cli("undo", session_id, "--aside", "--yes");
    const [, aside = ""] = /moved aside {3}a to (\S+)/.exec(done.stdout) ?? [];
    expect([fs.readFileSync(at("a"), "utf8"), fs.lstatSync(at(aside)).isFIFO()]).toEqual(["1\n", true]);
  });

  it("on a terminal it asks, and anything but yes changes nothing", async () => {
    const { session_id, at } = await shellIn({ a: "1\n" });
    await agent().run_command({ session_id, command: "echo 2 > a" });
    for (const [typed, content] of [
      ["\r", "2\n"],
      ["\x03", "2\n"],
      ["y\r", "1\n"],
    ] as const) {
      const terminal = TestTerminal.open(duetty, ["undo", session_id]);
      await expect.poll(() => terminal.text()).toContain("Bring these files back? [y/N]");
      terminal.type(typed);
      await expect.poll(() => terminal.exit).toBe(content === "1\n" ? 0 : 1);
      expect(fs.readFileSync(at("a"), "utf8")).toBe(content);
    }
  });

  it("survives a killed daemon: points stay, and undo goes on", async () => {
    await using s = await stand({ config: { restore: { budget_ms: 60_000 } } });
    const cwd = s.folder({ a: "1" });
    const { session_id } = await s.openShell("bash", { cwd });
    await s.agent("one").run_command({ session_id, command: "rm a" });
    await s.duetty.killDaemon();
    await s.duetty.status();
    await s.person.undo({ session_id, apply: true });
    expect(fs.readFileSync(join(cwd, "a"), "utf8")).toBe("1");
  });
});
