// The difference of a tree, whether it merges, and how a clone's work comes over.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import { testFolder, writeFiles } from "../../fixtures/folder.ts";
import { git } from "../../fixtures/git.ts";
import { commit, FORMS, made, ok, opened, repository, said } from "../../fixtures/worktree/kit.ts";

describe.each(FORMS)("a %s tree", (form) => {
  it("shows all that is new in it, and leaves its index alone", async () => {
    const folder = testFolder();
    const repo = repository(folder);
    writeFiles(repo, { long: "1\n2\n3\n4\n5\n6\n7\n8\n" });
    commit(repo, "long");
    const trees = await opened(folder);
    const tree = await made(trees, { cwd: repo, form });
    commit(repo, "meanwhile", { other: "other\n" });
    commit(tree.path, "work", { a: "A\n" });
    git(tree.path, "mv", "long", "moved");
    fs.rmSync(join(tree.path, "b"));
    writeFiles(tree.path, { "src/c": "c\nd\n", "new é": "new\n", "x.log": "ignored", bytes: "\0\x01\0" });
    git(folder, "clone", "-q", repo, join(tree.path, "inside"));
    // A folder took the place of a file.
    fs.rmSync(join(tree.path, ".gitignore"));
    writeFiles(tree.path, { ".gitignore/deep": "deep\n" });
    const index = fs.readFileSync(join(tree.git, "index"));
    const objects = said(tree.path, "count-objects");
    const diff = ok(await trees.diff(tree));
    const file = (path: string, status: string, added: number, removed: number) => ({
      path,
      old_path: null,
      status,
      added,
      removed,
      binary: false,
    });
    expect(diff.files.filter(({ path }) => path !== "x.log")).toMatchObject([
      file(".gitignore", "deleted", 0, 2),
      file(".gitignore/deep", "added", 1, 0),
      file("a", "modified", 1, 1),
      file("b", "deleted", 0, 1),
      { ...file("bytes", "added", 0, 0), binary: true },
      { ...file("moved", "renamed", 0, 0), old_path: "long" },
      file("new é", "added", 1, 0),
      file("src/c", "modified", 1, 0),
    ]);
    expect(diff.files.map(({ text }) => text).join("")).toContain("rename from long\nrename to moved\n");
    expect(diff.cut).toBe(false);
    expect(ok(await trees.diff(tree, ["a"])).files.map(({ path }) => path)).toEqual(["a"]);
    expect(fs.readFileSync(join(tree.git, "index"))).toEqual(index);
    expect(said(tree.path, "count-objects")).toBe(objects);
    expect(await trees.look(tree)).toMatchObject({ ahead: 1, behind: 1 });
  });

  it("tells what only its commits have, and what only its files have", async () => {
    const folder = testFolder();
    const trees = await opened(folder);
    const tree = await made(trees, { cwd: repository(folder), form });
    const head = commit(tree.path, "work", { a: "evil\n", b: "evil\n", "src/c": "committed\n" });
    git(tree.path, "checkout", "-q", "HEAD~1", "--", "a");
    writeFiles(tree.path, { b: "harmless\n", new: "new\n" });
    git(tree.path, "add", "new");
    const { files, only_committed } = ok(await trees.diff(tree));
    const added = (text: string) => text.split("\n").filter((line) => /^\+[^+]/.test(line));
    expect(files.map(({ path, committed, text }) => [path, committed, ...added(text)])).toEqual([
      ["b", false, "+harmless"],
      ["new", false, "+new"],
      ["src/c", true, "+committed"],
    ]);
    expect(only_committed.map(({ path, text }) => [path, ...added(text)])).toEqual([
      ["a", "+evil"],
      ["b", "+evil"],
    ]);
    expect(await trees.mergeCheck(tree)).toMatchObject({ head, clean: true });
  });

  it("merges or not, and is merged after a squash", async () => {
    const folder = testFolder();
    const repo = repository(folder);
    const trees = await opened(folder);
    const tree = await made(trees, { cwd: repo, form });
    commit(tree.path, "one", { a: "one\n" });
    commit(tree.path, "two", { a: "two\n" });
    expect(await trees.mergeCheck(tree)).toMatchObject({ into: "main", clean: true, conflicts: [], merged: false });
    git(repo, "branch", "other");
    commit(repo, "same", { a: "two\n" });
    expect(await trees.mergeCheck(tree)).toMatchObject({ into: "main", clean: true, conflicts: [], merged: true });
    git(repo, "checkout", "-q", "other");
    commit(repo, "against", { a: "against\n" });
    expect(await trees.mergeCheck(tree, "other")).toMatchObject({
      into: "other",
      clean: false,
      conflicts: ["a"],
      merged: false,
    });
    expect(await trees.mergeCheck(tree, "unknown")).toMatchObject({ code: "worktree.refused" });
    git(repo, "checkout", "-q", "--orphan", "stranger");
    commit(repo, "stranger");
    expect(await trees.mergeCheck(tree, "stranger")).toMatchObject({ code: "worktree.refused" });
  });
});

it("brings a clone's commits over, also amended ones, and never over a person's", async () => {
  const folder = testFolder();
  const repo = repository(folder);
  const trees = await opened(folder);
  const tree = await made(trees, { cwd: repo, form: "clone", branch: "work" });
  const there = () => said(repo, "log", "--format=%s", "-1", "work");
  expect(await trees.bring(tree)).toBeUndefined();
  expect(said(repo, "branch", "--list", "work")).toBe("");
  commit(tree.path, "one", { a: "one\n" });
  git(tree.path, "tag", "v1");
  expect(await trees.bring(tree)).toBeUndefined();
  expect(there()).toBe("one");
  expect(said(repo, "tag")).toBe("");
  git(tree.path, "commit", "-q", "--amend", "-m", "better");
  expect(await trees.bring(tree)).toBeUndefined();
  expect(there()).toBe("better");
  git(repo, "checkout", "-q", "work");
  commit(tree.path, "two");
  expect(await trees.bring(tree)).toMatchObject({ code: "worktree.refused", message: expect.stringContaining(repo) });
  const own = commit(repo, "the person's");
  git(repo, "checkout", "-q", "main");
  expect(await trees.bring(tree)).toMatchObject({ code: "worktree.refused" });
  expect(isFault(await trees.remove(tree, "work"))).toBe(true);
  expect(said(repo, "rev-parse", "work")).toBe(own);
  // What clones borrow stays, whatever the person deletes.
  commit(repo, "main alone");
  const idle = await made(trees, { cwd: repo, form: "clone", branch: "idle", id: "s_0000idle" });
  git(repo, "checkout", "-q", "--orphan", "fresh");
  commit(repo, "fresh");
  for (const name of ["main", "work"]) git(repo, "branch", "-q", "-D", name);
  git(repo, "-c", "gc.reflogExpire=now", "-c", "gc.reflogExpireUnreachable=now", "gc", "-q", "--prune=now");
  for (const { path } of [tree, idle])
    expect(said(path, "fsck", "--connectivity-only", "--no-dangling", "HEAD")).toBe("");
});
