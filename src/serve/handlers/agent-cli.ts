// Operations about what agent CLIs are doing: why one has the state that it has, or had at a moment of the past; and what needs a
// person, over all sessions.
import { type Judgement, judgeAgent } from "../../core/agent-cli/judge.ts";
import { ProgramStatus } from "../../core/agent-cli/program-status.ts";
import { exact } from "../../core/base/exact.ts";
import { type Fault, isFault } from "../../core/base/fault.ts";
import { actorName } from "../../core/gate/actor.ts";
import { type PastTarget, screenAt } from "../../core/past/past.ts";
import type { Session } from "../../core/session/session.ts";
import type { Need } from "../../protocol/ops/needs.ts";
import { type Answer, type Context, type Handlers, onSession } from "./context.ts";
import { explained } from "./gate.ts";
import type { PastReader } from "./time.ts";

/** What an agent said of itself longer ago is not looked for. */
const REPORTS_BYTES_MAX = 1 << 20;

type Reason = NonNullable<Answer<"explain">["state"]>;

export function agentCliHandlers(ctx: Context, past: PastReader): Pick<Handlers, "explain" | "needs"> {
  return {
    needs: async () => ({ needs: needsIn(ctx) }),
    explain: ({ state, at, ...lines }, call) =>
      state === undefined
        ? explained(ctx, lines, actorName(call.actor))
        : onSession(ctx, state, async (session) => {
            const reason = await stateReason(ctx, past, session, at);
            return isFault(reason) ? reason : { explanations: [], state: reason };
          }),
  };
}

async function stateReason(
  ctx: Context,
  past: PastReader,
  session: Session,
  at: string | number | undefined,
): Promise<Reason | Fault> {
  if (at !== undefined) return reasonAt(ctx, past, session, at);
  const { agentWatch } = session.commands;
  const { status, judged } = agentWatch;
  return status && judged ? reasonOf(session.id, status.name, judged) : noAgent(session.id);
}

function noAgent(session_id: string): Reason {
  return { session_id, agent: null, state: null, rule: "no preset", evidence: "", source: "none" };
}

function reasonOf(session_id: string, agent: string, { kind, ...judged }: Judgement): Reason {
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
    ...shown,
    titleAgeMs: target.until === undefined ? 0 : Math.max(0, target.until - timeline.timeAt(target.cursor)),
    newMs: null,
  });
  return reasonOf(session.id, name ?? "", { ...judged, evidence: session.display.eyes.text(judged.evidence) });
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

const WHY_CHARS_MAX = 120;

/** The oldest first. */
function needsIn(ctx: Context): Need[] {
  const all = ctx.sessions.list();
  const nameOf = (id: string | null) => all.find((session) => session.id === id)?.meta.name ?? null;
  const asked = ctx.approvals.list("pending").map(
    ({ approval_id, session_id, actor, text, created_at }): Need => ({
      ...{ kind: "approval", session_id, name: nameOf(session_id), approval_id },
      ...{ who: actor, why: lineOf(text), since: created_at },
    }),
  );
  const others = all.flatMap((session) => needOf(session, ctx.startedAt) ?? []);
  return [...asked, ...others].sort((a, b) => a.since - b.since);
}

/** What ended before this daemon began was told by the one before it. */
function needOf(session: Session, startedAt: number): Need | undefined {
  const {
    session_id,
    name,
    state,
    waiting,
    agent,
    agent_state: now,
    command,
    ended_at,
    exit_code,
    signal,
  } = session.info();
  const { seenAt } = session.display.viewers;
  const need = (kind: Need["kind"], who: string, why: string, since: number): Need => ({
    ...{ kind, session_id, name, who, why: lineOf(why), since },
  });
  if (ended_at !== null) {
    if (ended_at < startedAt || seenAt >= ended_at) return undefined;
    const how = signal ?? `exit code ${exit_code}`;
    return need(state === "done" ? "done" : "failed", agent ?? command[0] ?? "", how, ended_at);
  }
  const { since } = session.commands.waitingWatch;
  if (waiting?.kind === "password") return need("password", waiting.program, "asks for a password", since);
  if (!agent || !now) return undefined;
  if (now.state === "blocked") return need("blocked", agent, `${now.kind ?? "asks"}: ${now.why}`, now.since);
  if ((now.state !== "done" && now.state !== "error") || seenAt >= now.since) return undefined;
  return need(now.state === "done" ? "done" : "failed", agent, now.why, now.since);
}

/** One line, in which everything is what it looks like. */
function lineOf(text: string): string {
  const line = exact(text.split("\n", 1)[0] ?? "");
  return line.length <= WHY_CHARS_MAX ? line : `${line.slice(0, WHY_CHARS_MAX - 1)}…`;
}
