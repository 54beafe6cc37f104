// A newcomer's path: clone a repository, one command, an agent at work on a branch of its own in its box, the difference at the end.
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { git } from "../../fixtures/git.ts";
import { soon } from "../../fixtures/soon.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { gitSays, repositoryIn } from "../../fixtures/worktree-repository.ts";

/** It commits what it was told, tries to write elsewhere, and ends when it is told to. */
const SCRIPT = `printf '%s' "$2" > told.txt; git add told.txt; git commit -qm 'told by the task'
touch REPO/escaped REPO/.git/hooks/post-checkout; git config core.fsmonitor 'touch REPO/../ran'; echo done; read line`;

const { duetty, person, folder, agent } = sharedStand({
  config: { agent_starts: { mine: { command: ["scripted"], prompt: ["--say"] } }, task: { agent: "mine", at_once: 1 } },
});

const bin = join(duetty.folder, "bin");
fs.mkdirSync(bin);
duetty.env.PATH = `${bin}:${process.env.PATH}`;

it("duetty task: a branch, a boxed agent with the project's words before the task, and a diff; the person's own is untouched", async () => {
  const from = repositoryIn(folder(), { ".duetty/task.md": "Write tests first.\n" });
  const repo = join(folder(), "cloned");
  git(from, "clone", "--quiet", from, repo);
  for (const [key, value] of [
    ["name", "t"],
    ["email", "t@example.invalid"],
  ])
    git(repo, "config", `user.${key}`, value ?? "");
  fs.writeFileSync(join(bin, "scripted"), `#!/bin/sh\n${SCRIPT.replaceAll("REPO", repo)}\n`, { mode: 0o755 });
  const before = duetty.contents(repo);
  const early = person.task({ text: "x", cwd: repo, worktree: false });
  await expect(early).rejects.toMatchObject({ code: "gate.denied", message: expect.stringContaining("Write tests") });
  await person.trust({ cwd: repo });
  const told = await duetty.cli("task", "fix the test", "--worktree", "fix-1", "--cwd", repo);
  expect(told).toMatchObject({ code: 0, stdout: expect.stringMatching(/^s_\w{8}\s+mine on fix-1\n/) });
  const session_id = told.stdout.slice(0, 10);
  await person.pty_wait({ session_id, any: [{ text: "done" }], since: 0 });
  const { session } = await person.status({ session_id });
  const path = session?.worktree?.path ?? "";
  expect(session).toMatchObject({ task: { text: "fix the test" }, agent: "mine", box: { roots: [path] } });
  await expect(person.task({ text: "another", cwd: repo })).rejects.toMatchObject({ code: "session.limit" });
  await person.pty_send({ session_id, text: "\n" });
  await soon(async () => expect((await person.status({ session_id })).session?.state).toBe("done"));
  await soon(() => expect(gitSays(repo, "log", "-1", "--format=%s", "fix-1")).toBe("told by the task"));
  const diff = (await duetty.cli("worktree", "diff", session_id)).stdout;
  expect(diff).toContain("+Write tests first.\n+\n+fix the test");
  expect(gitSays(repo, "status", "--porcelain")).toBe("");
  const after = new Map([...duetty.contents(repo)].filter(([name]) => before.has(name)));
  expect(after).toEqual(before);
  expect(["escaped", ".git/hooks/post-checkout", "../ran"].filter((name) => fs.existsSync(join(repo, name)))).toEqual(
    [],
  );
});

it("outside a repository there is no worktree, and one that is asked for says why not", async () => {
  fs.writeFileSync(join(bin, "scripted"), "#!/bin/sh\nread line\n", { mode: 0o755 });
  const cwd = folder();
  await expect(person.task({ text: "x", cwd, worktree: true })).rejects.toMatchObject({ code: "worktree.unavailable" });
  const { session_id, worktree, task } = await person.task({ text: "x", cwd });
  expect([worktree, task]).toEqual([null, { text: "x" }]);
  const linked = agent("helper").pty_open({ cwd: repositoryIn(folder()), worktree: { form: "linked" } });
  await expect(linked).rejects.toMatchObject({ code: "box.refused" });
  await person.pty_close({ session_id });
});
