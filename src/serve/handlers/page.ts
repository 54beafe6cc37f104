// Operations that pages need besides the terminal.

import { isFault } from "../../core/base/fault.ts";
import { checksOf } from "../../core/run/checks.ts";
import { lastWord, pathsFor } from "../../host/disk/completion.ts";
import { workspaceAt } from "../../host/disk/workspace.ts";
import { CANDIDATES_MAX } from "../../protocol/ops/page.ts";
import { folderOf } from "../opening/folder.ts";
import { type Context, type Handlers, onSession } from "./context.ts";

type Mine = Pick<Handlers, "rename" | "complete" | "lift_line" | "find_files" | "edit" | "checks" | "news">;

export function pageHandlers(ctx: Context): Mine {
  return {
    rename: ({ session_id, name }) =>
      onSession(ctx, session_id, async (session) => {
        const wrong = ctx.sessions.rename(session, name === "" ? null : name);
        return wrong ?? session.info();
      }),
    complete: ({ session_id, line }) =>
      onSession(ctx, session_id, async (session) => {
        const { from, word } = lastWord(line);
        return answer(from, await pathsFor(word, session.info().cwd));
      }),
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
      await ctx.changes.next(since, timeout_ms, call.cancelled);
      return { seq: ctx.changes.seq };
    },
  };
}

function answer<C extends { text: string; kind: "file" | "folder" }>(from: number, all: readonly C[]) {
  const candidates = all.slice(0, CANDIDATES_MAX).map(({ text, kind }) => ({ text, kind }));
  return { from, candidates, more: all.length - candidates.length };
}
