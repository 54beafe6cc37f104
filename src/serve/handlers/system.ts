// Operations about the installation itself.

import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { type Fault, isFault } from "../../core/base/fault.ts";
import type { Input } from "../../protocol/ops.ts";
import { VERSION } from "../../protocol/plain/version.ts";
import { type Call, peopleOnly } from "../auth.ts";
import { readConfig } from "../config.ts";
import { bundle } from "./bundle.ts";
import type { Answer, Context, Handlers } from "./context.ts";
import { examine } from "./doctor.ts";
import { LoadMeter, metricsText } from "./load.ts";

/** How often we check the clock. A stall is the delay beyond this. */
const CLOCK_MS = 5;
/** We check it for this long after somebody has asked, because it wakes the daemon two hundred times a second. */
const WATCH_MS = 30_000;

/** How long the event loop stood still, for as long as somebody asks. */
class Stalls {
  #delays: IntervalHistogram | undefined;
  #watch: NodeJS.Timeout | undefined;

  longest(): number {
    this.#delays ??= monitorEventLoopDelay({ resolution: CLOCK_MS });
    const longest = Math.max(0, this.#delays.max / 1e6 - CLOCK_MS);
    this.#delays.reset();
    this.#delays.enable();
    this.#watch?.refresh();
    this.#watch ??= setTimeout(() => this.#stop(), WATCH_MS).unref();
    return Math.round(longest * 10) / 10;
  }

  #stop(): void {
    this.#watch = undefined;
    this.#delays?.disable();
    this.#delays = undefined;
  }
}

type Mine = Pick<Handlers, "status" | "metrics" | "doctor" | "shutdown" | "login_code">;

export function systemHandlers(ctx: Context): Mine {
  const load = new LoadMeter(ctx);
  const stalls = new Stalls();
  return {
    doctor: (input, call) => doctor(ctx, input, call),
    status: (input, call) => status(ctx, { load, stalls }, input, call),
    metrics: async () => ({ text: metricsText(ctx) }),
    async shutdown({ keep_sessions }) {
      const kept = keep_sessions ? ctx.sessions.live.length : 0;
      return { kept, closed: await ctx.shutdown(keep_sessions ? "daemon" : "everything") };
    },
    async login_code() {
      const { code, expires_at } = ctx.auth.newCode(Date.now());
      return { code, expires_at, url: `http://127.0.0.1:${ctx.httpPort()}/login?code=${code}` };
    },
  };
}

async function doctor(ctx: Context, input: Input<"doctor">, call: Call): Promise<Answer<"doctor"> | Fault> {
  const refused = input.bundle ? peopleOnly(call, "a bundle is for people") : undefined;
  if (refused) return refused;
  const examined = await examine(ctx);
  return input.bundle ? { ...examined, bundle: bundle(ctx, examined.checks) } : examined;
}

async function status(
  ctx: Context,
  { load, stalls }: { readonly load: LoadMeter; readonly stalls: Stalls },
  { session_id }: Input<"status">,
  call: Call,
): Promise<Answer<"status"> | Fault> {
  const session = session_id === undefined ? undefined : await ctx.sessions.awake(session_id);
  if (isFault(session)) return session;
  const { live } = ctx.sessions;
  const asleep = live.filter(({ display }) => display.isAsleep).length;
  return {
    version: VERSION,
    role: call.role,
    daemon: {
      pid: process.pid,
      started_at: ctx.startedAt,
      rss_bytes: process.memoryUsage.rss(),
      stall_ms: stalls.longest(),
    },
    holder: { pid: ctx.holder.pid, version: ctx.holder.version },
    http: { port: ctx.httpPort() },
    elicitation: readConfig(ctx.home.config).elicitation,
    box: { available: ctx.sandbox.boxes.available, why: ctx.sandbox.boxes.why },
    changed_rules: ctx.ruleFiles.list().changed,
    home: ctx.home.dir,
    sessions: { live: live.length, asleep, ended: ctx.sessions.list().length - live.length },
    load: load.now(),
    session: session?.info() ?? null,
  };
}
