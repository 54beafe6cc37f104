// The Clock port on Node's timers. Timers do not keep a process alive: only sockets and PTYs do.
import { performance } from "node:perf_hooks";
import type { Clock } from "../core/base/clock.ts";

/** Long enough to see what others do, and short enough that work in turns of a few milliseconds gets on. */
const LOOK_MS = 10;
/** Whoever prints without end or searches keeps us busy all the time; a person who types hardly at all. */
const BUSY_SHARE = 0.5;

export const nodeClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
  soon: (run) => void setImmediate(run),
  idle(run) {
    const before = performance.eventLoopUtilization();
    const look = () => {
      if (performance.eventLoopUtilization(before).utilization < BUSY_SHARE) run();
      else nodeClock.idle(run);
    };
    setTimeout(look, LOOK_MS).unref();
  },
};
