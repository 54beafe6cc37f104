// Sends progress while a call lasts, because clients give up on silent calls. Owns: one timer per call, and ends it.
import type { ServerContext } from "@modelcontextprotocol/server";

/** Clients with a time limit restart it at each progress message. The shortest limit seen is thirty seconds. */
const PROGRESS_MS = 5_000;

export interface Progress {
  /** Sets what the call waits for and reports it at once. */
  say(message: string): void;
  end(): void;
}

const SILENT: Progress = { say: () => undefined, end: () => undefined };

export function progressOf(ctx: ServerContext, first: string): Progress {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return SILENT;
  const began = Date.now();
  let message = first;
  let steps = 0;
  const tell = () => {
    steps += 1;
    const seconds = Math.round((Date.now() - began) / 1_000);
    const params = { progressToken, progress: steps, message: `${message} (${seconds} s)` };
    // When the client is gone, the call is aborted anyway.
    ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
  const timer = setInterval(tell, PROGRESS_MS);
  const say = (next: string) => {
    message = next;
    tell();
  };
  return { say, end: () => clearInterval(timer) };
}
