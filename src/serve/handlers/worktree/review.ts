// A person's answer to what a worktree changed: takes files or hunks back, marks them as accepted, and puts comments into one text.
import { type Fault, fault, isFault } from "../../../core/base/fault.ts";
import type { Session } from "../../../core/session/session.ts";
import { chosenPatch } from "../../../core/worktree/diff-text.ts";
import type { Tree } from "../../../core/worktree/tree.ts";
import type { Input } from "../../../protocol/ops.ts";
import type { Answer, Context } from "../context.ts";
import { difference, digestsOf } from "./difference.ts";

/** The newest marks. Older ones are of differences that are long gone. */
const ACCEPTED_MAX = 5_000;

type Chosen = NonNullable<Input<"review">["reject"]>[number];

export async function reviewed(
  ctx: Context,
  session: Session,
  { reject = [], accept = [], comments = [] }: Input<"review">,
): Promise<Answer<"review"> | Fault> {
  const tree = ctx.worktrees.find(session.id);
  if (isFault(tree)) return tree;
  const paths = [...new Set([...reject, ...accept].map(({ path }) => path))];
  const now = paths.length === 0 ? { files: [], only_committed: [] } : await difference(ctx, tree, paths);
  if (isFault(now)) return now;
  const textIn = (files: Answer<"worktree_diff">["files"], { path, seen }: Chosen) =>
    files.find((file) => file.path === path && file.seen === seen)?.text;
  const textOf = (one: Chosen) => textIn(now.files, one) ?? textIn(now.only_committed, one);
  const patches = reject.map((one) => {
    // What only the commits have is in no file that could be changed.
    const text = textIn(now.files, one);
    return text === undefined ? undefined : chosenPatch(text, one.hunk);
  });
  const changed = [
    ...reject.filter((_, at) => patches[at] === undefined),
    ...accept.filter((one) => textOf(one) === undefined),
  ];
  if (changed[0]) return hasChanged(changed[0]);
  if (reject.length > 0) await keepFiles(ctx, session, tree, reject);
  for (const patch of patches) {
    const failed = await ctx.worktrees.trees.takeBack(tree, patch ?? "");
    if (isFault(failed)) return failed;
  }
  const marks = accept.flatMap((one) => {
    const all = digestsOf(one.path, textOf(one) ?? "");
    return one.hunk === undefined ? all : (all[one.hunk] ?? []);
  });
  if (marks.length > 0) {
    const all = [...new Set([...(session.meta.accepted ?? []), ...marks])];
    ctx.sessions.note(session, { accepted: all.slice(-ACCEPTED_MAX) });
  }
  if (reject.length > 0) void ctx.worktrees.look(tree.id);
  return {
    session_id: session.id,
    rejected: reject.length,
    accepted: accept.length,
    prompt: comments.length === 0 ? null : commentsText(comments),
  };
}

/** Whoever takes something back by mistake undoes it. */
async function keepFiles({ restore }: Context, { id }: Session, tree: Tree, chosen: readonly Chosen[]): Promise<void> {
  const what = chosen.map(({ path, hunk }) => (hunk === undefined ? path : `${path}, hunk ${hunk + 1}`));
  const text = `reject ${what.join("; ")}`;
  await restore.before({ cwd: tree.path, session_id: id, actor: "person", text, input: "line" });
}

function hasChanged({ path }: Chosen): Fault {
  return fault("restore.changed", `${path} has changed since it was shown`, "Look at the difference again.");
}

/** As compilers write it, so that an agent finds the places. */
function commentsText(comments: NonNullable<Input<"review">["comments"]>): string {
  const lines = comments.map(({ path, line, text }) => `${path}:${line}: ${text.trim()}`);
  return ["Please work on these comments on your changes:", ...lines].join("\n");
}
