// An agent that wants more of worktrees than it is given: other repositories, names that lead people astray, ways out of a tree.
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { gitSays, repositoryIn } from "../../fixtures/worktree-repository.ts";

const { duetty, person, folder, agent } = sharedStand();
const BASH = ["/bin/bash", "--norc", "-i"];
const helper = agent("helper");

it("has no worktree of a repository that boxes hide, or that was made in a worktree, and no look at a person's of one", async () => {
  const hidden = join(duetty.env.HOME ?? "", ".password-store");
  fs.mkdirSync(hidden);
  repositoryIn(hidden, { "bank.txt": "topsecret\n" });
  const pointer = folder();
  fs.writeFileSync(join(pointer, ".git"), `gitdir: ${hidden}/.git\n`);
  for (const cwd of [hidden, pointer])
    await expect(helper.pty_open({ command: BASH, cwd, worktree: true })).rejects.toMatchObject({
      code: "box.refused",
    });
  expect(gitSays(hidden, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
  const { session_id, worktree } = await person.pty_open({ command: BASH, cwd: hidden, worktree: { branch: "pw" } });
  await expect(helper.worktree_diff({ worktree: "pw" })).rejects.toMatchObject({ code: "box.refused" });
  await person.pty_wait({ session_id, any: [{ prompt: true }] });
  const planted = join(worktree?.path ?? "", "planted");
  fs.mkdirSync(planted);
  repositoryIn(planted);
  const theirs = helper.pty_open({ command: BASH, cwd: planted, worktree: true });
  await expect(theirs).rejects.toMatchObject({ code: "worktree.refused" });
  await person.pty_close({ session_id });
});

it("has no branch whose name means something else, and no folder outside by a link that was left in the tree", async () => {
  const cwd = repositoryIn(folder());
  gitSays(cwd, "remote", "add", "up/stream", cwd);
  gitSays(cwd, "tag", "v1");
  for (const branch of ["HEAD", "@", "refs/heads/x", "0".repeat(40), "up/stream/main", "v1"]) {
    const opened = helper.pty_open({ command: BASH, cwd, worktree: { branch } });
    await expect(opened, branch).rejects.toMatchObject({ code: "worktree.refused" });
  }
  const open = (at: string) =>
    helper.pty_open({ command: BASH, cwd: join(cwd, at), worktree: { branch: "upstream/fix" } });
  const { session_id, worktree } = await open("sub");
  await helper.pty_wait({ session_id, any: [{ prompt: true }] });
  await person.pty_close({ session_id });
  const [path, outside] = [worktree?.path ?? "", folder()];
  fs.rmSync(join(path, "sub"), { recursive: true });
  fs.symlinkSync(outside, join(path, "sub"));
  fs.mkdirSync(join(cwd, "sub/new"));
  const next = await open("sub/new");
  expect([next.cwd, next.box?.roots, fs.readdirSync(outside)]).toEqual([path, [path], []]);
  await person.pty_close({ session_id: next.session_id });
});
