// What work trees cost: twenty of a repository of 5,000 files, made at once, listed and looked at.

import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Trees } from "../build/host/worktree/trees.js";
import { quantile, table, withFolder } from "./stand.mjs";

export const question =
  "What do twenty work trees of a repository of 5,000 files cost? (ms; a list of them: at most 50)";

const FILES = 5_000;
const TREES = 20;
const TIMES = 20;

export async function run() {
  await withFolder(async (dir) => {
    const repo = join(dir, "repo");
    makeRepository(repo);
    const parts = { root: join(dir, "trees"), state: join(dir, "state"), now: () => Date.now() };
    const rows = [];
    const measure = async (name, times, act) => {
      const took = [];
      for (let i = 0; i < times; i++) {
        const began = performance.now();
        await act(i);
        took.push(performance.now() - began);
      }
      rows.push([name, ...[0.5, 0.9].map((q) => quantile(took, q).toFixed(1))]);
    };
    let trees = await Trees.open(parts);
    const make = (i) =>
      trees.create({ cwd: repo, id: `s_${String(i).padStart(8, "0")}`, slug: "x", form: i % 2 ? "clone" : "linked" });
    await measure("make 20 at once, half of them clones", 1, () =>
      Promise.all(Array.from({ length: TREES }, (_, i) => make(i))),
    );
    await measure("a new daemon reads its notes", TIMES, async () => {
      trees = await Trees.open(parts);
    });
    await measure("list 20", TIMES, () => trees.list());
    const [tree] = trees.list();
    await measure("write the files of one", 1, () => spawnSync(trees.checkout(tree)[0], trees.checkout(tree).slice(1)));
    for (const name of ["look", "diff", "mergeCheck", "losses"])
      await measure(`${name} of one`, TIMES, () => trees[name](tree));
    await measure("remove one", 1, () => trees.remove(tree, undefined));
    table(["", "p50", "p90"], rows);
  });
}

function makeRepository(repo) {
  for (let i = 0; i < FILES; i++) {
    const folder = join(repo, `d${i % 50}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `f${i}`), `file ${i}\n`.repeat(50));
  }
  const git = (...args) =>
    spawnSync("git", ["-C", repo, "-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args]);
  for (const args of [
    ["init", "-q", "-b", "main"],
    ["add", "."],
    ["commit", "-qm", "c1"],
  ])
    git(...args);
}
