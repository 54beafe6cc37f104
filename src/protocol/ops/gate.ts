// Who has the keyboard, what an agent may do, and what a person is asked.
import * as z from "zod";
import { op } from "../op.ts";
import { StateReason } from "../words/agent-state.ts";
import { AllHosts, ApprovalId, At, Missing, OnHost, SessionId, SessionRef, Ts } from "../words/ids.ts";
import { Decision, HoldNote, HoldReason } from "../words/policy.ts";

export const RiskClass = z.enum(["safe", "risky", "unknown"]);
export type RiskClass = z.output<typeof RiskClass>;
export const RiskKind = z.enum(["install", "migrate", "deploy", "destructive", "network", "privilege"]);
export type RiskKind = z.output<typeof RiskKind>;

export const Reason = z.object({ part: z.string(), why: z.string(), rule: z.string(), class: RiskClass });
export type Reason = Readonly<z.output<typeof Reason>>;

/** "box+network": in the box, which reaches the network for this one run. */
export const Where = z.enum(["box", "box+network", "outside"]);
export type Where = z.output<typeof Where>;

/** What a person is shown, on every surface alike. */
export const Approval = z.object({
  approval_id: ApprovalId,
  session_id: SessionId.nullable().describe("null when there is no session yet"),
  actor: z.string(),
  kind: z.enum(["run", "keys", "open", "tool", "password", "choice", "take_over", "message"]),
  text: z.string().describe("exactly what would be run or typed, control characters made visible"),
  class: RiskClass.nullable(),
  risk: RiskKind.nullable(),
  rule: z.string().describe("the rule that asks"),
  reasons: z.array(Reason),
  cwd: z.string().nullable(),
  stdin: z.string().nullable().describe("what the command would read"),
  where: Where.optional().describe("where it would run; absent when a box has no part in it"),
  hosts: z.array(z.string()).optional().describe("the hosts that a yes opens for this run; absent: any public host"),
  program: z.string().nullable().describe("the foreground program that would get the keys"),
  choices: z.array(z.string()),
  confidence: z.number().nullable(),
  description: z.string().nullable(),
  always: z.string().nullable().describe("the rule that `always` would store; null when none is possible"),
  created_at: Ts,
  expires_at: Ts,
  waits: z.boolean().describe("the asker still waits; false: an answer counts when it asks the same again"),
  state: z.enum(["pending", "approved", "denied", "expired", "cancelled"]),
  answer: z.string().nullable().describe("the reason of a denial, an edited text, a chosen answer"),
  via: z.string().nullable().optional().describe("the program through which a person answered, if not duetty itself"),
  by: z
    .string()
    .nullable()
    .optional()
    .describe("who answered: person, or person:NAME whom the session was shared with"),
  from: z.string().optional().describe("device:NAME, if the answer came from a paired device"),
});
export type Approval = z.output<typeof Approval>;

const Via = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe("the program through which a person answered, e.g. mcp:NAME");

const Holding = z.object({
  session_id: SessionId,
  hold: z.string(),
  hold_reason: HoldReason.nullable(),
  hold_note: z.string().nullable(),
});

export const take = op("take", {
  summary: "Take the keyboard: agents are refused until it is released.",
  effect: "control",
  input: z.object({ session_id: SessionRef, note: HoldNote.optional().describe("why, for the agent") }),
  output: Holding,
  cli: { verb: "take", args: ["session_id"], print: "gate", examples: ["duetty take web"] },
});

export const release = op("release", {
  summary: "Give the keyboard back. An agent may go on.",
  effect: "write",
  input: z.object({
    session_id: SessionRef,
    note: HoldNote.optional().describe("what the agent should know"),
  }),
  output: Holding,
  cli: {
    verb: "release",
    args: ["session_id"],
    print: "gate",
    examples: ["duetty release web --note 'logged in, go on'"],
  },
});

export const grant = op("grant", {
  summary: "Let agents read a session's exact bytes, secrets included, for a while; or take that back.",
  effect: "control",
  input: z.object({
    session_id: SessionRef,
    raw: z.boolean().default(false).describe("what is granted: reading its exact bytes"),
    for: z
      .string()
      .regex(/^[1-9]\d{0,3}[smh]$/, { error: "must be a time such as 30s, 10m or 2h" })
      .default("10m")
      .describe("how long: 30s, 10m, 2h"),
    off: z.boolean().default(false).describe("take it back"),
  }),
  output: z.object({ session_id: SessionId, raw_granted_until: Ts.nullable().describe("null: not granted") }),
  cli: {
    verb: "grant",
    args: ["session_id"],
    print: "gate",
    examples: ["duetty grant web --raw --for 10m", "duetty grant web --raw --off"],
  },
});

export const approvals = op("approvals", {
  summary: "List what agents ask for, oldest first.",
  effect: "read",
  input: z.object({
    session_id: SessionRef.optional(),
    all: z.boolean().default(false).describe("also show answered questions"),
    host: OnHost,
    hosts: AllHosts,
  }),
  output: z.object({ approvals: z.array(Approval), missing: Missing }),
  cli: {
    verb: "approvals",
    args: [],
    print: "gate",
    examples: ["duetty approvals", "duetty approvals --hosts all", "duetty approvals --all --json"],
  },
});

export const approve = op("approve", {
  summary: "Allow exactly what an agent asked for, once; or an edited text; or always, by a rule.",
  effect: "control",
  input: z.object({
    approval_id: z.string().min(1).max(100),
    edit: z.string().max(20_000).optional().describe("run this text instead; it is judged again"),
    always: z.enum(["session", "project", "user"]).optional().describe("allow it from now on, within this scope"),
    answer: z.string().max(10_000).optional().describe("for questions: the chosen or written answer"),
    shown: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .describe("SHA-256 of the text that was shown: another text is not approved"),
    via: Via,
  }),
  output: Approval,
  cli: {
    verb: "approve",
    args: ["approval_id"],
    print: "gate",
    examples: ["duetty approve a_7f3k2m9q", "duetty approve a_7f3k2m9q --edit 'npm test'"],
  },
});

export const deny = op("deny", {
  summary: "Refuse what an agent asked for. The agent gets the reason.",
  effect: "control",
  input: z.object({
    approval_id: z.string().min(1).max(100),
    reason: z.string().max(1_000).optional().describe("why, for the agent"),
    via: Via,
  }),
  output: Approval,
  cli: {
    verb: "deny",
    args: ["approval_id"],
    print: "gate",
    examples: ["duetty deny a_7f3k2m9q --reason 'use the staging database'"],
  },
});

const Explanation = z.object({
  command: z.string(),
  class: RiskClass,
  kind: RiskKind.nullable(),
  rule: z.string(),
  reasons: z.array(Reason),
  verdict: Decision,
  verdict_rule: z.string(),
  where: Where.describe("where it runs once it may"),
  says: z.string().describe("the same in words"),
});

/** Far more than any line that is read: beyond 20,480 characters one is asked about unread. */
const EXPLAINED_CHARS_MAX = 100_000;

export const explain = op("explain", {
  summary:
    "Explain how risky a command line is and what would happen if an agent ran it; or why an agent CLI has its state.",
  effect: "read",
  input: z.object({
    command: z
      .union([z.string().max(EXPLAINED_CHARS_MAX), z.array(z.string().max(EXPLAINED_CHARS_MAX)).min(1)])
      .optional()
      .describe("the line, or a program and its arguments"),
    commands: z.array(z.string().max(EXPLAINED_CHARS_MAX)).max(5_000).optional().describe("many at once"),
    session_id: SessionRef.optional().describe("judge by this session's policy"),
    state: SessionRef.optional().describe("instead: why the agent CLI in this session has its state"),
    at: At.optional().describe("the state at this moment, written as for see"),
  }),
  output: z.object({ explanations: z.array(Explanation), state: StateReason.optional() }),
  cli: {
    verb: "explain",
    args: [],
    rest: "command",
    lines: { into: "commands", from: "explanations" },
    print: "gate",
    examples: [
      "duetty explain -- rm -rf build",
      "duetty explain --state web --at -30s",
      "printf '\"npm test\"\\n' | duetty explain --stdin",
    ],
  },
});

export const askPerson = op("ask_person", {
  summary:
    "Ask the person for a password, a choice or to take over, or just tell them something. Waits for the answer.",
  effect: "write",
  input: z
    .object({
      kind: z.enum(["password", "choice", "take_over", "message"]).default("message"),
      message: z.string().min(1).max(4_000),
      session_id: SessionRef.optional(),
      choices: z.array(z.string().max(200)).max(20).optional().describe("answers to choose from"),
      timeout_ms: z.int().min(0).max(3_600_000).default(120_000),
    })
    .refine(({ kind, choices }) => kind !== "choice" || (choices ?? []).length > 0, {
      path: ["choices"],
      error: "are missing: a choice needs at least one",
    }),
  output: z.object({
    outcome: z.enum(["answered", "denied", "expired", "pending", "cancelled"]),
    answer: z.string().nullable(),
    approval_id: z.string(),
  }),
  cli: {
    verb: "ask-person",
    args: ["message"],
    print: "gate",
    examples: ["duetty ask-person 'Which region?' --kind choice --choices eu --choices us"],
  },
  mcp: {
    title: "Ask the person",
    description:
      "Ask the person and wait: message (a question or note), choice, password (they type it; you never see it) or take_over (they use the keyboard, then give it back). When you are stuck, need a decision or a login.",
    tier: "drive",
    hints: { openWorld: true },
  },
});

export const trust = op("trust", {
  summary:
    "Trust the rules that a folder's .duetty.json has now, or stop trusting them. Without a folder, list trusted folders.",
  effect: "control",
  input: z.object({
    cwd: z.string().min(1).max(4_000).optional().describe("the folder"),
    trusted: z.boolean().default(true).describe("trust it"),
  }),
  output: z.object({
    folders: z.array(z.string()),
    changed: z
      .array(z.string())
      .describe("those whose rules have changed since: what they allow does not count until they are trusted again"),
  }),
  cli: {
    verb: "trust",
    args: ["cwd"],
    print: "gate",
    examples: ["duetty trust", "duetty trust ~/app", "duetty trust ~/app --no-trusted"],
  },
});
