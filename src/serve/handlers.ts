// What each operation does: the parts put together. They translate between the wire and the core and decide nothing.
import type { Context, Handlers } from "./context.ts";
import { screenHandlers } from "./screen-handlers.ts";
import { sessionHandlers } from "./session-handlers.ts";
import { systemHandlers } from "./system-handlers.ts";
import { PastReader, timeHandlers } from "./time-handlers.ts";

export function handlersFor(ctx: Context): Handlers {
  const past = new PastReader();
  return { ...sessionHandlers(ctx), ...screenHandlers(ctx, past), ...timeHandlers(ctx, past), ...systemHandlers(ctx) };
}
