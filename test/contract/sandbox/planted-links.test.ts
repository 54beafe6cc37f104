// Links that a boxed line lays in its workspace, and what the daemon does there before and after a box.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { boxStand, type User } from "../../fixtures/box/box.ts";
import { git } from "../../fixtures/git.ts";

const USERS: User[] = ["the tests' own user", "nobody"];

describe.each(USERS)("S1: of %s, a link in the repository leads the daemon nowhere:", (user) => {
  test.each(["commondir", "config.worktree"])("beside %s, where a new one is written", (name) => {
    using box = boxStand(user);
    const canary = join(box.homeFolder, "canary");
    fs.writeFileSync(canary, "mine");
    git(box.workspace, "init", "-q");
    box.run(`for end in new tmp lock; do ln -s '${canary}' .git/${name}.$end; done`);
    box.run("true");
    expect(fs.readFileSync(canary, "utf8")).toBe("mine");
  });

  test("to folders that are missing outside", () => {
    using box = boxStand(user);
    fs.mkdirSync(join(box.homeFolder, "outside"));
    const at = (name: string) => join(box.workspace, name);
    for (const name of ["objects", "refs"]) fs.mkdirSync(at(`n3/.git/${name}`), { recursive: true });
    fs.writeFileSync(at("n3/.git/HEAD"), "ref: refs/heads/x\n");
    fs.symlinkSync("../home/outside", at("x"));
    fs.symlinkSync("../../x/missing/y", at("n3/.git/hooks"));
    fs.symlinkSync("../../x/missing/commondir", at("n3/.git/commondir"));
    box.run("true");
    expect(fs.readdirSync(join(box.homeFolder, "outside"))).toEqual([]);
  });

  test("put there after the plan, in place of a folder", () => {
    using box = boxStand(user);
    fs.mkdirSync(join(box.homeFolder, "outside"));
    git(box.workspace, "init", "-q", "one");
    fs.rmSync(join(box.workspace, "one/.git/hooks"), { recursive: true });
    const plan = box.sandbox.plan({ cwd: join(box.workspace, "one") });
    fs.renameSync(join(box.workspace, "one/.git"), join(box.workspace, "moved"));
    fs.symlinkSync(join(box.homeFolder, "outside"), join(box.workspace, "one/.git"));
    box.sandbox.reserve("box", plan);
    expect(fs.readdirSync(join(box.homeFolder, "outside"))).toEqual([]);
    fs.mkdirSync(join(box.homeFolder, "outside", "hooks"));
    fs.writeFileSync(join(box.homeFolder, "outside", "config.worktree"), "");
    box.sandbox.release("box");
    expect(fs.readdirSync(join(box.homeFolder, "outside"))).toEqual(["config.worktree", "hooks"]);
  });

  test("what a link waits for cannot be made behind a missing folder", () => {
    using box = boxStand(user);
    fs.symlinkSync("a/b/c", join(box.workspace, ".claude"));
    const { output } = box.run("mkdir -p a/b/c && echo ESCAPED; echo x >.claude/settings.json && echo ESCAPED");
    expect(output).not.toContain("ESCAPED");
  });
});

describe.each(USERS)("S12: of %s, links where git writes lead the person's git nowhere:", (user) => {
  const LAID = "COMMIT_EDITMSG FETCH_HEAD logs/HEAD logs/refs/heads/main".split(" ");

  test.each(["the workspace", "a repository inside", "a linked work tree"])("in %s", (where) => {
    using box = boxStand(user);
    const canary = join(box.homeFolder, "canary");
    fs.writeFileSync(canary, "mine");
    const main = where === "a linked work tree" ? join(box.homeFolder, "main") : box.workspace;
    const at = where === "a repository inside" ? join(main, "sub") : main;
    git(box.workspace, "init", "-q", "-b", "main", at);
    git(at, "commit", "-q", "--allow-empty", "-m", "one");
    const tree = where === "a linked work tree" ? box.workspace : at;
    if (tree !== at) git(at, "worktree", "add", "-q", "-b", "tree", tree);
    const own = tree === at ? join(at, ".git") : join(at, ".git/worktrees/work");
    const lay = LAID.map((name) => `mkdir -p "$(dirname ${name})"; ln -sf '${canary}' ${name}`).join("; ");
    box.run(`cd '${own}' && echo evil >MERGE_MSG && ${lay}; ln -sf '${canary}' '${at}/.git/logs/refs/heads/tree'`);
    git(tree, "-c", "safe.directory=*", "commit", "-q", "--allow-empty", "-m", "two");
    expect(fs.readFileSync(canary, "utf8")).toBe("mine");
  });

  test("and the person's own stay", () => {
    using box = boxStand(user);
    git(box.workspace, "init", "-q");
    fs.symlinkSync("/nowhere", join(box.workspace, ".git/mine"));
    box.run("ln -s /nowhere .git/theirs; ln -s /nowhere theirs");
    expect(fs.lstatSync(join(box.workspace, ".git/mine")).isSymbolicLink()).toBe(true);
    expect(fs.readdirSync(join(box.workspace, ".git"))).not.toContain("theirs");
    expect(fs.readdirSync(box.workspace)).toContain("theirs");
  });
});
