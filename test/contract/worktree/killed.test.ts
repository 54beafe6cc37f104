// A daemon that is killed after any step leaves what the next one takes back or carries out.
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { depth } from "../../fixtures/depth.ts";
import { testFolder, writeFiles } from "../../fixtures/folder.ts";
import { git } from "../../fixtures/git.ts";
import { commit, FORMS, killedAfter, made, ok, opened, repository, said } from "../../fixtures/worktree/kit.ts";

const CREATE = { linked: ["noted", "branch", "tree", "ready"], clone: ["noted", "base", "clone", "tree", "ready"] };
const REMOVE = ["saved", "decided", "aside", "forgotten", "refs", "done"];
/** `npm test` kills after every third step. */
const sample = (steps: readonly string[]) => steps.filter((_, i) => i % depth(3, 1) === 0);

/** All that git and the disk know of trees. */
const traces = (folder: string, repo: string) => ({
  refs: said(repo, "for-each-ref", "--format=%(refname)"),
  trees: said(repo, "worktree", "list").split("\n").length,
  folders: fs.existsSync(join(folder, "trees"))
    ? fs.readdirSync(join(folder, "trees"), { recursive: true }).filter((name) => /-abcd/.test(String(name)))
    : [],
  notes: fs.readdirSync(join(folder, "state")),
});

describe.each(FORMS)("a daemon is killed while it", (form) => {
  it(`makes a ${form} tree`, async () => {
    const folder = testFolder();
    const repo = repository(folder);
    const ask = { cwd: repo, id: "s_0000abcd", slug: "x", form };
    for (const step of sample(CREATE[form])) {
      expect(killedAfter(folder, step, { op: "create", ask })).toBe("");
      const trees = await opened(folder);
      if (step !== "ready") {
        expect(trees.list()).toEqual([]);
        expect(traces(folder, repo)).toEqual({ refs: "refs/heads/main", trees: 1, folders: [], notes: ["looks"] });
        continue;
      }
      const [tree] = trees.list();
      expect(tree && ok(await trees.look(tree))).toMatchObject({ checked_out: false, changed: 0 });
      expect(tree && (await trees.remove(tree, undefined))).toMatchObject({ saved: null });
    }
  });

  it(`removes a ${form} tree`, async () => {
    const folder = testFolder();
    const repo = repository(folder);
    for (const [i, step] of sample(REMOVE).entries()) {
      const id = `s_000${i}abcd`;
      const tree = await made(await opened(folder), { cwd: repo, form, id });
      git(tree.path, "checkout", "-q", "--detach");
      const lonely = commit(tree.path, "lonely", { a: "lonely\n" });
      writeFiles(tree.path, { "x.log": "ignored\n", b: "changed\n" });
      expect(killedAfter(folder, step, { op: "remove", id, word: tree.branch })).toBe("");
      const trees = await opened(folder);
      expect(trees.list()).toEqual(step === "saved" ? [tree] : []);
      if (step === "saved") {
        const first = said(repo, "rev-parse", `refs/duetty/saved/${id}`);
        ok(await trees.remove(tree, tree.branch));
        said(repo, "merge-base", "--is-ancestor", first, `refs/duetty/saved/${id}`);
      }
      for (const [path, text] of [
        ["x.log", "ignored"],
        ["b", "changed"],
      ])
        expect(said(repo, "show", `refs/duetty/saved/${id}:${path}`)).toBe(text);
      said(repo, "merge-base", "--is-ancestor", lonely, `refs/duetty/saved/${id}`);
      git(repo, "update-ref", "-d", `refs/duetty/saved/${id}`);
    }
    expect(traces(folder, repo)).toMatchObject({ refs: "refs/heads/main", trees: 1, notes: ["looks"] });
  });
});

it("a full disk is said before anything is made", async () => {
  const folder = testFolder();
  const repo = repository(folder);
  commit(repo, "large", { large: "x".repeat(3 << 20) });
  fs.mkdirSync(join(folder, "trees"));
  const disk = [
    "bwrap",
    "--bind",
    "/",
    "/",
    "--dev-bind",
    "/dev",
    "/dev",
    "--size",
    String(2 << 20),
    "--tmpfs",
    join(folder, "trees"),
  ];
  const ask = { cwd: repo, id: "s_0000abcd", slug: "x", form: "linked" as const };
  expect(JSON.parse(killedAfter(folder, "never", { op: "create", ask }, disk))).toMatchObject({ code: "disk.full" });
  expect(traces(folder, repo)).toEqual({ refs: "refs/heads/main", trees: 1, folders: [], notes: ["looks"] });
});
