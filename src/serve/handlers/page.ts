// Operations that pages need besides the terminal.

import { isFault } from "../../core/base/fault.ts";
import { isFar } from "../../core/gate/actor.ts";
import { checksOf } from "../../core/run/checks.ts";
import { workspaceAt } from "../../host/disk/workspace.ts";
import { CANDIDATES_MAX } from "../../protocol/ops/page.ts";
import { askingFor } from "../opening/completing.ts";
import { folderOf } from "../opening/folder.ts";
import { type Context, type Handlers, onSession } from "./context.ts";

type Mine = Pick<
  Handlers,
  "rename" | "complete" | "unknown_commands" | "lift_line" | "find_files" | "edit" | "checks" | "news"
>;

export function pageHandlers(ctx: Context): Mine {
  return {
    rename: ({ session_id, name }) =>
      onSession(ctx, session_id, async (session) => {
        const wrong = ctx.sessions.rename(session, name === "" ? null : name);
        return wrong ?? session.info();
      }),
    complete: ({ session_id, line, caret = line.length, kind }) =>
      onSession(ctx, session_id, async (session) => {
        const written = { text: line, caret: Math.min(caret, line.length) };
        const found =
          kind === "path"
            ? await ctx.completions.names(session.info().cwd, written, null)
            : await ctx.completions.complete(askingFor(session), written);
        const candidates = found.candidates.slice(0, CANDIDATES_MAX);
        return { ...found, candidates, more: found.candidates.length - candidates.length };
      }),
    unknown_commands: ({ session_id, names }) =>
      onSession(ctx, session_id, async (session) => ({
        unknown: await ctx.completions.unknown(askingFor(session), names),
      })),
    lift_line: ({ session_id }, { eyes }) =>
      onSession(ctx, session_id, async (session) => {
        const { text, actor } = await session.liftLine();
        return { text: text === null || !eyes ? text : eyes.written(text), actor };
      }),
    find_files: ({ session_id, folder, names }) =>
      onSession(ctx, session_id, (session) => ctx.editing.named(names, folderOf(folder ?? session.info().cwd))),
    edit: (place, call) => onSession(ctx, place.session_id, (session) => ctx.editing.open(place, session, call)),
    checks: async ({ session_id, cwd }) => {
      const session = session_id === undefined ? undefined : await ctx.sessions.awake(session_id);
      if (isFault(session)) return session;
      const folder = folderOf(cwd ?? session?.info().cwd);
      return { cwd: folder, checks: await checksOf(workspaceAt(folder)) };
    },
    news: async ({ since, timeout_ms }, call) => {
      const changes = isFar(call.actor) ? ctx.changes : ctx.everywhere;
      await changes.next(since, timeout_ms, call.cancelled);
      return { seq: changes.seq };
    },
  };
}
