// What each operation does. They translate between the wire and the core and decide nothing.
import { type Fault, fault, isFault } from "../core/base/fault.ts";
import type { Holder } from "../core/journal/holding.ts";
import type { Gone } from "../core/screen/waits.ts";
import type { Session } from "../core/session/session.ts";
import type { Sessions } from "../core/session/sessions.ts";
import type { Home } from "../protocol/home.ts";
import type { Input, OpName, Output } from "../protocol/ops.ts";
import { VERSION } from "../protocol/version.ts";
import type { Auth, Caller } from "./auth.ts";
import { examine } from "./doctor.ts";
import type { OpenRequests } from "./open.ts";

export interface Context {
  readonly sessions: Sessions;
  readonly holder: Holder;
  readonly auth: Auth;
  readonly opening: OpenRequests;
  readonly home: Home;
  readonly webRoot: string;
  readonly startedAt: number;
  httpPort(): number;
  shutdown(what: "daemon" | "everything"): Promise<number>;
}

export interface Call extends Caller {
  readonly gone: Gone;
}

export type Handlers = { [N in OpName]: (input: Input<N>, call: Call) => Promise<Output<N> | Fault> };

const SIGNALS = new Set("HUP INT QUIT KILL USR1 USR2 ALRM TERM CONT STOP TSTP TTIN TTOU WINCH".split(" "));

export function handlersFor(ctx: Context): Handlers {
  const find = (ref: string) => ctx.sessions.find(ref);
  /** Runs with the session that was named, or answers that there is none. */
  async function on<T>(ref: string, run: (session: Session) => Promise<T | Fault>): Promise<T | Fault> {
    const session = find(ref);
    return isFault(session) ? session : run(session);
  }
  return {
    async pty_open(input, call) {
      const session = await ctx.opening.open(input, call);
      return isFault(session) ? session : session.info();
    },
    async pty_list({ all }) {
      const sessions = all ? ctx.sessions.list() : ctx.sessions.live;
      return { sessions: sessions.map((session) => session.info()) };
    },
    pty_close: ({ session_id }, call) =>
      on(session_id, async (session) => {
        await session.close(call.actor);
        return session.info();
      }),
    pty_resize: ({ session_id, cols, rows }) =>
      on(
        session_id,
        async (session) => (await session.resize({ cols, rows })) ?? { session_id: session.id, cols, rows },
      ),
    signal: ({ session_id, signal }) =>
      on(session_id, async (session) => {
        const name = signal.toUpperCase().replace(/^SIG/, "");
        if (!SIGNALS.has(name)) {
          return fault("input.invalid", `no signal is called "${signal}"`, `Use one of ${[...SIGNALS].join(" ")}.`);
        }
        const delivered = await session.signal(`SIG${name}`);
        return isFault(delivered) ? delivered : { session_id: session.id, signal: `SIG${name}`, delivered };
      }),
    pty_read_screen: ({ session_id, ...options }) => on(session_id, (session) => session.see(options)),
    pty_read_raw: ({ session_id, from, length }) =>
      on(session_id, async (session) => {
        const { bytes, total } = session.readRaw(from, length);
        const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
        return { session_id: session.id, from, next: from + bytes.length, total, base64 };
      }),
    pty_send: ({ session_id, then, ...input }, call) =>
      on(session_id, async (session) => withScreen(session, await session.send(call.actor, input, then, call.gone))),
    pty_wait: ({ session_id, ...wait }, call) =>
      on(session_id, async (session) => withScreen(session, await session.wait(wait, call.gone))),
    doctor: () => examine(ctx),
    status: (input, call) => status(ctx, input, call),
    async shutdown({ keep_sessions }) {
      return { closed: await ctx.shutdown(keep_sessions ? "daemon" : "everything") };
    },
    async login_code() {
      const { code, expires_at } = ctx.auth.newCode(Date.now());
      return { code, expires_at, url: `http://127.0.0.1:${ctx.httpPort()}/login?code=${code}` };
    },
  };
}

async function withScreen<T extends object>(session: Session, result: T | Fault) {
  if (isFault(result)) return result;
  const screen = await session.see({ scrollback: 0 });
  return { ...result, screen, cursor: screen.cursor_bytes };
}

async function status(ctx: Context, { session_id }: Input<"status">, call: Call): Promise<Output<"status"> | Fault> {
  const session = session_id === undefined ? undefined : ctx.sessions.find(session_id);
  if (isFault(session)) return session;
  const live = ctx.sessions.live.length;
  return {
    version: VERSION,
    role: call.role,
    daemon: { pid: process.pid, started_at: ctx.startedAt, rss_bytes: process.memoryUsage.rss() },
    holder: { pid: ctx.holder.pid, version: ctx.holder.version },
    http: { port: ctx.httpPort() },
    home: ctx.home.dir,
    sessions: { live, ended: ctx.sessions.list().length - live },
    session: session?.info() ?? null,
  };
}
