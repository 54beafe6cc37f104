// Sessions in which nothing happens, looked at now and then.
import type { Sessions } from "../../core/session/sessions.ts";
import { nodeClock } from "../../host/clock.ts";
import { giveBackMemory } from "../../host/engine/memory.ts";
import { isOwner } from "../../protocol/plain/person-name.ts";
import type { Config } from "../config.ts";

/** How often we search for sessions that agents left behind. */
const SWEEP_MS = 30_000;
/** How often we look for engines that nobody uses. */
const REST_MS = 10_000;

/** Sessions that agents left behind. */
export function closeQuiet(sessions: Sessions, { session_timeout_ms }: Config): NodeJS.Timeout | undefined {
  if (session_timeout_ms === 0) return undefined;
  const sweep = setInterval(
    () => {
      for (const session of sessions.live)
        if (!isOwner(session.meta.actor) && session.commands.waitingWatch.quietMs > session_timeout_ms)
          void session.close({ kind: "program" });
    },
    Math.min(SWEEP_MS, session_timeout_ms),
  );
  sweep.unref();
  return sweep;
}

/** Engines that nobody uses. */
export function restQuiet(sessions: Sessions, { sleep_after_ms }: Config): NodeJS.Timeout | undefined {
  if (sleep_after_ms === 0) return undefined;
  const rest = () => {
    sessions.rest(sleep_after_ms);
    nodeClock.idle(giveBackMemory);
  };
  return setInterval(rest, Math.min(REST_MS, sleep_after_ms)).unref();
}
