// The level edit_here from outside: edits below one folder run without a question, each after a restore point that has what it
// changes, in a box that can write nothing else. All else is asked about as ever.
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { git } from "../../fixtures/git.ts";
import { SOON_MS } from "../../fixtures/soon.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { duetty, person, agent, folder, openGatedShell } = sharedStand({
  agent: "one",
  config: { restore: { budget_ms: 60_000, max_file_mb: 1 } },
});

async function project(files: Readonly<Record<string, string>>, isBoxed = false) {
  const cwd = folder(files);
  git(cwd, "init", "-q");
  const opened = isBoxed ? await agent().pty_open({ shell: "bash", cwd }) : await openGatedShell("bash", { cwd });
  const { session_id } = opened;
  const has = (path: string) => fs.existsSync(join(cwd, path));
  /** "done", or what the question is about. It is answered with a no. */
  const run = async (command: string) => {
    const answer = agent().run_command({ session_id, command, timeout_ms: 60_000 });
    let over = false;
    void answer.finally(() => (over = true));
    const asked = async () => (await person.approvals({ session_id })).approvals;
    await expect.poll(async () => over || (await asked()).length > 0, { timeout: SOON_MS }).toBe(true);
    const [question] = await asked();
    if (question) await person.deny({ approval_id: question.approval_id });
    const { status } = await answer;
    return status === "done" ? "done" : (question?.reasons[0]?.part ?? status);
  };
  return { cwd, session_id, has, run };
}

const FILES = {
  "a.txt": "one\n",
  "src/b.ts": "two\n",
  "src/c.ts": "three\n",
  "out/d": "built\n",
  ".gitignore": "out\n.env\n",
  ".env": "KEY=1\n",
};

it("frees what undo brings back, and nothing else", async () => {
  const { cwd, session_id, has, run } = await project(FILES);
  expect(await run("rm a.txt")).not.toBe("done");
  await expect(agent().policy({ session_id, level: "edit_here" })).rejects.toMatchObject({ code: "auth.forbidden" });
  expect(await person.policy({ session_id, level: "edit_here" })).toMatchObject({ edit_folder: cwd });
  expect((await duetty.cli("policy", session_id)).stdout).toContain(`edit_folder  ${cwd}`);

  fs.writeFileSync(join(cwd, "big"), Buffer.alloc(2 << 20));
  fs.symlinkSync(".env", join(cwd, "link"));
  fs.symlinkSync("out", join(cwd, "src", "way"));
  fs.linkSync(join(cwd, "a.txt"), join(cwd, "twice"));
  // Ignored, in a folder with something ignored, too large, by a link, behind one, with a second name.
  expect(await run("rm .env")).not.toBe("done");
  for (const [line, part] of [
    ["echo x > out/d", "out/d"],
    ["rm -rf out", "out/d"],
    ["echo x > big", "big"],
    ["echo x > link", "link, which is a link,"],
    ["rm src/way/d", "src/way, which is a link,"],
    ["rm -rf src", "src/way, which is a link,"],
    ["rm a.txt", "a.txt, which has a second name,"],
  ] as const)
    expect([line, await run(line)]).toEqual([line, part]);
  for (const line of ["rm -rf .git", "rm *.txt", "cd src; rm b.ts", "rm a.txt; curl example.com", "git clean -fdx"])
    expect([line, await run(line)]).not.toEqual([line, "done"]);
  // A link that the line itself makes before.
  for (const line of ["ln -s out o && rm o/d", "cp -P link o2 && truncate -s 0 o2"])
    expect([line, await run(line)]).not.toEqual([line, "done"]);
  expect([".env", "out/d", "big", "src/b.ts", "a.txt", ".git/config"].filter((path) => !has(path))).toEqual([]);

  // An agent learns how it would need no question.
  await expect(agent().pty_send({ session_id, text: "rm *.txt\n" })).rejects.toMatchObject({
    code: "approval.pending",
    message: expect.stringContaining(`edit_here frees rm, mv, cp, chmod, tee and > on names written out, below ${cwd}`),
  });
  for (const { approval_id } of (await person.approvals({ session_id })).approvals) await person.deny({ approval_id });
  for (const path of ["src/way", "twice"]) fs.unlinkSync(join(cwd, path));
  expect(await run("rm -rf src && echo new > a.txt")).toBe("done");
  expect([has("src"), fs.readFileSync(join(cwd, "a.txt"), "utf8")]).toEqual([false, "new\n"]);
  await person.undo({ session_id, apply: true });
  expect([has("src/c.ts"), fs.readFileSync(join(cwd, "a.txt"), "utf8")]).toEqual([true, "one\n"]);
});

it("holds a line to the folder that a person named, in a box", async () => {
  const { cwd, session_id, has, run } = await project(FILES);
  const refused = person.policy({ session_id, level: "edit_here", folder: "/usr" });
  await expect(refused).rejects.toMatchObject({ code: "restore.none" });
  const set = await person.policy({ session_id, level: "edit_here", folder: "src" });
  expect(set).toMatchObject({ level: "edit_here", edit_folder: join(cwd, "src") });
  expect(await run(`rm ${cwd}/src/b.ts`)).not.toBe("done");
  await person.run_command({ session_id, command: "cd src" });
  expect(await run("rm ../a.txt")).not.toBe("done");
  expect(await run("mkdir ../made; rm b.ts")).toBe("done");
  expect([has("src/b.ts"), has("made")]).toEqual([false, false]);
  // The folder's name leads elsewhere now.
  fs.renameSync(join(cwd, "src"), join(cwd, "was"));
  fs.symlinkSync("out", join(cwd, "src"));
  await person.run_command({ session_id, command: `cd ${cwd}/src` });
  expect(await run("rm d")).not.toBe("done");
  expect(has("out/d")).toBe(true);
});

it("counts in an agent's own session, for one agent, and not without restore points", async () => {
  const { cwd, session_id, has, run } = await project(FILES, true);
  const set = await person.policy({ session_id, agent: "one", level: "edit_here" });
  expect(set).toMatchObject({ level: "ask_first", agent_levels: { "agent:one": "edit_here" }, edit_folder: cwd });
  expect(await run("mv a.txt src/")).toBe("done");
  expect([has("a.txt"), has("src/a.txt")]).toEqual([false, true]);
  const other = await agent("two").run_command({ session_id, command: "rm src/b.ts", timeout_ms: 100 });
  expect(other.status).toBe("approval_pending");
  for (const { approval_id } of (await person.approvals({ session_id })).approvals) await person.deny({ approval_id });
  // Whoever keeps us from reading the folder gets no free edits by it.
  fs.renameSync(join(cwd, ".gitignore"), join(cwd, "ignored"));
  expect(await run("mkfifo .gitignore")).toBe("done");
  expect(await run("rm src/b.ts")).toContain("named pipe");
  expect(has("src/b.ts")).toBe(true);
});
