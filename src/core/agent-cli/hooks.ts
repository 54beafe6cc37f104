// What an agent's own hooks tell: events that it reports by a command of ours. Pure. Whatever runs in the session may send them, so they
// colour a state, as program status does, and never approve, type or run anything.
import type { BlockedKind } from "../../protocol/words/agent-state.ts";
import type { AgentEvidence } from "./judge.ts";
import type { StatusRecord } from "./program-status.ts";
import { interrupts } from "./typed.ts";

interface HookEvent {
  readonly event: string;
  /** What a notification is about. */
  readonly about?: string | undefined;
  readonly text?: string | undefined;
}

const blocked = (kind: BlockedKind) => ({ state: "blocked", kind }) as const;
const working = { state: "working" } as const;
const done = { state: "done" } as const;

/** Claude's names; the last is codex'. A start says only how the conversation is called. */
const EVENTS: Readonly<Record<string, Pick<StatusRecord, "state" | "kind">>> = {
  UserPromptSubmit: working,
  PreToolUse: working,
  PostToolUse: working,
  PermissionRequest: blocked("permission"),
  Stop: done,
  "agent-turn-complete": done,
};

const NOTIFICATIONS: Readonly<Record<string, Pick<StatusRecord, "state" | "kind">>> = {
  permission_prompt: blocked("permission"),
  agent_needs_input: blocked("question"),
  elicitation_dialog: blocked("question"),
  idle_prompt: { state: "idle" },
};

/** Undefined: it says nothing of what the agent does. */
export function hookRecord({ event, about = "", text }: HookEvent): StatusRecord | undefined {
  const [table, name] = event === "Notification" ? [NOTIFICATIONS, about] : [EVENTS, event];
  const known = Object.hasOwn(table, name) ? table[name] : undefined;
  return known && { ...known, msg: text ? text : `${event} hook` };
}

/** Whether what was typed since makes a report doubtful: no hook tells of Escape, nor of a dialog that was answered with no. */
export function isDoubtedBy({ state }: StatusRecord, bytes: Uint8Array): boolean {
  return state !== "working" || interrupts(bytes);
}

/** A report as a session's events keep it: `why` is the kind of a block. */
export function hookEvent({ state, kind, msg }: StatusRecord): object {
  return { kind: "hook", state, why: kind, msg };
}

interface Moment {
  /** Where the agent was alone in front. */
  readonly from: number;
  readonly cursor: number;
  readonly until?: number | undefined;
}

/** The last report before a moment of the past. What was typed since is not kept, so Escape during work leaves no doubt. */
export function hookAt(events: readonly unknown[], { from, cursor, until }: Moment): AgentEvidence["hook"] {
  let last: AgentEvidence["hook"];
  for (const event of events as readonly Partial<Record<string, unknown>>[]) {
    const [at, ts] = [Number(event?.cursor), Number(event?.ts)];
    if (!(at >= from && at <= cursor) || (until !== undefined && ts > until)) continue;
    if (event.kind === "input" && last?.record.state !== "working") last = last && { ...last, isDoubted: true };
    if (event.kind !== "hook") continue;
    const { state, why, msg } = event as { state: StatusRecord["state"]; why?: BlockedKind; msg: string };
    last = { record: { state, msg, ...(why ? { kind: why } : {}) }, isDoubted: false };
  }
  return last;
}
