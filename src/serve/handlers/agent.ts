// Operations about working agents: asking, following, controlling.

import { STEPS_DEFAULT, TIME_LIMIT_DEFAULT_MS } from "../../core/agent/limits.ts";
import { advice } from "../../core/base/advice.ts";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { marked } from "../../core/base/invisible.ts";
import { actorName } from "../../core/gate/actor.ts";
import { isOnPurpose } from "../../core/gate/hold.ts";
import { endedFault } from "../../core/session/life.ts";
import type { Session } from "../../core/session/session.ts";
import type { Input } from "../../protocol/ops.ts";
import { notLed } from "../acp/not-led.ts";
import { BUILT_IN } from "../agent/agents.ts";
import type { Call } from "../auth.ts";
import { type Context, type Handlers, onSession } from "./context.ts";

type Mine = Pick<Handlers, "ask" | "agent_events" | "agent_control" | "agents">;

export function agentHandlers(ctx: Context): Mine {
  return {
    ask: (input, call) => asked(ctx, input, call),
    agent_events: ({ session_id, since, timeout_ms, limit }, call) =>
      onSession(ctx, session_id, async (session) => {
        const conversation = ctx.conversations.of(session.id);
        if (timeout_ms > 0) await conversation.next(since, timeout_ms, call.cancelled);
        return { events: conversation.events(since, limit), status: conversation.status() };
      }),
    agent_control: ({ session_id, action, base_env }, call) =>
      onSession(ctx, session_id, (session) => led(ctx, session, action, base_env, call)),
    agents: async ({ base_env, test }, call) => {
      const agents = ctx.agents.list(call.role === "person" ? base_env : {});
      if (isFault(agents)) return agents;
      const present = call.role === "person" ? ctx.underWay.present(Date.now()) : [];
      const tested = test ? await Promise.all(agents.map((agent) => ctx.agents.tested(agent))) : agents;
      return { agents: tested, present, config_path: ctx.home.config };
    },
  };
}

/** People control every agent. An agent controls only turns that it asked for. */
async function led(
  ctx: Context,
  session: Session,
  action: Input<"agent_control">["action"],
  base_env: Input<"agent_control">["base_env"],
  call: Call,
) {
  const conversation = ctx.conversations.of(session.id);
  if (call.role === "agent" && conversation.asker !== actorName(call.actor))
    return fault("auth.forbidden", `only people ${action} this agent`, "You did not ask it.");
  const goesOn = action === "resume" || action === "step";
  const refused = goesOn ? notAllowed(ctx, session, call) : undefined;
  if (refused) return refused;
  if (goesOn && call.role === "person") bring(ctx, session, base_env);
  const { state, agent } = conversation.status();
  // If the agent cannot continue, the person keeps the keyboard.
  if (goesOn && call.role === "person" && state !== "idle") giveKeyboard(ctx, session);
  const done = await conversation.control(action);
  if (isFault(done)) return done;
  if (action === "stop" && agent !== null) ctx.approvals.cancel(session.id, `agent:${ctx.agents.nameOf(agent)}`);
  return conversation.status();
}

async function asked(ctx: Context, input: Input<"ask">, call: Call) {
  const settings = ctx.agents.settings();
  if (isFault(settings)) return settings;
  const agent = input.agent ?? settings.default ?? BUILT_IN;
  const named = input.session_id === undefined ? undefined : await ctx.sessions.awake(input.session_id);
  if (isFault(named)) return named;
  if (named?.over) return endedFault(named.id, named.state);
  if (!ctx.agents.knows(agent)) return fault("not_found", `no agent is called "${agent}"`, advice("agents"));
  if (input.step_by_step && agent !== BUILT_IN) return notLed("work step by step");
  const refused = call.role === "agent" ? foreign(ctx, agent, named, call) : undefined;
  if (refused) return refused;
  const session = named ?? (await newSession(ctx, input, call));
  if (isFault(session)) return session;
  if (call.role === "person") bring(ctx, session, input.base_env);
  const begun = await ctx.conversations.of(session.id).ask({
    // What a person pasted may say more than they saw.
    text: marked(input.text, { controls: "keep" }),
    agent,
    model: input.model,
    actor: actorName(call.actor),
    step_by_step: input.step_by_step ?? false,
    max_steps: input.max_steps ?? settings.max_steps ?? STEPS_DEFAULT,
    time_limit_ms: input.time_limit_ms ?? settings.time_limit_ms ?? TIME_LIMIT_DEFAULT_MS,
  });
  if (!isFault(begun)) {
    if (call.role === "person") giveKeyboard(ctx, session);
    return ctx.conversations.of(session.id).status();
  }
  // We close a session that was opened for nothing, because nobody would find it.
  if (!named) {
    await session.close(call.actor);
    if (session.over) await ctx.sessions.remove(session);
  }
  return begun.code === "agent.unavailable" && call.role === "agent" ? unheard(begun) : begun;
}

/** An agent may ask the built-in agent in its own session, but not with a person's keys, and it may not start hosted agents. */
function foreign(ctx: Context, agent: string, session: Session | undefined, call: Call): Fault | undefined {
  if (agent !== BUILT_IN)
    return fault("auth.forbidden", "only people start hosted agents", "Ask the person at the keyboard.");
  if (session && session.meta.actor !== actorName(call.actor))
    return fault("auth.forbidden", "this session is not yours", "Name no session to work in a new one.");
  return session ? notAllowed(ctx, session, call) : ctx.noSessionGate.refuses(call.actor);
}

function notAllowed(ctx: Context, session: Session, call: Call): Fault | undefined {
  return call.role === "person"
    ? undefined
    : (ctx.noSessionGate.refuses(call.actor) ?? session.gate.refuses(call.actor));
}

function unheard(wrong: Fault): Fault {
  const hint = `${wrong.hint} A call without a terminal comes as an agent: keys in its environment do not count.`;
  return fault(wrong.code, wrong.message, hint);
}

/** A person's own keys and addresses, for the agents of this session. */
function bring(ctx: Context, session: Session, env: Input<"ask">["base_env"]): void {
  if (ctx.agents.bring(session.id, env) === "changed") ctx.conversations.of(session.id).recast();
}

function newSession(ctx: Context, { cwd, base_env }: Input<"ask">, call: Call): Promise<Session | Fault> {
  return ctx.opening.open({ cwd, base_env, lazy: false, integrate: true }, call);
}

/** A person who asks an agent to do something gives it the keyboard. */
function giveKeyboard(ctx: Context, session: Session): void {
  ctx.noSessionGate.resume();
  if (isOnPurpose(session.gate.hold)) session.gate.release();
}
