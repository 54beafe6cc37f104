// Whatever an agent writes into its tree, or into its git folder, runs nowhere when we look at it.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import type { Tree } from "../../../src/core/worktree/tree.ts";
import { depth } from "../../fixtures/depth.ts";
import { testFolder, writeFiles } from "../../fixtures/folder.ts";
import { git } from "../../fixtures/git.ts";
import { commit, FORMS, made, ok, opened, repository, said } from "../../fixtures/worktree/kit.ts";

/** All keys that make git run something. */
const settings = (run: string) => `[core]
	repositoryformatversion = 1
	bare = false
	fsmonitor = ${run}
	hooksPath = ${run}-hooks
	sshCommand = ${run}
	pager = ${run}
	editor = ${run}
[extensions]
	worktreeConfig = true
	partialClone = evil
[remote "evil"]
	promisor = true
	url = ext::${run}
	uploadpack = ${run}
[protocol]
	allow = always
[filter "evil"]
	clean = ${run}
	smudge = ${run}
	process = ${run}
	required = true
[diff]
	external = ${run}
[diff "evil"]
	textconv = ${run}
	command = ${run}
[merge "evil"]
	driver = ${run}
[gpg]
	program = ${run}
[commit]
	gpgsign = true
[uploadpack]
	packObjectsHook = ${run}
`;

const WAYS: Readonly<Record<string, (tree: Tree, run: string) => void>> = {
  "commondir leads to settings of its own": (tree, run) => {
    const own = join(tree.path, "own");
    fs.cpSync(tree.common, own, { recursive: true });
    fs.writeFileSync(join(own, "config"), settings(run));
    fs.writeFileSync(join(tree.git, "commondir"), own);
  },
  ".git is replaced by a folder": (tree, run) => {
    const dotGit = join(tree.path, ".git");
    if (tree.form === "linked") {
      fs.rmSync(dotGit);
      fs.cpSync(tree.common, dotGit, { recursive: true });
    }
    fs.writeFileSync(join(dotGit, "config"), settings(run));
  },
  "config.worktree has settings": (tree, run) => {
    git(tree.repo, "config", "extensions.worktreeConfig", "true");
    git(tree.path, "config", "extensions.worktreeConfig", "true");
    fs.writeFileSync(join(tree.git, "config.worktree"), settings(run));
  },
  "a submodule has settings": (tree, run) => {
    git(tree.path, "init", "-q", "sub");
    const inner = commit(join(tree.path, "sub"), "inner", { x: "x\n" });
    git(tree.path, "update-index", "--add", "--cacheinfo", `160000,${inner},sub`);
    writeFiles(tree.path, { ".gitmodules": '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n' });
    commit(tree.path, "sub");
    fs.writeFileSync(join(tree.path, "sub/.git/config"), settings(run));
    writeFiles(tree.path, { "sub/x": "changed\n" });
  },
};

describe.each(FORMS)("nothing of a %s tree runs", (form) => {
  // `npm test` tries one of them with a clone.
  const ways = form === "linked" ? Object.keys(WAYS) : Object.keys(WAYS).slice(0, depth(1, Infinity));

  it.each(ways)("when %s", async (name) => {
    const folder = testFolder();
    const repo = repository(folder);
    const [run, ran] = [join(folder, "run"), join(folder, "ran")];
    fs.writeFileSync(run, `#!/bin/sh\necho "$0 $@" >> ${ran}\n`, { mode: 0o755 });
    for (const hook of [
      "reference-transaction",
      "post-index-change",
      "post-checkout",
      "pre-auto-gc",
      "fsmonitor-watchman",
    ])
      fs.cpSync(run, join(`${run}-hooks`, hook));
    const trees = await opened(folder);
    const tree = await made(trees, { cwd: repo, form });
    commit(tree.path, "work", { ".gitattributes": "* filter=evil diff=evil merge=evil\n", a: "work\n" });
    commit(repo, "other", { a: "other\n" });
    WAYS[name]?.(tree, run);
    writeFiles(tree.path, { b: "changed\n", new: "new\n" });
    const person = fs.readFileSync(join(repo, ".git/config"));
    // It is a way out, indeed: the plain command runs it.
    spawnSync("git", ["-C", tree.path, "status"]);
    expect(fs.existsSync(ran)).toBe(true);
    fs.rmSync(ran);
    for (const look of [
      () => trees.look(tree),
      () => trees.diff(tree),
      () => trees.mergeCheck(tree),
      () => trees.losses(tree),
      () => trees.bring(tree),
      () => trees.remove(tree, undefined),
      () => trees.remove(tree, tree.branch),
    ]) {
      const answer = await look();
      expect(fs.existsSync(ran) ? fs.readFileSync(ran, "utf8") : "").toBe("");
      if (isFault(answer)) expect(answer.code).toBe("worktree.losses");
    }
    expect(fs.existsSync(tree.path)).toBe(false);
    expect(said(repo, "show", `refs/duetty/saved/${tree.id}:b`)).toBe("changed");
    expect(said(repo, "log", "--format=%s", tree.branch)).toContain("work");
    expect(fs.readFileSync(join(repo, ".git/config"))).toEqual(person);
  });
});

it("reads no other repository through a clone's git folder, and waits for no pipe in it", async () => {
  const folder = testFolder();
  const repo = repository(folder);
  const trees = await opened(folder);
  const tree = await made(trees, { cwd: repo, form: "clone" });
  const other = join(folder, "other");
  git(folder, "clone", "-q", repo, other);
  const secret = commit(other, "secret", { s: "secret\n" });
  const refused = { code: "worktree.refused", message: expect.stringContaining("read from elsewhere") };
  const inPlace = async (name: string, make: (path: string) => void) => {
    const path = join(tree.git, name);
    const aside = join(folder, "aside");
    const was = fs.existsSync(path);
    if (was) fs.renameSync(path, aside);
    make(path);
    for (const answer of [await trees.look(tree), await trees.bring(tree)])
      expect([name, answer]).toEqual([name, expect.objectContaining(refused)]);
    fs.rmSync(path);
    if (was) fs.renameSync(aside, path);
  };
  const link = (to: string) => (path: string) => fs.symlinkSync(to, path);
  const pipe = (path: string) => void execFileSync("mkfifo", [path]);
  for (const name of ["objects", "refs", "refs/heads", "packed-refs", "shallow", "objects/pack"])
    await inPlace(name, link(join(other, ".git", name)));
  const [a, b] = [secret.slice(0, 2), secret.slice(2)];
  await inPlace(`objects/${a}`, link(join(other, ".git/objects", a)));
  await inPlace("refs/heads/x", link(join(other, ".git/refs/heads/main")));
  for (const name of ["packed-refs", "refs/heads/x", "shallow", "objects/pack/pack-0.pack", "index"])
    await inPlace(name, pipe);
  await inPlace("shallow", (path) => {
    fs.writeFileSync(path, "");
    fs.truncateSync(path, 2 ** 40);
  });
  fs.mkdirSync(join(tree.git, "objects", a));
  await inPlace(`objects/${a}/${b}`, link(join(other, ".git/objects", a, b)));
  expect(await trees.look(tree)).toMatchObject({ changed: 0 });
  fs.appendFileSync(join(tree.git, "objects/info/alternates"), "/somewhere/else/objects\n");
  expect(await trees.diff(tree)).toMatchObject(refused);
  fs.rmSync(join(tree.git, "HEAD"));
  fs.symlinkSync(join(repo, ".git/HEAD"), join(tree.git, "HEAD"));
  expect(await trees.look(tree)).toMatchObject({ code: "worktree.gone" });
  expect(fs.readdirSync(join(folder, "state/looks"))).toEqual([]);
});

it.each(FORMS)("takes only the shared index that the index of a %s tree names", async (form) => {
  const folder = testFolder();
  const trees = await opened(folder);
  const tree = await made(trees, { cwd: repository(folder), form });
  git(tree.path, "update-index", "--split-index");
  writeFiles(tree.path, { a: "changed\n" });
  // Sparse, and larger than any disk together.
  for (const at of [1, 2, 3]) {
    fs.writeFileSync(join(tree.git, `sharedindex.${String(at).repeat(40)}`), "");
    fs.truncateSync(join(tree.git, `sharedindex.${String(at).repeat(40)}`), 2 ** 42);
  }
  expect(await trees.look(tree)).toMatchObject({ changed: 1 });
  fs.truncateSync(join(tree.git, "index"), 2 ** 42);
  expect(await trees.look(tree)).toMatchObject({ code: "worktree.refused" });
});

it("shows what a clone's commits have, whatever content it gives their objects", async () => {
  const folder = testFolder();
  const trees = await opened(folder);
  const tree = await made(trees, { cwd: repository(folder), form: "clone" });
  const forge = (evil: string) => {
    const at = (text: string) => {
      const id = execFileSync("git", ["-C", tree.path, "hash-object", "-w", "--stdin"], { input: text })
        .toString()
        .trim();
      return join(tree.git, "objects", id.slice(0, 2), id.slice(2));
    };
    fs.copyFileSync(at("harmless\n"), join(folder, "forged"));
    fs.renameSync(join(folder, "forged"), at(evil));
  };
  commit(tree.path, "one", { a: "evil\n" });
  expect(await trees.bring(tree)).toBeUndefined();
  forge("evil\n");
  expect(await trees.diff(tree)).toMatchObject({ files: [{ path: "a", text: expect.stringContaining("+evil") }] });
  // Nobody has seen this one before.
  commit(tree.path, "two", { b: "worse\n" });
  forge("worse\n");
  for (const answer of [await trees.diff(tree), await trees.mergeCheck(tree)])
    expect(answer).toMatchObject({ code: "worktree.failed" });
});

it("takes nothing back through a folder that is swapped for a link meanwhile", async () => {
  const folder = testFolder();
  const trees = await opened(folder);
  const tree = await made(trees, { cwd: repository(folder) });
  const outside = join(folder, "outside");
  writeFiles(outside, { new: "mine\n", c: "mine\n" });
  writeFiles(tree.path, { "src/new": "new\n", "src/c": "changed\n" });
  const patch = ok(await trees.diff(tree)).files.map(({ text }) => text);
  const [bin, src] = [join(folder, "bin"), join(tree.path, "src")];
  const real = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
  const swap = `case "$*" in diff-tree*) rm -rf ${src}; ln -s ${outside} ${src};; esac`;
  writeFiles(bin, { git: `#!/bin/sh\n${swap}\nexec ${real} "$@"\n` });
  fs.chmodSync(join(bin, "git"), 0o755);
  const path = process.env.PATH;
  process.env.PATH = `${bin}:${path}`;
  try {
    expect(await trees.takeBack(tree, patch.join(""))).toMatchObject({ code: "restore.changed" });
  } finally {
    process.env.PATH = path;
  }
  expect(fs.readFileSync(join(outside, "new"), "utf8") + fs.readFileSync(join(outside, "c"), "utf8")).toBe(
    "mine\nmine\n",
  );
  fs.rmSync(src);
  git(tree.path, "checkout", "-q", "src");
  writeFiles(tree.path, { "src/deep/new": "new\n", "src/c": "changed\n" });
  fs.rmSync(join(tree.path, "b"));
  const all = ok(await trees.diff(tree)).files.map(({ text }) => text);
  expect(await trees.takeBack(tree, all.join(""))).toBeUndefined();
  expect(said(tree.path, "status", "--porcelain")).toBe("");
  expect(fs.existsSync(join(src, "deep"))).toBe(false);
});
