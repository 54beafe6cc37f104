// Operations about who has the keyboard, what agents may do, and what people are asked.

import { advice } from "../../core/base/advice.ts";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { marked, STRICT } from "../../core/base/invisible.ts";
import { actorName, fromOf, isFar } from "../../core/gate/actor.ts";
import { type Approval, cardOf, handsOver } from "../../core/gate/approvals.ts";
import { afterWait } from "../../core/gate/settle.ts";
import { verdictWords } from "../../core/gate/verdict-words.ts";
import { lineOf } from "../../core/run/tests/shell-words.ts";
import type { Session } from "../../core/session/session.ts";
import type { Input } from "../../protocol/ops.ts";
import { type Call, peopleOnly } from "../auth.ts";
import { readConfig } from "../config.ts";
import { hashOfShown } from "../fleet/host-lists.ts";
import { folderOf } from "../opening/folder.ts";
import { shutDoors } from "./away.ts";
import { type Context, type Handlers, onSession } from "./context.ts";
import { setPolicy } from "./policy/policy.ts";

type Mine = Pick<
  Handlers,
  "take" | "release" | "stop" | "mode" | "policy" | "approvals" | "approve" | "deny" | "ask_person" | "trust"
>;

export function gateHandlers(ctx: Context): Mine {
  return {
    take: ({ session_id, note }, call) =>
      onSession(ctx, session_id, async (session) => {
        const refused = ownersKeyboard(session, call);
        if (!refused) session.gate.take("manual", note ?? null, call.actor);
        return refused ?? heldOf(session);
      }),
    release: ({ session_id, note = null }, call) =>
      onSession(ctx, session_id, async (session) => released(ctx, session, note, call) ?? heldOf(session)),
    stop: async ({ session_id, all_devices }) => {
      if (all_devices && session_id !== undefined)
        return fault("input.invalid", "devices have no session of their own", "Leave the session out.");
      if (all_devices) return { stopped: [], cancelled: 0, doors: shutDoors(ctx) };
      const one = session_id === undefined ? undefined : ctx.sessions.find(session_id);
      if (isFault(one)) return one;
      const all = one ? [one] : ctx.sessions.live;
      if (!one) ctx.noSessionGate.halt();
      if (!one) ctx.runner.stopPipes();
      const cancelled = all.reduce((sum, session) => sum + session.gate.stop(), 0);
      return { stopped: all.map(({ id }) => id), cancelled: cancelled + (one ? 0 : ctx.approvals.cancelAll()) };
    },
    mode: ({ session_id, mode }, call) =>
      onSession(ctx, session_id, async (session) => {
        const refused = mode === undefined ? undefined : peopleOnly(call, "only people set the mode");
        if (refused) return refused;
        if (mode !== undefined) session.gate.setPolicy({ mode }, call.actor);
        return { session_id: session.id, mode: session.gate.policy.mode };
      }),
    policy: ({ session_id, ...changes }, call) =>
      onSession(ctx, session_id, async (session) => setPolicy(ctx, session, changes, call)),
    approvals: async ({ session_id, all }) => {
      const session = session_id === undefined ? undefined : ctx.sessions.find(session_id);
      if (isFault(session)) return session;
      return { approvals: ctx.approvals.list(all ? "all" : "pending", session?.id).map(cardOf) };
    },
    approve: async (input, call) => approved(ctx, input, call),
    deny: async ({ approval_id, reason = null, via = null }, call) => {
      const refused = notThrough(ctx, via);
      if (refused) return refused;
      const settled = ctx.approvals.settle(approval_id, {
        state: "denied",
        answer: reason,
        via,
        by: actorName(call.actor),
        from: fromOf(call.actor),
      });
      if (isFault(settled)) return settled;
      logWay(ctx, settled);
      return cardOf(settled);
    },
    ask_person: (input, call) => asked(ctx, input, call),
    trust: async ({ cwd, trusted }) => {
      if (cwd !== undefined && trusted) ctx.ruleFiles.trust(folderOf(cwd));
      if (cwd !== undefined && !trusted) ctx.ruleFiles.trustNoMore(folderOf(cwd));
      return ctx.ruleFiles.list();
    },
  };
}

function released(ctx: Context, session: Session, note: string | null, call: Call): Fault | undefined {
  if (call.role === "agent") return session.gate.letGo(call.actor, note);
  const refused = ownersKeyboard(session, call);
  if (refused) return refused;
  if (call.role === "person") ctx.noSessionGate.resume();
  session.gate.release(note);
  return undefined;
}

/** What the owner took or stopped, no guest gives to agents. */
function ownersKeyboard({ gate }: Session, { guest }: Call): Fault | undefined {
  const { who, reason } = gate.hold;
  if (!guest || who !== "person" || (reason !== "manual" && reason !== "stop")) return undefined;
  return fault("gate.held", "the owner has taken the keyboard", "Ask the person who shared it.");
}

function heldOf(session: Session) {
  const { session_id, hold, hold_reason, hold_note } = session.info();
  return { session_id, hold, hold_reason, hold_note };
}

/** Approves exactly this, once. A person's own text is theirs and needs no approval. */
function approved(ctx: Context, { approval_id, always, shown, ...said }: Input<"approve">, { actor }: Call) {
  const asked = notThrough(ctx, said.via ?? null) ?? ctx.approvals.find(approval_id);
  if (isFault(asked)) return asked;
  const other = isOther(asked, shown, actor);
  if (other) return other;
  const own = said.via === undefined ? undefined : ownAgent(ctx, asked);
  if (own) return own;
  const wrong = always && asked.state === "pending" ? cannotStore(ctx, asked, always) : undefined;
  if (wrong) return wrong;
  const settled = ctx.approvals.approve(approval_id, { ...said, by: actorName(actor), from: fromOf(actor) });
  if (isFault(settled)) return settled;
  if (always) store(ctx, settled, always);
  logWay(ctx, settled);
  return cardOf(settled);
}

/** A yes is for the text that was shown. From another machine it always says which one that was. */
function isOther({ text, approval_id, state }: Approval, shown: string | undefined, actor: Call["actor"]) {
  // Whoever comes too late is told that.
  if (state !== "pending" || (shown === undefined ? !isFar(actor) : shown === hashOfShown(text))) return undefined;
  if (shown === undefined)
    return fault("approval.changed", `nobody at your machine was shown ${approval_id}`, advice("approvals"));
  return fault("approval.changed", `what was shown is not what ${approval_id} asks`, "Look at it again, then answer.");
}

/** An answer through an MCP client counts only where people allow that: by default, through clients that they set up. */
function notThrough(ctx: Context, via: string | null): Fault | undefined {
  const { elicitation } = readConfig(ctx.home.config);
  const isSetUp = via !== null && ctx.auth.isSetUp(via.replace(/^mcp:/, ""));
  if (via === null || elicitation === "on" || (elicitation === "stdio" && isSetUp)) return undefined;
  return fault("auth.forbidden", `answers through ${via} do not count here`, "Answer in duetty itself.");
}

/** Our own agents have no client that could ask a person. A yes through one would come from the agent itself. */
function ownAgent(ctx: Context, { session_id, actor }: Approval): Fault | undefined {
  const status = session_id === null ? undefined : ctx.conversations.known(session_id)?.status();
  if (!status || status.agent === null || status.state === "idle") return undefined;
  if (actor !== `agent:${ctx.agents.nameOf(status.agent)}`) return undefined;
  return fault("auth.forbidden", "this question is answered in duetty itself", "Ask the person at the keyboard.");
}

/** Marks an answer that came through another program, for ever. */
function logWay(ctx: Context, { approval_id, session_id, state, via }: Approval): void {
  const session = session_id === null || via === null ? undefined : ctx.sessions.find(session_id);
  if (session && !isFault(session)) session.gate.log({ kind: "answer", approval_id, state, via });
}

function cannotStore(ctx: Context, { always, session_id, cwd, ways }: Approval, scope: Scope): Fault | undefined {
  if (scope === "session" && session_id === null)
    return fault("input.invalid", "this question belongs to no session", "Use the scope project or user.");
  const foreign = scope === "project" && cwd !== null ? ctx.ruleFiles.foreignFor(cwd) : undefined;
  if (foreign !== undefined)
    return fault("input.invalid", `${foreign} has rules that nobody trusted yet`, advice("trust", foreign));
  if (scope === "project" && cwd !== null && ways && ctx.ruleFiles.isMoved(cwd, ways.folder))
    return fault(
      "input.invalid",
      `${cwd} is another folder than when this was asked`,
      "Look what lies there. Deny it.",
    );
  if (always !== null) return undefined;
  const hint = "Approve it once. Shells, interpreters, wrappers, git and script runners can do anything.";
  return fault("input.invalid", "there is no rule that would allow just this", hint);
}

type Scope = "session" | "project" | "user";

function store(ctx: Context, { always, session_id, cwd }: Approval, scope: Scope): void {
  if (always === null) return;
  if (scope !== "session" && cwd !== null) return ctx.ruleFiles.allow(always, scope, cwd);
  const session = session_id === null ? undefined : ctx.sessions.find(session_id);
  if (session && !isFault(session)) session.gate.agentLane.allowAlways(always, cwd);
}

type Lines = Pick<Input<"explain">, "command" | "commands" | "session_id">;

/** How risky lines are, and what the gate would say. */
export async function explained(ctx: Context, { command, commands = [], session_id }: Lines, who: string) {
  const session = session_id === undefined ? undefined : await ctx.sessions.awake(session_id);
  if (isFault(session)) return session;
  const one = command === undefined ? [] : [lineOf(command)];
  const lines = [...one, ...commands];
  if (lines.length === 0) return fault("input.invalid", "there is no command", advice("explain"));
  const explanations = lines.map((line) => {
    const judged = session
      ? session.gate.agentLane.explain(who, line, {})
      : ctx.noSessionGate.explain(who, line, null, {});
    const { risk, verdict } = judged;
    const { class: cls, kind, rule, reasons } = risk;
    const seen = (text: string) => marked(text, { ...STRICT, controls: "keep" });
    const why = reasons.map((reason) => ({ ...reason, part: seen(reason.part) }));
    const facts = { command: seen(line), class: cls, kind, rule, reasons: why };
    const { do: decision, rule: verdict_rule, where } = verdict;
    return { ...facts, verdict: decision, verdict_rule, where, says: verdictWords(judged) };
  });
  return { explanations };
}

async function asked(ctx: Context, input: Input<"ask_person">, call: Call) {
  const session = input.session_id === undefined ? undefined : ctx.sessions.find(input.session_id);
  if (isFault(session)) return session;
  const question = {
    session_id: session?.id ?? null,
    actor: actorName(call.actor),
    kind: input.kind,
    text: input.message,
    risk: null,
    rule: "ask_person",
    cwd: session?.info().cwd ?? null,
    stdin: null,
    program: null,
    choices: input.choices ?? [],
    confidence: null,
    description: null,
    always: null,
  };
  const [approval_ms, timeout_ms] = [call.approvalWaitMs, input.timeout_ms];
  // Another password is asked now than the one that was typed while nobody waited.
  const anew = handsOver(input.kind) && (await session?.see({ scrollback: 0 }))?.echo === "off";
  const asking = { ...afterWait({ approval_ms }), anew };
  const answer = await ctx.approvals.ask(question, approval_ms ?? timeout_ms, call.cancelled, asking);
  if (isFault(answer)) return answer;
  if ("pending" in answer)
    return { outcome: "pending" as const, answer: null, approval_id: answer.pending.approval_id };
  const outcome = answer.state === "approved" ? ("answered" as const) : answer.state;
  return { outcome, answer: answer.answer, approval_id: "" };
}
