// Trees of every kind of repository, with real git.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TreeAsk } from "../../../src/core/worktree/tree.ts";
import { depth } from "../../fixtures/depth.ts";
import { testFolder, writeFiles } from "../../fixtures/folder.ts";
import { git } from "../../fixtures/git.ts";
import { commit, FORMS, filesIn, made, opened, repository, said } from "../../fixtures/worktree/kit.ts";

const FILES = [".gitignore", "a", "b", "src/c"];

interface Kind {
  /** Where it is asked for. */
  readonly cwd: (folder: string, repo: string) => string;
  readonly files?: readonly string[];
}

const KINDS: Readonly<Record<string, Kind>> = {
  plain: { cwd: (_, repo) => join(repo, "src") },
  dirty: {
    cwd(_, repo) {
      writeFiles(repo, { a: "changed\n", new: "new\n", "x.log": "x" });
      return repo;
    },
  },
  detached: {
    cwd(_, repo) {
      git(repo, "checkout", "-q", "--detach");
      return repo;
    },
  },
  bare: {
    cwd(folder, repo) {
      git(folder, "clone", "-q", "--bare", repo, "bare.git");
      return join(folder, "bare.git");
    },
  },
  shallow: {
    cwd(folder, repo) {
      commit(repo, "c2");
      git(folder, "clone", "-q", "--depth=1", `file://${repo}`, "shallow");
      return join(folder, "shallow");
    },
  },
  "a tree of a tree": {
    cwd(folder, repo) {
      git(repo, "worktree", "add", "-q", "-b", "other", join(folder, "other"));
      return join(folder, "other/src");
    },
  },
  sparse: {
    cwd(_, repo) {
      git(repo, "sparse-checkout", "set", "--cone", "--sparse-index", "src");
      return repo;
    },
  },
  "with a submodule": {
    cwd(folder, repo) {
      git(folder, "clone", "-q", repo, "inner");
      git(repo, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", join(folder, "inner"), "sub");
      git(repo, "commit", "-qm", "sub");
      return repo;
    },
    files: [".gitignore", ".gitmodules", "a", "b", "src/c"],
  },
  "with lines that end in CRLF": {
    cwd(_, repo) {
      commit(repo, "crlf", { ".gitattributes": "a text eol=crlf\n" });
      return repo;
    },
    files: [".gitattributes", ...FILES],
  },
  "with large files and no program for them": {
    cwd(_, repo) {
      git(repo, "config", "filter.lfs.smudge", "git-lfs-that-is-missing smudge -- %f");
      git(repo, "config", "filter.lfs.clean", "cat");
      git(repo, "config", "filter.lfs.required", "true");
      commit(repo, "lfs", { ".gitattributes": "a filter=lfs\n" });
      return repo;
    },
    files: [".gitattributes", ...FILES],
  },
  "with hooks that fail": {
    cwd(_, repo) {
      for (const name of ["post-checkout", "reference-transaction", "post-index-change"])
        fs.writeFileSync(join(repo, ".git/hooks", name), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
      return repo;
    },
  },
  "with hashes of 256 bits": {
    cwd(folder) {
      const repo = join(folder, "long");
      writeFiles(repo, { a: "a\n", b: "b\n", "src/c": "c\n", ".gitignore": "*.log\n" });
      git(folder, "init", "-q", "-b", "main", "--object-format=sha256", repo);
      commit(repo, "c1");
      return repo;
    },
  },
  "a name that looks like a commit": {
    cwd(_, repo) {
      git(repo, "branch", said(repo, "rev-parse", "HEAD").slice(0, 7));
      return repo;
    },
  },
};

/** A clone differs from a linked tree in what it copies and borrows, not in where it is asked for. */
const ALIKE = [
  "dirty",
  "detached",
  "a tree of a tree",
  "with lines that end in CRLF",
  "a name that looks like a commit",
];
/** `npm test` makes a clone of one kind of repository in this many. */
const KINDS_PER_CLONE_TEST = depth(3, 1);

describe.each(FORMS)("a %s tree", (form) => {
  const kinds =
    form === "linked"
      ? Object.keys(KINDS)
      : Object.keys(KINDS).filter((name, i) => !ALIKE.includes(name) && i % KINDS_PER_CLONE_TEST === 0);

  it.each(kinds)("of a repository: %s", async (name) => {
    const folder = testFolder();
    const kind = KINDS[name];
    const cwd = kind?.cwd(folder, repository(folder)) ?? "";
    const trees = await opened(folder);
    const before = said(cwd, "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads");
    const tree = await made(trees, { cwd, form });
    // A new daemon knows it.
    const [known] = (await opened(folder)).list();
    expect(known).toEqual(tree);
    expect(tree).toMatchObject({
      branch: "duetty/fix-it-abcd",
      made_branch: true,
      base: said(cwd, "rev-parse", "HEAD"),
    });
    expect(tree.path).toMatch(/\/trees\/[\w.-]+-[0-9a-f]{6}\/fix-it-abcd$/);
    expect(said(tree.path, "symbolic-ref", "HEAD")).toBe("refs/heads/duetty/fix-it-abcd");
    const isSparse = name === "sparse" && form === "linked";
    expect(filesIn(tree.path)).toEqual(isSparse ? FILES : (kind?.files ?? FILES));
    const clean = { changed: 0, ahead: 0, behind: 0, head: tree.base, branch: tree.branch, under_way: null };
    expect(await trees.look(tree)).toMatchObject({ ...clean, detached: false, checked_out: true });
    commit(tree.path, "work", { a: "more\n", new: "new\n" });
    writeFiles(tree.path, { b: "edited\n", untracked: "u", "x.log": "ignored" });
    expect(await trees.look(tree)).toMatchObject({ changed: 2, ahead: 1, behind: 0 });
    const after = said(cwd, "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads").split("\n");
    expect(after.filter((line) => !line.includes("/duetty/"))).toEqual(before.split("\n"));
  });
});

interface Refusal {
  readonly ask: (folder: string, repo: string) => Partial<TreeAsk>;
  readonly message: string | RegExp;
  readonly code?: string;
}

const after = (repo: string, ...args: string[]) => {
  git(repo, ...args);
  return {};
};

const REFUSALS: Readonly<Record<string, Refusal>> = {
  "no repository": {
    ask: (folder) => ({ cwd: folder }),
    message: /is in no git repository/,
    code: "worktree.unavailable",
  },
  "no folder": {
    ask: (folder) => ({ cwd: join(folder, "none") }),
    message: /there is no folder/,
    code: "cwd.not_found",
  },
  "no commit": {
    ask(folder) {
      git(folder, "init", "-q", "empty");
      return { cwd: join(folder, "empty") };
    },
    message: "the repository has no commit yet",
  },
  "a branch that is checked out": { ask: () => ({ branch: "main" }), message: /^main is checked out at / },
  "a branch of a folder that is gone": {
    ask(folder, repo) {
      git(repo, "worktree", "add", "-q", "-b", "away", join(folder, "away"));
      fs.rmSync(join(folder, "away"), { recursive: true });
      return { branch: "away" };
    },
    message: /^away is checked out at /,
  },
  "a branch below a branch": {
    ask: (_, repo) => ({ ...after(repo, "branch", "foo"), branch: "foo/bar" }),
    message: "there is a branch foo, so there can be none named foo/bar",
  },
  "a branch above a branch": {
    ask: (_, repo) => ({ ...after(repo, "branch", "foo/bar"), branch: "foo" }),
    message: "there is a branch foo/bar, so there can be none named foo",
  },
  "a start for a branch that exists": {
    ask: (_, repo) => ({ ...after(repo, "branch", "foo"), branch: "foo", from: "main" }),
    message: "there is a branch foo already",
  },
  "no name": { ask: () => ({ branch: "a..b" }), message: "git takes no branch named a..b" },
  "an option as a name": { ask: () => ({ branch: "--force" }), message: "git takes no branch named --force" },
  "an unknown start": { ask: () => ({ from: "nowhere" }), message: "nowhere names no commit of this repository" },
  "an option as a start": { ask: () => ({ from: "--all" }), message: "--all names no commit of this repository" },
  "refs in a format that we cannot read": {
    ask: (_, repo) => after(repo, "config", "extensions.refstorage", "reftable"),
    message: "this repository keeps its refs in a reftable",
    code: "worktree.unavailable",
  },
};

describe("a tree is refused, and nothing is left of it", () => {
  it.each(Object.keys(REFUSALS))("%s", async (name) => {
    const folder = testFolder();
    const repo = repository(folder);
    const refusal = REFUSALS[name];
    const ask = { cwd: repo, id: "s_0000abcd", slug: "x", form: "linked" as const, ...refusal?.ask(folder, repo) };
    const refs = () => fs.readdirSync(join(repo, ".git/refs/heads"), { recursive: true });
    const before = refs();
    const trees = await opened(folder);
    for (const form of FORMS)
      expect(await trees.create({ ...ask, form })).toMatchObject({
        code: refusal?.code ?? "worktree.refused",
        message: typeof refusal?.message === "string" ? refusal.message : expect.stringMatching(refusal?.message ?? ""),
        hint: expect.stringMatching(/\.$|: git init$/),
      });
    expect(refs()).toEqual(before);
    expect(trees.list()).toEqual([]);
  });

  it("inside the repository, inside a session's clone, on another session's branch, from a partial clone", async () => {
    const folder = testFolder();
    const repo = repository(folder);
    const ask = { cwd: repo, id: "s_00000001", slug: "x", form: "clone" as const };
    const inside = await opened(folder, { root: join(repo, "trees") });
    expect(await inside.create(ask)).toMatchObject({ code: "worktree.refused", message: /lies inside the repository/ });
    const trees = await opened(folder);
    const tree = await made(trees, { ...ask, branch: "one" });
    const second = { ...ask, id: "s_00000002" };
    expect(await trees.create({ ...second, cwd: tree.path })).toMatchObject({
      message: "this folder is a session's own clone",
    });
    for (const form of FORMS)
      expect(await trees.create({ ...second, form, branch: "one" })).toMatchObject({
        message: "one is the branch of session s_00000001",
      });
    expect(await trees.create({ ...second, branch: "one/two" })).toMatchObject({ message: /^there is a branch one/ });
    git(repo, "config", "remote.origin.promisor", "true");
    expect(await trees.create(second)).toMatchObject({ message: "a partial clone cannot lend its objects" });
    expect(trees.list()).toEqual([tree]);
  });

  it("without git, and with an old one", async () => {
    const folder = testFolder({ "bin/git": "#!/bin/sh\necho git version 2.30.2\n" });
    fs.chmodSync(join(folder, "bin/git"), 0o755);
    const trees = await opened(folder);
    const ask = { cwd: repository(folder), id: "s_0000abcd", slug: "x", form: "linked" as const };
    const path = process.env.PATH;
    try {
      process.env.PATH = join(folder, "bin");
      expect(await trees.create(ask)).toMatchObject({
        code: "worktree.unavailable",
        message: "git version 2.30.2 is too old",
      });
      process.env.PATH = join(folder, "none");
      expect(await trees.create(ask)).toMatchObject({
        code: "worktree.unavailable",
        hint: "Install git, then try again.",
      });
    } finally {
      process.env.PATH = path;
    }
  });
});
