// What each operation does: the parts put together. They translate between the wire and the core and decide nothing.
import { agentHandlers } from "./agent-handlers.ts";
import { blockHandlers } from "./block-handlers.ts";
import type { Context, Handlers } from "./context.ts";
import { gateHandlers } from "./gate-handlers.ts";
import { pageHandlers } from "./page-handlers.ts";
import { runHandlers } from "./run-handlers.ts";
import { screenHandlers } from "./screen-handlers.ts";
import { sessionHandlers } from "./session-handlers.ts";
import { systemHandlers } from "./system-handlers.ts";
import { PastReader, timeHandlers } from "./time-handlers.ts";

export function handlersFor(ctx: Context): Handlers {
  const past = new PastReader();
  return {
    ...sessionHandlers(ctx),
    ...screenHandlers(ctx, past),
    ...blockHandlers(ctx, past),
    ...runHandlers(ctx),
    ...gateHandlers(ctx),
    ...agentHandlers(ctx),
    ...pageHandlers(ctx),
    ...timeHandlers(ctx, past),
    ...systemHandlers(ctx),
  };
}
