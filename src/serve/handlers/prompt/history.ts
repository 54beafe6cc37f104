// Operations for a person who writes a command line: what ran before.

import { historyOf, type Ran } from "../../../core/block/history.ts";
import type { Session } from "../../../core/session/session.ts";
import type { Input } from "../../../protocol/ops.ts";
import { isOwner } from "../../../protocol/plain/person-name.ts";
import type { Call } from "../../auth.ts";
import { type Context, type Handlers, onSession } from "../context.ts";

/** A search is a few words. */
const SEARCH_CHARS_MAX = 200;

/** With secrets in so many, nothing is suggested. */
const SUGGESTED_MAX = 20;

type Mine = Pick<Handlers, "history">;

export function historyHandlers(ctx: Context): Mine {
  return {
    history: ({ session_id, ...wanted }, call) =>
      onSession(ctx, session_id, async (session) => found(ctx, session, wanted, call)),
  };
}

function found(ctx: Context, session: Session, wanted: Omit<Input<"history">, "session_id">, call: Call) {
  const { cwd } = session.info();
  // Nobody waits for a session that is behind: what it ran is found once it has caught up.
  const others = ctx.sessions.list().filter((other) => other !== session);
  others.sort((a, b) => b.meta.created_at - a.meta.created_at);
  const sessions = [session, ...others].map(({ id, meta, commands }) => ({
    session_id: id,
    blocks: commands.blocks.list(),
    isOwn: isOwner(meta.actor) && !meta.box && !meta.agent,
  }));
  const text = wanted.use === "search" ? wanted.text.slice(0, SEARCH_CHARS_MAX) : wanted.text;
  const here = { session_id: session.id, cwd };
  const isSuggested = wanted.use === "suggest";
  const limit = isSuggested ? SUGGESTED_MAX : wanted.limit;
  const { best, total } = historyOf(sessions, { ...wanted, text }, here, limit);
  if (isSuggested) return { cwd, ...suggested(ctx, best, call) };
  return { cwd, commands: best.map(onWire), more: total - best.length };
}

/** One, or none: a secret is not shown unasked, and who masks secrets is not offered anything. */
function suggested({ secrets }: Context, best: readonly Ran[], { masked }: Call) {
  const one = masked ? undefined : best.find(({ cmd }) => secrets.eyes.text(cmd) === cmd);
  return { commands: one ? [onWire(one)] : [], more: 0 };
}

function onWire({ block_id, actor, cwd, exit_code, state, ts_begin, session_id, cmd }: Ran) {
  return { block_id, actor, cwd, exit_code, state, ts_begin, session_id, cmd };
}
