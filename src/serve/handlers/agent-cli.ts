// Operations about what agent CLIs are doing: why one has the state that it has, or had at a moment of the past; and what needs a
// person, over all sessions.
import { hookAt, hookEvent, hookRecord } from "../../core/agent-cli/hooks.ts";
import { type Judgement, judgeAgent, toldEvidence } from "../../core/agent-cli/judge.ts";
import { ProgramStatus } from "../../core/agent-cli/program-status.ts";
import { isAgentSessionId } from "../../core/agent-cli/start/start.ts";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { actorName } from "../../core/gate/actor.ts";
import { type PastTarget, screenAt } from "../../core/past/past.ts";
import type { Session } from "../../core/session/session.ts";
import type { Input } from "../../protocol/ops.ts";
import type { Call } from "../auth.ts";
import { type Answer, type Context, type Handlers, onSession } from "./context.ts";
import { explained } from "./gate.ts";
import type { PastReader } from "./time.ts";

/** The changes after a cursor, as soon as there are some. */
async function followed(
  { attention, sessions }: Context,
  session: Session | undefined,
  { cursor, timeout_ms }: { readonly cursor: string | undefined; readonly timeout_ms: number },
  { cancelled }: Call,
): Promise<Answer<"watch">> {
  const { transitions } = attention;
  const { seq } = transitions.changes;
  if (cursor !== undefined && transitions.after(cursor)?.length === 0)
    await transitions.changes.next(seq, timeout_ms, cancelled);
  const all = cursor === undefined ? undefined : transitions.after(cursor);
  if (!all) {
    // What ran on while there was no daemon is known when its session is awake.
    await (session ? session.awake() : sessions.wake());
    return { cursor: transitions.cursor, transitions: [], now: attention.standing(session) };
  }
  const mine = all.filter(({ session_id }) => !session || session_id === session.id);
  return { cursor: transitions.cursor, transitions: mine };
}

/** What an agent said of itself longer ago is not looked for. */
const REPORTS_BYTES_MAX = 1 << 20;

type Reason = NonNullable<Answer<"explain">["state"]>;

type Mine = Pick<Handlers, "explain" | "hook" | "needs" | "watch">;

export function agentCliHandlers(ctx: Context, past: PastReader): Mine {
  return {
    hook: async (event, call) => hooked(ctx, event, call),
    needs: async () => ({ needs: [...ctx.attention.needs.list()], notify: ctx.config.notify }),
    watch: async ({ cursor, session_id, timeout_ms }, call) => {
      const session = session_id === undefined ? undefined : ctx.sessions.find(session_id);
      return isFault(session) ? session : followed(ctx, session, { cursor, timeout_ms }, call);
    },
    explain: ({ state, at, ...lines }, call) =>
      state === undefined
        ? explained(ctx, lines, actorName(call.actor))
        : onSession(ctx, state, async (session) => {
            const reason = await stateReason(ctx, past, session, at);
            return isFault(reason) ? reason : { explanations: [], state: reason };
          }),
  };
}

/** For the session in which the caller runs, as the kernel says; nobody can name another. */
async function hooked(ctx: Context, { agent_session_id, ...event }: Input<"hook">, call: Call) {
  const session = call.session === undefined ? undefined : ctx.sessions.find(call.session);
  if (!session || isFault(session) || session.info().agent === null)
    return fault(
      "auth.forbidden",
      "only an agent CLI in a session reports what it does",
      "Start it with open and agent.",
    );
  const record = hookRecord(event);
  if (record) {
    session.gate.log({ ...hookEvent(record), cursor: session.display.fed });
    session.commands.agentWatch.hooked(record);
  }
  const isNamed = agent_session_id !== undefined && isAgentSessionId(agent_session_id);
  const taken = isNamed ? ctx.sessions.agentSession(session, agent_session_id) : undefined;
  if (taken) return taken;
  return { session_id: session.id, state: record?.state ?? null };
}

async function stateReason(
  ctx: Context,
  past: PastReader,
  session: Session,
  at: string | number | undefined,
): Promise<Reason | Fault> {
  if (at !== undefined) return reasonAt(ctx, past, session, at);
  const { agentWatch } = session.commands;
  const judged = agentWatch.explained();
  const { status } = agentWatch;
  return status && judged ? reasonOf(session.id, status.name, judged) : noAgent(session.id);
}

function noAgent(session_id: string): Reason {
  return { session_id, agent: null, state: null, rule: "no preset", evidence: "", source: "none" };
}

function reasonOf(session_id: string, agent: string, { kind, row: _, ...judged }: Judgement): Reason {
  return { session_id, agent, ...judged, ...(kind ? { kind } : {}) };
}

async function reasonAt(
  ctx: Context,
  past: PastReader,
  session: Session,
  at: string | number,
): Promise<Reason | Fault> {
  const timeline = await past.timeline(session);
  const target = await past.target(session, at, timeline);
  if (isFault(target)) return target;
  const { name, from } = agentAt(session, target);
  const preset = ctx.config.agent_states.find((one) => one.name === name);
  if (!preset) return noAgent(session.id);
  const { exit } = timeline;
  const hasEnded = exit !== undefined && target.cursor >= exit.cursor && (target.until ?? exit.ts) >= exit.ts;
  const shown = await past.work(() =>
    screenAt(session.display.past, target, { scrollback: 0, eyes: session.display.eyes }, ({ title, rows }) => ({
      title,
      rows,
    })),
  );
  const judged = judgeAgent(preset, {
    exit: hasEnded ? exit : null,
    status: reportsBefore(session, from, target.cursor).of(preset.apps),
    isDoubted: false,
    isEntered: true,
    hook: hookAt(session.display.past.files.readLines("events"), { ...target, from }),
    ...shown,
    titleAgeMs: target.until === undefined ? 0 : Math.max(0, target.until - timeline.timeAt(target.cursor)),
    newMs: null,
  });
  const evidence = toldEvidence(judged, (text) => session.display.eyes.text(text));
  return reasonOf(session.id, name ?? "", { ...judged, evidence });
}

/** Which agent was in front, and since which cursor there was no other before it. */
function agentAt(session: Session, { cursor }: PastTarget): { name: string | undefined; from: number } {
  let [name, from]: [string | undefined, number] = [undefined, 0];
  for (const event of session.display.past.files.readLines("events") as Partial<Record<string, unknown>>[]) {
    if (event?.kind !== "agent" || typeof event.cursor !== "number" || event.cursor > cursor) continue;
    name = typeof event.name === "string" ? event.name : undefined;
    if (name === undefined) from = event.cursor;
  }
  return { name, from };
}

function reportsBefore({ display }: Session, from: number, cursor: number): ProgramStatus {
  const [status, start] = [new ProgramStatus(), Math.max(from, cursor - REPORTS_BYTES_MAX)];
  const bytes = new Uint8Array(Math.max(0, cursor - start));
  status.push(bytes.subarray(0, display.past.files.readOutput(start, bytes)), start, () => undefined);
  return status;
}
