// The Shadow port on a git repository in our home, with the person's folder as its work tree. The person's own repository is
// never written, and not needed. Owns: the stored points of one workspace. Refuses: to decide when a point is due.
import { join } from "node:path";
import { advice } from "../../core/base/advice.ts";
import type { Cancelled } from "../../core/base/cancellation.ts";
import { type Fault, fault } from "../../core/base/fault.ts";
import type { Comparison, FileState, More, Shadow, StoredPoint, TreeChange } from "../../core/restore/state.ts";
import { bringBack } from "./bring-back.ts";
import { diffText } from "./diff.ts";
import { Git, GitTrouble } from "./git.ts";
import { lacking } from "./lacking.ts";
import { allFolders, type Limits, look, stateOf } from "./look.ts";
import { whileNoPipe } from "./pipes.ts";
import { type Layout, layoutOf, prepare, readJson } from "./repository.ts";
import { StoredPoints } from "./stored-points.ts";

interface ShadowParts {
  /** The repository's folder. */
  readonly dir: string;
  readonly workspace: string;
  /** Folders of the workspace that are never kept, such as our own home. */
  readonly hidden: readonly string[];
  limits(): Limits;
}

export function gitShadow({ dir, workspace, hidden, limits }: ShadowParts): Shadow {
  const git = new Git(dir, workspace);
  const ready = once(() => prepare(dir, workspace, hidden));
  const layout = layoutOf(dir);
  const stored = new StoredPoints(layout);
  return {
    workspace,
    look: () => expected(async () => lookAt(dir, workspace, await ready(), limits())),
    lacks: (state, wanted) => expected(() => lacking(git, state, wanted)),
    points: () => stored.read(),
    add: (facts, state) =>
      expected(async () => {
        await ready();
        return stored.add(facts, state);
      }),
    steps: (points) =>
      expected(() =>
        steps(
          git,
          points.flatMap(({ state }) => (state ? [state.tree] : [])),
        ),
      ),
    compare: (from, to) => expected(() => compare(git, layout, from, to)),
    diff: (compared, paths) => expected(() => diffText(git, compared.from.tree, compared.to.tree, paths)),
    bringBack: (plan, since) => expected(() => bringBack(git, plan, since)),
    tidy: (forget, how, cancelled) =>
      expected(async () => {
        await stored.forget(forget);
        return tidy(git, layout, how, cancelled);
      }),
  };
}

function lookAt(dir: string, workspace: string, layout: Layout, limits: Limits): Promise<FileState> {
  return whileNoPipe(
    workspace,
    (signal) => look(new Git(dir, workspace, signal), layout, limits),
    (path) => new GitTrouble("failed", `the named pipe ${path} keeps git from reading the folder; remove it first`),
  );
}

/** Trouble with git, the disk or the folder is an answer. */
async function expected<T>(act: () => Promise<T>): Promise<T | Fault> {
  try {
    return await act();
  } catch (error) {
    const isOurs = error instanceof GitTrouble || (error instanceof Error && "syscall" in error);
    if (!isOurs) throw error;
    const isFull = error instanceof GitTrouble && error.code === "full";
    return fault(isFull ? "restore.full" : "restore.failed", error.message, advice("points"));
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

async function compare(git: Git, layout: Layout, from: FileState, { state }: StoredPoint): Promise<Comparison> {
  const more = state && (await readJson<More>(join(layout.more, `${state.more}.json`)));
  if (!more) throw new GitTrouble("failed", "this point has no files");
  const to = stateOf(state.tree, more);
  const [[changes = []], fromFolders, toFolders] = await Promise.all([
    steps(git, [from.tree, to.tree]),
    allFolders(git, from),
    allFolders(git, to),
  ]);
  return { from, to, changes, folders: { from: fromFolders, to: toFolders } };
}

/** The changes from each tree to the next. */
async function steps(git: Git, trees: readonly string[]): Promise<TreeChange[][]> {
  const stdin = trees.slice(1).map((tree, i) => `${trees[i]} ${tree}\n`);
  if (stdin.length === 0) return [];
  const args = ["diff-tree", "--stdin", "-r", "-z", "--raw", "--no-renames", "--no-abbrev"];
  const fields = await git.list(args, { stdin: stdin.join("") });
  const all: TreeChange[][] = [];
  for (let i = 0; i < fields.length; i += 2) {
    // A line with both trees begins each comparison, also one without a change.
    const lines = (fields[i] ?? "").split("\n");
    const change = lines.pop() ?? "";
    for (const _ of lines) all.push([]);
    if (change !== "") all.at(-1)?.push(changeOf(change, fields[i + 1] ?? ""));
  }
  return all;
}

function changeOf(facts: string, path: string): TreeChange {
  const [modeBefore = "", mode = "", oidBefore = "", oid = ""] = facts.slice(1).split(" ");
  return {
    path,
    before: /^0+$/.test(oidBefore) ? null : { mode: modeBefore, oid: oidBefore },
    after: /^0+$/.test(oid) ? null : { mode, oid },
  };
}

/** Objects that a call under way may still need are younger than this. */
const PRUNE_AGE = "1.hour.ago";

async function tidy(git: Git, layout: Layout, how: "pack" | "prune", cancelled: Cancelled): Promise<undefined> {
  const given = new AbortController();
  cancelled.onCancel(() => given.abort());
  const { signal } = given;
  const known = await readJson<{ index: string }>(layout.state);
  const index = known && join(layout.dir, known.index);
  await git.text(["repack", "-d", "-q", "-l", ...(how === "prune" ? ["-a"] : [])], { index, signal });
  if (how === "prune") await git.text(["prune", `--expire=${PRUNE_AGE}`], { index, signal });
  return undefined;
}
