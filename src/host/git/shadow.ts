// The Shadow port on a git repository in our home, with the person's folder as its work tree. The person's own repository is
// never written, and not needed. Owns: the stored points of one workspace. Refuses: to decide when a point is due.
import fs from "node:fs/promises";
import { join } from "node:path";
import type { Cancelled } from "../../core/base/cancellation.ts";
import { type Fault, fault } from "../../core/base/fault.ts";
import { changesIn } from "../../core/restore/plan.ts";
import type { Comparison, FileState, More, Shadow, StoredPoint, TreeChange } from "../../core/restore/state.ts";
import { bringBack } from "./bring-back.ts";
import { diffText } from "./diff.ts";
import { Git, GitTrouble } from "./git.ts";
import { allFolders, hashOf, type Limits, look, stateOf } from "./look.ts";
import { whileNoPipe } from "./pipes.ts";
import { isMissing, type Layout, layoutOf, prepare, readJson, replaceFile } from "./repository.ts";

/** git's own name for nothing at all. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

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
  return {
    workspace,
    look: () => expected(async () => lookAt(dir, workspace, await ready(), limits())),
    points: () => readPoints(layout),
    add: (facts, state) => expected(async () => addPoint(await ready(), facts, state)),
    counts: (from, to) => expected(async () => changesIn(await treeChanges(git, from ?? EMPTY_TREE, to))),
    compare: (from, to) => expected(() => compare(git, layout, from, to)),
    diff: (compared, paths) => expected(() => diffText(git, compared.from.tree, compared.to.tree, paths)),
    bringBack: (plan, since) => expected(() => bringBack(git, plan, since)),
    tidy: (forget, cancelled) => expected(() => tidy(git, layout, forget, cancelled)),
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
    const hint = "duetty points SESSION says which points there are.";
    return fault("restore.failed", error.message, hint);
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

async function readPoints({ points }: Layout): Promise<StoredPoint[]> {
  const names = await fs.readdir(points).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const stored = await Promise.all(
    names.filter((name) => name.endsWith(".json")).map((name) => readJson<StoredPoint>(join(points, name))),
  );
  return stored.filter((point) => point !== undefined).sort((a, b) => a.ts - b.ts);
}

/** First what keeps git from forgetting the files, then the point itself. */
async function addPoint(
  layout: Layout,
  facts: Omit<StoredPoint, "state">,
  found: FileState | null,
): Promise<StoredPoint> {
  const state = found && { tree: found.tree, key: found.key, more: hashOf(found.more) };
  if (state) {
    await replaceFile(join(layout.more, `${state.more}.json`), JSON.stringify(found.more));
    await replaceFile(join(layout.refs, facts.point_id), `${state.tree}\n`);
  }
  const point = { ...facts, state };
  await replaceFile(join(layout.points, `${facts.point_id}.json`), JSON.stringify(point));
  return point;
}

async function compare(git: Git, layout: Layout, from: FileState, { state }: StoredPoint): Promise<Comparison> {
  const more = state && (await readJson<More>(join(layout.more, `${state.more}.json`)));
  if (!more) throw new GitTrouble("failed", "this point has no files");
  const to = stateOf(state.tree, more);
  const [changes, fromFolders, toFolders] = await Promise.all([
    treeChanges(git, from.tree, to.tree),
    allFolders(git, from),
    allFolders(git, to),
  ]);
  return { from, to, changes, folders: { from: fromFolders, to: toFolders } };
}

async function treeChanges(git: Git, from: string, to: string): Promise<TreeChange[]> {
  const fields = await git.list(["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", from, to]);
  const changes: TreeChange[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [modeBefore = "", mode = "", oidBefore = "", oid = ""] = (fields[i] ?? "").slice(1).split(" ");
    changes.push({
      path: fields[i + 1] ?? "",
      before: /^0+$/.test(oidBefore) ? null : { mode: modeBefore, oid: oidBefore },
      after: /^0+$/.test(oid) ? null : { mode, oid },
    });
  }
  return changes;
}

/** Objects that a call under way may still need are younger than this. */
const PRUNE_AGE = "1.hour.ago";

async function tidy(git: Git, layout: Layout, forget: readonly string[], cancelled: Cancelled): Promise<undefined> {
  const given = new AbortController();
  cancelled.onCancel(() => given.abort());
  const { signal } = given;
  for (const point_id of forget) {
    await fs.rm(join(layout.points, `${point_id}.json`), { force: true });
    await fs.rm(join(layout.refs, point_id), { force: true });
  }
  const points = await readPoints(layout);
  const used = new Set(points.flatMap(({ state }) => (state ? [`${state.more}.json`] : [])));
  for (const name of await fs.readdir(layout.more)) if (!used.has(name)) await fs.rm(join(layout.more, name));
  const ids = new Set(points.map(({ point_id }) => point_id));
  for (const name of await fs.readdir(layout.refs)) if (!ids.has(name)) await fs.rm(join(layout.refs, name));
  const known = await readJson<{ index: string }>(layout.state);
  const index = known && join(layout.dir, known.index);
  await git.text(["repack", "-d", "-q", "-l", ...(forget.length > 0 ? ["-a"] : [])], { index, signal });
  if (forget.length > 0) await git.text(["prune", `--expire=${PRUNE_AGE}`], { index, signal });
  return undefined;
}
