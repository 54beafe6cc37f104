// The Clock port on Node's timers. Timers do not keep a process alive: only sockets and PTYs do.
import type { Clock } from "../core/base/clock.ts";

export const nodeClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
  soon: (run) => void setImmediate(run),
};
