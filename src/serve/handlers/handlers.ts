// What each operation does: the parts put together. They translate between the wire and the core and decide nothing.

import { agentHandlers } from "./agent.ts";
import { agentCliHandlers } from "./agent-cli.ts";
import { awayHandlers } from "./away.ts";
import { blockHandlers } from "./block.ts";
import type { Context, Handlers } from "./context.ts";
import { hostsHandlers } from "./fleet/hosts.ts";
import { membersHandlers } from "./fleet/members.ts";
import { gateHandlers } from "./gate.ts";
import { pageHandlers } from "./page.ts";
import { historyHandlers } from "./prompt/history.ts";
import { rawHandlers } from "./raw.ts";
import { restoreHandlers } from "./restore.ts";
import { runHandlers } from "./run.ts";
import { screenHandlers } from "./screen.ts";
import { sessionHandlers } from "./session.ts";
import { shareHandlers } from "./share.ts";
import { systemHandlers } from "./system.ts";
import { PastReader, timeHandlers } from "./time.ts";
import { worktreeHandlers } from "./worktree/worktree.ts";

export function handlersFor(ctx: Context): Handlers {
  const past = new PastReader();
  return {
    ...sessionHandlers(ctx),
    ...screenHandlers(ctx, past),
    ...rawHandlers(ctx),
    ...blockHandlers(ctx, past),
    ...runHandlers(ctx),
    ...gateHandlers(ctx),
    ...agentCliHandlers(ctx, past),
    ...restoreHandlers(ctx),
    ...agentHandlers(ctx),
    ...pageHandlers(ctx),
    ...historyHandlers(ctx),
    ...timeHandlers(ctx, past),
    ...shareHandlers(ctx),
    ...awayHandlers(ctx),
    ...hostsHandlers(ctx),
    ...membersHandlers(ctx),
    ...systemHandlers(ctx),
    ...worktreeHandlers(ctx),
  };
}
