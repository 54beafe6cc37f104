// A repository that an agent made is taken for a person's when it asks for a work tree of it. Its settings run nowhere, either.
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import { testFolder } from "../../fixtures/folder.ts";
import { commit, FORMS, made, opened, repository, said } from "../../fixtures/worktree/kit.ts";

const HOOKS = ["reference-transaction", "post-checkout", "post-index-change", "pre-auto-gc"];

/** What git obeys when it changes refs, fetches, lists and looks for objects that are missing. */
const settings = (run: string) => `[core]
	repositoryformatversion = 1
	bare = false
	fsmonitor = ${run}
	hooksPath = ${run}-hooks
	sshCommand = ${run}
	gitProxy = ${run}
	alternateRefsCommand = ${run}
[extensions]
	partialClone = evil
[remote "evil"]
	promisor = true
	url = ext::${run} x
	uploadpack = ${run}
[url "ext::${run} "]
	insteadOf = /
[protocol]
	allow = always
[protocol "ext"]
	allow = always
[protocol "ssh"]
	allow = always
[log]
	showSignature = true
[gpg]
	program = ${run}
[fetch]
	recurseSubmodules = true
[maintenance]
	auto = true
[gc]
	auto = 1
`;

it.each(FORMS)("a %s tree of it runs nothing of it", async (form) => {
  const folder = testFolder();
  const repo = repository(folder);
  const [run, ran] = [join(folder, "run"), join(folder, "ran")];
  fs.writeFileSync(run, `#!/bin/sh\necho "$0 $@" >> ${ran}\nexit 1\n`, { mode: 0o755 });
  for (const hook of HOOKS) fs.cpSync(run, join(`${run}-hooks`, hook));
  const plain = fs.readFileSync(join(repo, ".git/config"));
  const trees = await opened(folder);
  const tree = await made(trees, { cwd: repo, form });
  commit(tree.path, "work", { a: "work\n" });
  fs.writeFileSync(join(repo, ".git/config"), settings(run));
  // A store that lends refs, too.
  fs.cpSync(join(repo, ".git"), join(folder, "lender"), { recursive: true });
  fs.writeFileSync(join(repo, ".git/objects/info/alternates"), `${join(folder, "lender/objects")}\n`);
  const second = { cwd: repo, id: "s_0000second", slug: "second" };
  const asked = [
    () => trees.look(tree),
    () => trees.diff(tree),
    () => trees.mergeCheck(tree),
    () => trees.bring(tree),
    () => trees.create({ ...second, form: "linked", from: "0".repeat(40) }),
    () => trees.create({ ...second, form: "linked" }),
    () => trees.create({ ...second, id: "s_000third", form: "clone" }),
    () => trees.remove(tree, undefined),
    () => trees.remove(tree, tree.branch),
  ];
  for (const ask of asked) {
    const answer = await ask();
    expect(fs.existsSync(ran) ? fs.readFileSync(ran, "utf8") : "").toBe("");
    if (isFault(answer)) expect(answer.code).toMatch(/^worktree\./);
  }
  fs.writeFileSync(join(repo, ".git/config"), plain);
  expect(said(repo, "log", "--format=%s", tree.branch)).toContain("work");
});
