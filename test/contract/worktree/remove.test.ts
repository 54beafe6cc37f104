// A removal names all that would be lost, and keeps it.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Losses } from "../../../src/core/worktree/losses.ts";
import type { Tree } from "../../../src/core/worktree/tree.ts";
import { depth } from "../../fixtures/depth.ts";
import { testFolder, writeFiles } from "../../fixtures/folder.ts";
import { git } from "../../fixtures/git.ts";
import { commit, FORMS, made, ok, opened, repository, said } from "../../fixtures/worktree/kit.ts";

interface Loss {
  readonly work: (tree: Tree, folder: string) => void;
  readonly named: Partial<Losses>;
  /** What the saved ref must have, by what it is called there. */
  readonly kept?: Readonly<Record<string, string>>;
}

const LOSSES: Readonly<Record<string, Loss>> = {
  "a changed and a staged file": {
    work({ path }) {
      writeFiles(path, { a: "staged\n" });
      git(path, "add", "a");
      writeFiles(path, { a: "later\n", b: "changed\n" });
      fs.rmSync(join(path, "src/c"));
    },
    named: { changed: ["a", "b", "src/c"], hidden: [] },
    kept: { ":a": "later\n", ":b": "changed\n", "^2:a": "staged\n" },
  },
  "a link in the place of a folder": {
    work({ path }) {
      fs.rmSync(join(path, "src"), { recursive: true });
      fs.symlinkSync("/nowhere", join(path, "src"));
      git(path, "add", "-A");
    },
    named: { changed: ["src", "src/c"] },
    kept: { ":src": "/nowhere" },
  },
  "untracked and ignored files": {
    work: ({ path }) => writeFiles(path, { "new é\n": "new", "x.log": "x", "build/out/o": "o" }),
    named: { untracked: ["new é\n"], ignored: ["build/", "x.log"] },
    kept: { ":new é\n": "new", ":x.log": "x", ":build/out/o": "o" },
  },
  "files that are hidden from git": {
    work({ path }) {
      git(path, "update-index", "--assume-unchanged", "a");
      git(path, "update-index", "--skip-worktree", "b");
      writeFiles(path, { a: "A\n", b: "B\n" });
    },
    named: { changed: ["a", "b"], hidden: ["a", "b"] },
    kept: { ":a": "A\n", ":b": "B\n" },
  },
  "a file whose times were put back": {
    work({ path }) {
      const { atime, mtime } = fs.statSync(join(path, "a"));
      git(path, "update-index", "--refresh");
      writeFiles(path, { a: "b\n" });
      fs.utimesSync(join(path, "a"), atime, mtime);
      git(path, "config", "core.trustctime", "false");
    },
    named: { changed: ["a"] },
    kept: { ":a": "b\n" },
  },
  "commits of a detached HEAD": {
    work({ path }) {
      git(path, "checkout", "-q", "--detach");
      commit(path, "lonely", { a: "lonely\n" });
    },
    named: { commits: [expect.stringMatching(/ lonely$/)] },
    kept: { "^1:a": "lonely\n" },
  },
  "a rebase under way": {
    work({ path }) {
      commit(path, "one", { a: "one\n" });
      git(path, "branch", "-q", "duetty/side", "HEAD~1");
      git(path, "checkout", "-q", "--detach", "duetty/side");
      commit(path, "two", { a: "two\n" });
      try {
        git(path, "rebase", "-q", "duetty/fix-it-abcd");
      } catch {
        // It stops in a conflict.
      }
      git(path, "update-index", "--assume-unchanged", "b");
      writeFiles(path, { b: "hidden\n" });
    },
    named: { under_way: "rebase", changed: ["b", "a"], hidden: ["b"], commits: [expect.stringMatching(/ two$/)] },
    kept: { ":b": "hidden\n", "^1:a": "one\n" },
  },
  "lines that end in CR LF": {
    work({ path }) {
      writeFiles(path, { ".gitattributes": "* text=auto ident\n", mixed: "1\r\n2\n$Id: x $\r\n" });
    },
    named: { untracked: [".gitattributes", "mixed"] },
    kept: { ":mixed": "1\r\n2\n$Id: x $\r\n" },
  },
  "another repository inside": {
    work({ path }, folder) {
      git(folder, "clone", "-q", join(folder, "repo"), join(path, "inside"));
      writeFiles(path, { "inside/a": "only here\n", "build/deep/.git/x": "x" });
    },
    named: { nested: ["build/deep", "inside"], kept_aside: true },
  },
};

/** `npm test` tries all of them with a linked tree, and some with a clone. */
const LOSSES_PER_CLONE_TEST = depth(4, 1);

describe.each(FORMS)("removing a %s tree", (form) => {
  const losses = Object.keys(LOSSES).filter((_, i) => form === "linked" || i % LOSSES_PER_CLONE_TEST === 0);

  it.each(losses)("names and keeps %s", async (name) => {
    const folder = testFolder();
    const repo = repository(folder);
    const trees = await opened(folder);
    const tree = await made(trees, { cwd: repo, form });
    const loss = LOSSES[name];
    loss?.work(tree, folder);
    const index = fs.readFileSync(join(tree.git, "index"));
    expect(await trees.losses(tree)).toMatchObject({ ...loss?.named });
    expect(await trees.remove(tree, undefined)).toMatchObject({ code: "worktree.losses" });
    expect(await trees.remove(tree, "main")).toMatchObject({ code: "worktree.losses" });
    // Nothing has happened so far.
    expect(fs.readFileSync(join(tree.git, "index"))).toEqual(index);
    const done = ok(await trees.remove(tree, tree.branch));
    expect(done.saved).toBe(`refs/duetty/saved/${tree.id}`);
    for (const [at, text] of Object.entries(loss?.kept ?? {}))
      expect(execFileSync("git", ["-C", repo, "cat-file", "blob", `${done.saved}${at}`], { encoding: "utf8" })).toBe(
        text,
      );
    expect(fs.existsSync(tree.path)).toBe(false);
    expect(trees.list()).toEqual([]);
    expect(said(repo, "worktree", "list").split("\n")).toHaveLength(1);
    if (loss?.named.kept_aside) expect(fs.readFileSync(join(done.kept ?? "", "inside/a"), "utf8")).toBe("only here\n");
    else expect(done.kept).toBeNull();
  });

  it("asks nobody where nothing is lost, and deletes a branch of ours only when its work is merged", async () => {
    const folder = testFolder();
    const repo = repository(folder);
    const trees = await opened(folder);
    const clean = await made(trees, { cwd: repo, form });
    expect(await trees.remove(clean, undefined)).toEqual({
      saved: null,
      branch: form === "linked" ? "deleted" : "kept",
      kept: null,
    });
    const work = await made(trees, { cwd: repo, form, branch: "work" });
    commit(work.path, "w1", { a: "w1\n" });
    commit(work.path, "w2", { a: "w2\n" });
    expect(ok(await trees.remove(work, undefined))).toEqual({ saved: null, branch: "kept", kept: null });
    expect(said(repo, "log", "--format=%s", "-1", "work")).toBe("w2");
    // What somebody amended away was in the tree's own log alone.
    const amended = await made(trees, { cwd: repo, form, branch: "amended" });
    const first = commit(amended.path, "first", { a: "first\n" });
    git(amended.path, "reset", "-q", "--hard", "HEAD~1");
    const forgotten = ok(await trees.remove(amended, undefined));
    expect(said(repo, "merge-base", "--is-ancestor", first, forgotten.saved ?? "")).toBe("");
    const squashed = await made(trees, { cwd: repo, form, branch: "squashed" });
    commit(squashed.path, "s1", { b: "s1\n" });
    const tip = commit(squashed.path, "s2", { b: "s2\n" });
    commit(repo, "squash", { b: "s2\n" });
    const gone = ok(await trees.remove(squashed, undefined));
    expect(gone).toEqual({ saved: `refs/duetty/saved/${squashed.id}`, branch: "deleted", kept: null });
    // Nobody else had its commits.
    expect(said(repo, "merge-base", "--is-ancestor", tip, gone.saved ?? "")).toBe("");
    const own = await made(trees, { cwd: repo, form, branch: "work" });
    expect(own.made_branch).toBe(false);
    expect(ok(await trees.remove(own, undefined)).branch).toBe("kept");
    expect(
      said(repo, "for-each-ref", "--format=%(refname)", "refs/duetty/base", "refs/duetty/brought", "refs/heads"),
    ).toBe("refs/heads/main\nrefs/heads/work");
  });
});

it("keeps the stashes and side branches of a clone, and submodules with their commits", async () => {
  const folder = testFolder();
  const repo = repository(folder);
  const trees = await opened(folder);
  const tree = await made(trees, { cwd: repo, form: "clone" });
  for (const text of ["first\n", "second\n"]) {
    writeFiles(tree.path, { a: text });
    git(tree.path, "stash", "-q");
  }
  git(tree.path, "checkout", "-q", "-b", "side");
  const side = commit(tree.path, "side");
  git(tree.path, "checkout", "-q", tree.branch);
  expect(await trees.losses(tree)).toMatchObject({
    stashes: 2,
    commits: expect.arrayContaining([expect.stringMatching(/ side$/)]),
  });
  const { saved } = ok(await trees.remove(tree, tree.branch));
  const reached = said(repo, "log", "--format=%H %s", saved ?? "");
  expect(reached).toContain(side);
  expect(reached.match(/WIP on/g)).toHaveLength(2);

  git(repo, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repo, "sub");
  git(repo, "commit", "-qm", "sub");
  const linked = await made(trees, { cwd: repo });
  git(linked.path, "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init");
  const inner = commit(join(linked.path, "sub"), "inside");
  expect(await trees.losses(linked)).toMatchObject({ submodules: ["sub"], nested: [] });
  const { kept } = ok(await trees.remove(linked, linked.branch));
  expect(fs.existsSync(join(kept ?? "", "sub/a"))).toBe(true);
  expect(said(join(kept ?? "", "../git/modules/sub"), "--git-dir=.", "--work-tree=.", "cat-file", "-t", inner)).toBe(
    "commit",
  );
});

it("leaves a tree alone while a program runs in it", async () => {
  const folder = testFolder();
  const trees = await opened(folder);
  const tree = await made(trees, { cwd: repository(folder) });
  const cwd = process.cwd();
  process.chdir(join(tree.path, "src"));
  try {
    expect(await trees.remove(tree, tree.branch)).toMatchObject({ code: "worktree.refused" });
  } finally {
    process.chdir(cwd);
  }
});
