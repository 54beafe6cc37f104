// An agent at work in a session: what it is asked, what it says and does, how it is led.
import * as z from "zod";
import { op } from "../op.ts";
import { AgentState as CliState } from "../words/agent-state.ts";
import { SessionId, SessionRef, Ts } from "../words/ids.ts";

/** waiting: for a person (an answer, the keyboard, a password). paused: until somebody says go on. */
export const AgentState = z.enum(["idle", "thinking", "acting", "waiting", "paused"]);
export type AgentState = z.output<typeof AgentState>;

export const TurnOutcome = z.enum(["done", "stopped", "failed", "limit"]);
export type TurnOutcome = z.output<typeof TurnOutcome>;

export const PlanEntry = z.object({ text: z.string(), status: z.enum(["pending", "in_progress", "completed"]) });
export type PlanEntry = Readonly<z.output<typeof PlanEntry>>;
const Plan = z.array(PlanEntry.readonly()).readonly();

export const StepKind = z.enum(["internal", "terminal", "external"]);
export type StepKind = z.output<typeof StepKind>;

export const Tokens = z.object({ input: z.int(), output: z.int() });
export type Tokens = Readonly<z.output<typeof Tokens>>;

const stamped = { seq: z.int().describe("counts the events of a session; since: the last one you know"), ts: Ts };
const call = { call_id: z.string(), tool: z.string() };

/** What happens in a conversation, in order. Chunks are for live eyes: the whole text comes as a message and is kept. */
export const AgentEvent = z.discriminatedUnion("type", [
  z.object({ ...stamped, type: z.literal("prompt"), actor: z.string(), agent: z.string(), text: z.string() }),
  z.object({ ...stamped, type: z.literal("status"), state: AgentState, note: z.string().nullable() }),
  z.object({ ...stamped, type: z.literal("plan"), plan: Plan }),
  z.object({ ...stamped, type: z.literal("chunk"), about: z.enum(["message", "thought"]), text: z.string() }),
  z.object({ ...stamped, type: z.literal("message"), text: z.string() }),
  z.object({
    ...stamped,
    ...call,
    type: z.literal("step"),
    step: z.int(),
    kind: StepKind.describe("external: a tool of a hosted agent's own"),
    title: z.string().describe("what it does, in one line"),
  }),
  z.object({ ...stamped, ...call, type: z.literal("proposal"), approval_id: z.string(), text: z.string() }),
  z.object({
    ...stamped,
    ...call,
    type: z.literal("observation"),
    ok: z.boolean(),
    text: z.string(),
    block_id: z.string().nullable(),
    suggests: z
      .enum(["terminal"])
      .nullable()
      .describe("a program has the screen, so the terminal says more than words"),
  }),
  z.object({
    ...stamped,
    type: z.literal("trouble"),
    message: z.string(),
    hint: z.string(),
    retry_in_ms: z.int().nullable().describe("tries again after this long; null: never"),
  }),
  z.object({
    ...stamped,
    type: z.literal("ended"),
    outcome: TurnOutcome,
    steps: z.int(),
    tokens: Tokens.nullable(),
  }),
  z.object({
    ...stamped,
    type: z.literal("exit"),
    exit_code: z.int().nullable(),
    signal: z.string().nullable(),
  }),
]);
export type AgentEvent = z.output<typeof AgentEvent>;

export const AgentStatus = z.object({
  session_id: SessionId,
  agent: z.string().nullable().describe("who was asked last"),
  state: AgentState,
  note: z.string().nullable(),
  outcome: TurnOutcome.nullable().describe("how the last turn ended; null during a turn and before the first"),
  steps: z.int(),
  steps_max: z.int(),
  step_by_step: z.boolean(),
  plan: Plan,
  approval_id: z.string().nullable().describe("the question it waits for"),
  seq: z.int(),
});
export type AgentStatus = z.output<typeof AgentStatus>;

export const ask = op("ask", {
  summary: "Give an agent a task in a session. It works visibly there, through the gate.",
  effect: "write",
  input: z.object({
    text: z.string().min(1).max(100_000).describe("the task, in words"),
    session_id: SessionRef.optional().describe("the session to work in; default: a new one in cwd"),
    cwd: z.string().optional().describe("folder of a new session"),
    agent: z.string().max(100).optional().describe("the agent to ask; the verb agents lists them"),
    model: z.string().max(200).optional().describe("built-in: PROVIDER/MODEL instead of the configured one"),
    step_by_step: z.boolean().optional().describe("pause before each action"),
    max_steps: z.int().min(1).max(1_000).optional().describe("most actions in the turn"),
    time_limit_ms: z.int().min(1_000).max(86_400_000).optional().describe("time limit for thinking and acting"),
    base_env: z.record(z.string(), z.string()).optional().describe("environment of a new session"),
  }),
  output: AgentStatus,
  cli: {
    verb: "ask",
    args: ["text"],
    adds: ["cwd", "base_env"],
    answer: "events",
    examples: [
      "duetty ask 'fix the failing test'",
      "duetty ask --session web 'why is it slow?'",
      "duetty ask --agent claude 'add a test for the cart'",
    ],
  },
});

export const agentEvents = op("agent_events", {
  summary: "Read what an agent said and did in a session, from an event on. It can wait for the next event.",
  effect: "read",
  input: z.object({
    session_id: SessionRef,
    since: z.int().min(0).default(0).describe("only events after this seq"),
    timeout_ms: z.int().min(0).max(600_000).default(0).describe("how long to wait for the first"),
    limit: z.int().min(1).max(5_000).default(500),
  }),
  output: z.object({ events: z.array(AgentEvent), status: AgentStatus }),
  cli: { verb: "conversation", args: ["session_id"], print: "agent", examples: ["duetty conversation web"] },
});

export const AgentControl = z.enum(["pause", "resume", "step", "stop"]);
export type AgentControl = z.output<typeof AgentControl>;

export const agentControl = op("agent_control", {
  summary: "Pause, resume or stop the agent in a session, or let it take one step.",
  effect: "write",
  input: z.object({
    session_id: SessionRef,
    action: AgentControl,
    base_env: z.record(z.string(), z.string()).optional().describe("a person's own keys, to continue with"),
  }),
  output: AgentStatus,
  cli: {
    verb: "agent",
    args: ["session_id", "action"],
    adds: ["base_env"],
    print: "agent",
    examples: ["duetty agent web pause", "duetty agent web step"],
  },
});

export const agents = op("agents", {
  summary: "List the agents that can be asked, and what is missing for the others.",
  effect: "read",
  input: z.object({
    base_env: z.record(z.string(), z.string()).optional().describe("a person's own keys"),
    test: z.boolean().default(false).describe("load the built-in agent's packages, to see whether it works"),
  }),
  output: z.object({
    agents: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(["built-in", "hosted"]),
        title: z.string(),
        available: z.boolean(),
        note: z.string().describe("model or command; what is missing when it is not available"),
        is_default: z.boolean(),
      }),
    ),
    present: z
      .array(
        z.object({
          actor: z.string(),
          op: z.string().describe("the operation that it called last"),
          text: z.string().nullable().describe("the command or text of that call"),
          session_id: z.string().nullable(),
          ts: Ts,
          busy: z.boolean().describe("a call of it is under way"),
          refused: z.boolean().describe("that call did not do what it was for"),
        }),
      )
      .describe("for people: the agents that called in the last minutes, over MCP, HTTP or the CLI"),
    config_path: z.string(),
  }),
  cli: { verb: "agents", args: [], adds: ["base_env"], print: "agent", examples: ["duetty agents"] },
});

export const hook = op("hook", {
  summary: "Tell what the agent CLI in this session does: for its hooks, and only from inside the session.",
  effect: "read",
  input: z.object({
    event: z.string().min(1).max(100).describe("the agent's own name for it, such as Stop"),
    about: z.string().max(100).optional().describe("what a notification is about"),
    text: z.string().max(300).optional().describe("what a person may want to read"),
    agent_session_id: z.string().max(100).optional().describe("how the agent calls its conversation"),
  }),
  output: z.object({ session_id: SessionId, state: CliState.nullable() }),
});
