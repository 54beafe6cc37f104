// Makes a tree, all but its files, and takes back what a kill left half made. The lock hands
// out the git that it is made with. Owns: the order of the steps. The note comes first, so that each step can be taken back by the next daemon.
import fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Fault, fault } from "../../core/base/fault.ts";
import { branchInWay, isMisread, leavesOf } from "../../core/worktree/names.ts";
import type { Tree, TreeAsk } from "../../core/worktree/tree.ts";
import type { Notes } from "./notes.ts";
import { type CommonGit, type Repository, remotesIn } from "./repository.ts";
import { readPlain } from "./taking.ts";
import { configText, plainSettings } from "./view.ts";

interface Making {
  readonly notes: Notes;
  /** Tells each step when it is done. */
  step(name: string): void;
}

interface Surroundings {
  /** Where trees of this repository are made. */
  readonly folder: string;
  /** Those that it has by now. */
  readonly others: readonly Tree[];
  readonly now: number;
}

/** Keeps what a clone borrows from the person's gc. */
export const baseRef = (id: string) => `refs/duetty/base/${id}`;

/** What is to be made, once it is sure that nothing is in its way. */
export async function planned(
  git: CommonGit,
  ask: TreeAsk,
  found: Repository,
  { folder, others, now }: Surroundings,
): Promise<Tree | Fault> {
  const taken = others.find((tree) => tree.branch === ask.branch);
  if (taken)
    return fault(
      "worktree.refused",
      `${taken.branch} is the branch of session ${taken.id}`,
      "Choose another branch, or work in that session.",
    );
  const from = ask.from ?? found.branch ?? found.commit;
  const start = ask.from === undefined ? found.commit || undefined : await git.commitOf(ask.from);
  if (start === undefined)
    return ask.from === undefined
      ? fault("worktree.refused", "the repository has no commit yet", "Make a first commit, then try again.")
      : fault(
          "worktree.refused",
          `${ask.from} names no commit of this repository`,
          "Name a branch, a tag or a commit.",
        );
  const partial = [...found.settings.keys()].some((key) => /^extensions\.partialclone$|\.promisor$/.test(key));
  if (ask.form === "clone" && partial)
    return fault(
      "worktree.refused",
      "a partial clone cannot lend its objects",
      "Use a linked work tree, or fetch all objects first.",
    );
  const branches = await git.branches();
  const leaves = leavesOf(ask.slug, ask.id);
  const isFree = (leaf: string) =>
    !fs.existsSync(join(folder, leaf)) && (ask.branch !== undefined || !branches.includes(`duetty/${leaf}`));
  const leaf = leaves.find(isFree) ?? "";
  if (leaf === "")
    return fault("worktree.refused", `there is a work tree ${leaves[0]} already`, "Choose another name.");
  const branch = ask.branch ?? `duetty/${leaf}`;
  const exists = branches.includes(branch);
  // A clone's branch comes to the repository later.
  const names = [...branches, ...others.map((tree) => tree.branch)];
  const refused = exists ? await refusedBranch(git, branch, ask) : await refusedName(git, branch, names, found);
  if (refused) return refused;
  const path = join(folder, leaf);
  return {
    ...{ id: ask.id, form: ask.form, repo: found.repo, common: found.common, path, branch, from },
    git: ask.form === "clone" ? join(path, ".git") : join(found.common, "worktrees", leaf),
    base: exists ? ((await git.commitOf(`refs/heads/${branch}`)) ?? start) : start,
    made_branch: !exists,
    created_at: now,
  };
}

async function refusedBranch(git: CommonGit, branch: string, ask: TreeAsk): Promise<Fault | undefined> {
  if (ask.isNew)
    return fault(
      "worktree.refused",
      `${branch} is there already, and only a person opens a session on it`,
      "Name a new branch; with from it begins at that one.",
    );
  if (ask.from !== undefined)
    return fault(
      "worktree.refused",
      `there is a branch ${branch} already`,
      "Leave the start out to work on it, or choose another branch.",
    );
  return branchElsewhere(git, branch);
}

/** The same branch in two work trees would make each undo the other's commits. */
export async function branchElsewhere(git: CommonGit, branch: string, except?: string): Promise<Fault | undefined> {
  const there = (await git.trees()).find((tree) => tree.branch === branch && tree.path !== except);
  if (there === undefined) return undefined;
  const lost = fs.existsSync(there.path) ? "" : " That folder is gone: `git worktree prune` forgets it.";
  return fault(
    "worktree.refused",
    `${branch} is checked out at ${there.path}`,
    `Choose another branch, or work there.${lost}`,
  );
}

async function refusedName(
  git: CommonGit,
  branch: string,
  branches: readonly string[],
  { settings }: Repository,
): Promise<Fault | undefined> {
  const isName = !branch.startsWith("-") && (await git.holds("check-ref-format", `refs/heads/${branch}`));
  if (!isName) return fault("worktree.refused", `git takes no branch named ${branch}`, "Choose another name.");
  if (
    isMisread(branch, remotesIn(settings)) ||
    (await git.holds("show-ref", "--verify", "--quiet", `refs/tags/${branch}`))
  )
    return fault("worktree.refused", `${branch} already means something else to git`, "Choose another name.");
  const inWay = branchInWay(branch, branches);
  if (inWay === undefined) return undefined;
  return fault(
    "worktree.refused",
    `there is a branch ${inWay}, so there can be none named ${branch}`,
    "Choose another name.",
  );
}

/** The tree as it became. */
export async function make(git: CommonGit, tree: Tree, found: Repository, { notes, step }: Making): Promise<Tree> {
  await notes.keep({ phase: "making", tree });
  step("noted");
  fs.mkdirSync(dirname(tree.path), { recursive: true, mode: 0o700 });
  const made = tree.form === "linked" ? await makeLinked(git, tree, step) : await makeClone(git, tree, found, step);
  await notes.keep({ phase: "ready", tree: made });
  step("ready");
  return made;
}

async function makeLinked(git: CommonGit, tree: Tree, step: Making["step"]): Promise<Tree> {
  if (tree.made_branch) {
    await git.text("update-ref", "--create-reflog", "-m", madeFor(tree.id), `refs/heads/${tree.branch}`, tree.base, "");
    step("branch");
  }
  // Locked: nobody's prune forgets it, also where its disk is not there for a while.
  const lock = ["--lock", "--reason", `duetty ${tree.id}`];
  await git.text("worktree", "add", "--no-checkout", ...lock, "--", tree.path, tree.branch);
  step("tree");
  // Nobody else knows the folder yet: what git has just written there is git's.
  const [, entry] = /^gitdir: (.+)\n$/.exec(readPlain(join(tree.path, ".git"), 4 << 10)?.toString("utf8") ?? "") ?? [];
  if (entry === undefined) throw new Error(`git made no entry for ${tree.path}`);
  // A box binds these, so they must be there: it could not keep an agent from making them.
  fs.closeSync(fs.openSync(join(entry, "config.worktree"), "a", 0o600));
  return { ...tree, git: entry };
}

async function makeClone(git: CommonGit, tree: Tree, found: Repository, step: Making["step"]): Promise<Tree> {
  await git.text("update-ref", "-m", madeFor(tree.id), baseRef(tree.id), tree.base);
  step("base");
  // Under another name first: a folder with the right one is complete.
  const half = halfOf(tree.path);
  await git.lend(half, tree.branch, tree.base);
  step("clone");
  const dir = join(half, ".git");
  for (const name of ["info", "hooks", "logs"]) fs.mkdirSync(join(dir, name), { recursive: true });
  const exclude = join(tree.common, "info/exclude");
  if (fs.existsSync(exclude)) fs.copyFileSync(exclude, join(dir, "info/exclude"));
  const plain = plainSettings(found.settings).filter(([key]) => key.startsWith("core.") && !key.endsWith("sfile"));
  const who = ["user.name", "user.email"].flatMap((key): [string, string][] => {
    const value = found.settings.get(key);
    return value === undefined ? [] : [[key, value]];
  });
  fs.appendFileSync(join(dir, "config"), Buffer.from(configText([...plain, ...who]), "latin1"));
  fs.renameSync(half, tree.path);
  step("tree");
  return tree;
}

const madeFor = (id: string) => `duetty: made for ${id}`;
const halfOf = (path: string) => join(dirname(path), `.half-${basename(path)}`);

/** Takes back what was made of it. Nobody has worked there: no session was told of it. */
export async function unmake(git: CommonGit, tree: Tree, notes: Notes): Promise<void> {
  fs.rmSync(halfOf(tree.path), { recursive: true, force: true });
  if (tree.form === "clone") {
    fs.rmSync(tree.path, { recursive: true, force: true });
    await git.text("update-ref", "-d", baseRef(tree.id));
  } else {
    const isOurs = (await git.trees()).some(({ path }) => path === tree.path);
    if (isOurs) await git.text("worktree", "remove", "--force", "--force", "--", tree.path);
    else fs.rmSync(tree.path, { recursive: true, force: true });
    if (tree.made_branch && (await isMadeHere(git, tree)))
      await git.text("update-ref", "-d", `refs/heads/${tree.branch}`, tree.base);
  }
  notes.forget(tree.id);
}

/** Our word is in its log, and nobody has moved it since. */
async function isMadeHere(git: CommonGit, tree: Tree): Promise<boolean> {
  const ref = `refs/heads/${tree.branch}`;
  if ((await git.commitOf(ref)) !== tree.base) return false;
  const told = await git.text("reflog", "show", "--format=%gs", ref, "--").catch(() => "");
  return told === madeFor(tree.id) && (await branchElsewhere(git, tree.branch)) === undefined;
}
