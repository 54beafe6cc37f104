// Operations of restore points. Paths are bytes inside and text on the wire.
import { type Fault, isFault } from "../../core/base/fault.ts";
import { actorName } from "../../core/gate/actor.ts";
import type { ListedPoint, Undo } from "../../core/restore/asked.ts";
import { saysWhy } from "../../core/restore/plan.ts";
import type { Session } from "../../core/session/session.ts";
import type { Point } from "../../protocol/ops/restore.ts";
import type { Input } from "../../protocol/ops.ts";
import type { Call } from "../auth.ts";
import { type Answer, type Context, type Handlers, onSession } from "./context.ts";

/** More than anybody reads. The count says how many there are. */
const FILES_MAX = 1_000;

export function restoreHandlers(ctx: Context): Pick<Handlers, "points" | "undo"> {
  return {
    points: (input) => onSession(ctx, input.session_id, (session) => listed(ctx, session)),
    undo: (input, call) => onSession(ctx, input.session_id, (session) => undone(ctx, session, input, call)),
  };
}

async function listed(ctx: Context, session: Session): Promise<Answer<"points">> {
  const here = ctx.restore.workspaceOf(session.info().cwd);
  const all = await Promise.all(
    workspacesOf(ctx, session).map(async (workspace) => {
      const points = await ctx.restore.listed(workspace);
      return points.map((one) => shown(one, workspace));
    }),
  );
  return {
    session_id: session.id,
    workspace: typeof here === "string" ? here : null,
    why: typeof here === "string" ? null : here.none,
    points: all.flat().sort((a, b) => a.ts - b.ts),
  };
}

/** Where the session is now, and where its agents worked before. */
function workspacesOf(ctx: Context, session: Session): string[] {
  const here = ctx.restore.workspaceOf(session.info().cwd);
  const events = session.display.past.files.readLines("events") as { kind?: unknown; workspace?: unknown }[];
  const before = events.flatMap(({ kind, workspace }) =>
    kind === "point" && typeof workspace === "string" ? [workspace] : [],
  );
  return [...new Set([...(typeof here === "string" ? [here] : []), ...before])];
}

async function undone(
  ctx: Context,
  session: Session,
  input: Input<"undo">,
  call: Call,
): Promise<Answer<"undo"> | Fault> {
  const workspace = await placeOf(ctx, session, input.to);
  if (isFault(workspace)) return workspace;
  const result = await ctx.restore.undo({
    workspace,
    actor: actorName(call.actor),
    session_id: session.id,
    to: input.to,
    apply: input.apply,
    in_way: input.in_way,
    paths: (input.paths ?? []).map((path) => Buffer.from(path).toString("latin1")),
    seen: input.seen,
  });
  if (isFault(result)) return result;
  if (result.saved_as !== null)
    session.gate.log({
      kind: "undo",
      actor: actorName(call.actor),
      to: result.point.point_id,
      saved_as: result.saved_as,
    });
  return answerOf(session, workspace, result);
}

/** The workspace that has the named point; without one, where the session is. */
async function placeOf(ctx: Context, session: Session, to: string | undefined): Promise<string | Fault> {
  const all = workspacesOf(ctx, session);
  for (const workspace of to === undefined ? [] : all)
    if ((await ctx.restore.points(workspace)).some(({ point_id }) => point_id === to)) return workspace;
  const here = ctx.restore.workspaceOf(session.info().cwd);
  if (typeof here === "string") return here;
  return { fault: true, code: "restore.none", message: here.none, hint: "Go to the folder of a project." };
}

function answerOf(session: Session, workspace: string, result: Undo): Answer<"undo"> {
  const { point, compared, plan, diff, saved_as, left_alone } = result;
  const moved = saved_as === null ? plan.obstacles.map((path) => ({ path, to: null })) : result.moved;
  const left = new Set(left_alone.map(({ path }) => path));
  const files = filesOf(result).filter(({ path }) => !left.has(path));
  return {
    session_id: session.id,
    workspace,
    point: shown({ point, changed: null }, workspace),
    applied: saved_as !== null,
    saved_as,
    seen: `${point.point_id}.${compared.from.key}`,
    files: files.slice(0, FILES_MAX).map((file) => ({ ...file, path: text(file.path) })),
    total: files.length,
    diff: diff.text,
    diff_cut: diff.cut,
    left_alone: left_alone.slice(0, FILES_MAX).map((one) => ({ ...one, path: text(one.path) })),
    moved: moved.slice(0, FILES_MAX).map(({ path, to }) => ({ path: text(path), to: to && text(to) })),
  };
}

function filesOf({ plan, diff }: Undo): Answer<"undo">["files"] {
  const lines = (path: string) => diff.lines.get(path) ?? { added: null, removed: null };
  const none = { added: null, removed: null };
  return [
    ...plan.writes.map(({ path, fresh }) => ({ path, change: fresh ? BROUGHT : CHANGED, ...lines(path) })),
    ...plan.deletes.map((path) => ({ path, change: "removed" as const, ...lines(path) })),
    ...plan.chmods.map(({ path }) => ({ path, change: "permissions" as const, ...none })),
    ...[...plan.makes, ...plan.removes].map((path) => ({ path: `${path}/`, change: "folder" as const, ...none })),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
}

const BROUGHT = "brought back" as const;
const CHANGED = "changed back" as const;

function shown({ point, changed }: ListedPoint, workspace: string): Point {
  const { point_id, ts, actor, session_id, skipped, left_out_total } = point;
  return {
    ...{ point_id, ts, workspace, actor, session_id, text: point.text, skipped, left_out_total, changed },
    left_out: point.left_out.map(({ path, why }) => ({ path: text(path), why: saysWhy(why) })),
  };
}

function text(path: string): string {
  return Buffer.from(path, "latin1").toString("utf8");
}
