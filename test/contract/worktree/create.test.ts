// Trees of every kind of repository, with real git.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
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

describe.each(FORMS)("a %s tree", (form) => {
  it.each(Object.keys(KINDS))("of a repository: %s", async (name) => {
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
