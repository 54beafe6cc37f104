// Operations of a session's life.

import { advice } from "../../core/base/advice.ts";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { actorName } from "../../core/gate/actor.ts";
import type { Session } from "../../core/session/session.ts";
import type { Input } from "../../protocol/ops.ts";
import { isOwner } from "../../protocol/plain/person-name.ts";
import type { Call } from "../auth.ts";
import { type Answer, type Context, type Handlers, lookerOf, onSession } from "./context.ts";

const SIGNALS = new Set("HUP INT QUIT KILL USR1 USR2 ALRM TERM CONT STOP TSTP TTIN TTOU WINCH".split(" "));

type Mine = Pick<
  Handlers,
  "pty_open" | "pty_list" | "pty_close" | "pty_resize" | "remove" | "gc" | "signal" | "restore"
>;

/** An agent ends, signals and resizes only what it opened itself. */
function notYours(session: Session, { role, actor }: Call): Fault | undefined {
  if (role === "person" || session.over) return undefined;
  const { actor: opener } = session.meta;
  if (opener === actorName(actor)) return session.gate.refuses(actor);
  const who = isOwner(opener) ? "a person" : opener;
  return fault(
    "gate.denied",
    `${who} opened ${session.id}`,
    "Ask a person; agents close, signal and resize only what they opened.",
  );
}

export function sessionHandlers(ctx: Context): Mine {
  return {
    async pty_open(input, call) {
      ctx.secrets.knowVariables({ ...input.base_env, ...input.env }, call.role === "person" ? "person" : "agent");
      const session = await ctx.opening.open(input, call);
      if (isFault(session)) return session;
      // A program may print what its opener waits for before the opener can ask.
      session.looks.reached(lookerOf(call), 0);
      return session.info();
    },
    async pty_list({ all, disk }) {
      const sessions = all ? ctx.sessions.list() : ctx.sessions.live;
      const damaged = [...ctx.sessions.damaged].map(([session_id, why]) => ({ session_id, why }));
      const infoOf = (session: Session) => ({
        ...session.info(),
        ...(disk ? { disk_bytes: ctx.care.diskUse(session) } : {}),
      });
      return { sessions: sessions.map(infoOf), ...(damaged.length > 0 ? { damaged } : {}) };
    },
    pty_close: ({ session_id }, call) =>
      onSession(ctx, session_id, async (session) => {
        const refused = notYours(session, call);
        if (refused) return refused;
        await session.close(call.actor);
        // Whoever ends it knows of its end.
        if (call.role === "person") session.display.viewers.saw();
        return session.info();
      }),
    remove: ({ session_id }) =>
      onSession(ctx, session_id, async (session) => {
        if (!session.over) return fault("session.busy", `${session.id} still runs`, advice("end_first", session.id));
        await ctx.sessions.remove(session);
        return { session_id: session.id, removed: true as const };
      }),
    gc: (input) => collect(ctx, input),
    restore: (input, call) => restored(ctx, input, call),
    pty_resize: ({ session_id, cols, rows }, call) =>
      onSession(ctx, session_id, async (session) => {
        const refused = notYours(session, call) ?? (await session.resize({ cols, rows }));
        return refused ?? { session_id: session.id, cols, rows };
      }),
    signal: ({ session_id, signal }, call) =>
      onSession(ctx, session_id, async (session) => {
        const name = signal.toUpperCase().replace(/^SIG/, "");
        if (!SIGNALS.has(name)) {
          return fault("input.invalid", `no signal is called "${signal}"`, `Use one of ${[...SIGNALS].join(" ")}.`);
        }
        // An agent may end what it began, wherever it runs.
        const isTheirs = session.commands.blocks.running?.actor === actorName(call.actor);
        const held = isTheirs ? session.gate.refuses(call.actor) : notYours(session, call);
        if (held) return held;
        const delivered = await session.signal(`SIG${name}`);
        return isFault(delivered) ? delivered : { session_id: session.id, signal: `SIG${name}`, delivered };
      }),
  };
}

async function restored(
  { reopening, secrets }: Context,
  { do: what, sessions, base_env }: Input<"restore">,
  call: Call,
): Promise<Answer<"restore"> | Fault> {
  if (base_env) secrets.knowVariables(base_env, "person");
  const answer =
    what === "start"
      ? await reopening.start(sessions, base_env, call)
      : what === "forget"
        ? reopening.forget(sessions)
        : reopening.show(sessions);
  return isFault(answer) ? answer : { sessions: answer };
}

async function collect({ care, sessions }: Context, { yes, ...rules }: Input<"gc">): Promise<Answer<"gc">> {
  const { days = null, sessions: count = null, total_mb = null, session_mb = null } = rules;
  const keep = Object.keys(rules).length === 0 ? care.keep : { days, sessions: count, total_mb, session_mb };
  const total = sessions.list().reduce((sum, session) => sum + care.diskUse(session), 0);
  const leavers = care.leavers(keep);
  const bytes = leavers.reduce((sum, leaver) => sum + leaver.bytes, 0);
  if (yes) for (const { session } of leavers) await sessions.remove(session);
  const leaves = leavers.map(({ session, bytes, why }) => {
    const { session_id, name, command, actor } = session.meta;
    return { session_id, name, command, actor, bytes, why };
  });
  return { leaves, bytes, kept_bytes: total - bytes, removed: yes };
}
