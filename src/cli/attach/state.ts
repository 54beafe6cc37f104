// What an attached person knows about the session besides its screen. Pure: a message and the state before make the
// state after. Owns: which request of an agent is shown to the person, and since when.

import { createHash } from "node:crypto";
import { lateYes } from "../../core/base/question-words.ts";
import type { Approval } from "../../protocol/ops/gate.ts";
import type { SessionInfo, SessionState } from "../../protocol/ops/session.ts";
import { placeOf } from "../../protocol/plain/host-place.ts";
import { personNameIn } from "../../protocol/plain/person-name.ts";
import type { FromViewer, ToViewer } from "../../protocol/stream.ts";
import type { Need } from "../../protocol/words/need.ts";
import type { Mode } from "../../protocol/words/policy.ts";
import { type AgentGlimpse, glimpsed } from "./agent-status.ts";

/** The text at the agent's prompt, which Enter sends. command: it begins with "!". */
export type PromptText = "empty" | "words" | "command";

export interface AttachState {
  /** The other machine that the session is on. */
  readonly host?: string | undefined;
  /** agent: attached from inside a session. It types, and decides nothing. */
  readonly role: "person" | "agent" | "watch";
  readonly mode: Mode;
  readonly hold: string;
  readonly reason: SessionInfo["hold_reason"];
  readonly note: string | null;
  readonly state: SessionState;
  /** The foreground program, and how it reads. */
  readonly program: string | null;
  readonly echo: "on" | "off" | "raw";
  /** What an agent CLI in front does, in words. */
  readonly cli?: { readonly words: string; readonly asks: boolean } | undefined;
  /** What the shell runs. */
  readonly command: string | null;
  /** Pending, oldest first. */
  readonly approvals: readonly Approval[];
  /** The person went on typing, so requests are only counted. */
  readonly aside: boolean;
  /** Where single keys go: the person turned to the question, or they type into the program. */
  readonly focus: "program" | "question";
  /** The first row of the question that is shown. */
  readonly scrolled: number;
  /** Since when the first of them is shown to the person; monotonic. */
  readonly shownAt: number;
  /** When the last answer was given; monotonic. */
  readonly answeredAt: number;
  /** The people whom the session was shared with and who are here. */
  readonly guests: readonly string[];
  /** What needs the person in other sessions, the next one first. */
  readonly elsewhere: readonly Need[];
  /** How it ended before this person came, who only looks. */
  readonly over?: string | undefined;
  readonly notice: { readonly text: string; readonly at: number } | null;
  /** The agent that was asked here. */
  readonly agent?: AgentGlimpse;
  /** Whether agent mode shows the conversation, because it came first or the person asked for it. Otherwise it shows the terminal. */
  readonly talks?: "first" | "too" | undefined;
}

export function firstState(role: AttachState["role"], over?: string, host?: string): AttachState {
  return {
    host,
    role,
    over,
    mode: "agent_terminal",
    hold: "nobody",
    reason: null,
    note: null,
    state: "running",
    program: null,
    echo: "on",
    command: null,
    approvals: [],
    aside: false,
    focus: "program",
    scrolled: 0,
    shownAt: Number.POSITIVE_INFINITY,
    answeredAt: Number.NEGATIVE_INFINITY,
    guests: [],
    elsewhere: [],
    notice: null,
  };
}

/** `at` is monotonic. */
export function afterMessage(state: AttachState, message: ToViewer, at: number): AttachState {
  switch (message.type) {
    case "hello":
      // Questions of an earlier daemon are void. Where nothing runs yet, there is only a prompt to show.
      return {
        ...withApprovals(state, [], at),
        state: message.state,
        talks: message.state === "pending" ? "first" : state.talks,
      };
    case "state":
      return { ...state, state: message.state };
    case "hold":
      return { ...state, hold: message.hold, reason: message.reason ?? null, note: message.note ?? null };
    case "mode":
      return { ...state, mode: message.mode };
    case "approval":
      return withApprovals(state, [...others(state, message.approval), message.approval], at);
    case "approval_settled": {
      const late = lateYes(message.approval);
      const told = late === undefined || state.role !== "person" ? state : { ...state, notice: { text: late, at } };
      return withApprovals(told, others(state, message.approval), at);
    }
    case "block_begin":
      return { ...state, command: message.block.cmd };
    case "block_end":
      // The program that had the screen is gone.
      return { ...state, command: null, ...(state.agent ? { agent: { ...state.agent, suggests: null } } : {}) };
    case "presence":
      return { ...state, guests: message.here.flatMap(({ actor }) => personNameIn(actor) ?? []) };
    case "notice":
      return { ...state, notice: { text: message.message, at } };
    case "agent": {
      const talks = message.event.type === "prompt" ? "first" : state.talks;
      return { ...state, agent: glimpsed(state.agent, message.event), talks };
    }
    case "policy":
    case "typed":
    case "paint":
    case "line":
    case "lifted":
    case "after":
    case "snapshot":
    case "resize":
    case "exit":
      return state;
    default:
      return ignored(state, message);
  }
}

/** A newer daemon may send messages that we do not know. */
function ignored(state: AttachState, _: never): AttachState {
  return state;
}

function others({ approvals }: AttachState, { approval_id }: Approval): Approval[] {
  return approvals.filter((other) => other.approval_id !== approval_id);
}

function withApprovals(state: AttachState, approvals: Approval[], at: number): AttachState {
  const pending = approvals.filter((each) => each.state === "pending").sort((a, b) => a.created_at - b.created_at);
  const isSame = pending[0] !== undefined && pending[0].approval_id === state.approvals[0]?.approval_id;
  const shownAt = pending.length === 0 ? Number.POSITIVE_INFINITY : isSame ? state.shownAt : at;
  const reading = isSame ? {} : ({ focus: "program", scrolled: 0 } as const);
  return { ...state, approvals: pending, shownAt, aside: pending.length > 0 && state.aside, ...reading };
}

/** The request that is shown to the person. */
export function proposed(state: AttachState): Approval | undefined {
  return state.role === "person" && !state.aside ? state.approvals[0] : undefined;
}

/** A yes to another machine says which text stood here. */
export function answerTo({ approval_id, text }: Approval, answer: "approve" | "deny"): FromViewer {
  const isFar = placeOf(approval_id) !== undefined && answer === "approve";
  const shown = isFar ? createHash("sha256").update(text).digest("hex") : undefined;
  return { type: "answer", approval_id, answer, ...(shown !== undefined && { shown }) };
}

/** Whether yes or no is an answer to it. A password is typed into the program, a choice is made by a verb or on the page. */
export function isYesOrNo({ kind }: Approval): boolean {
  return kind !== "password" && kind !== "choice";
}

/** Whether the person sees the conversation, with a prompt below it. */
export function isTalking({ role, mode, talks }: AttachState): boolean {
  return role === "person" && mode === "agent" && talks !== undefined;
}

export function agentHolds({ hold }: AttachState): boolean {
  return hold.startsWith("agent:");
}

/** "agent:claude" and "person:Ann" as a person says it. */
export function calledBy(actor: string): string {
  return actor.replace(/^(?:agent|person):/, "");
}

/** The session to go to next. */
export function nextNeed({ elsewhere }: AttachState): string | undefined {
  return elsewhere.find(({ session_id }) => session_id !== null)?.session_id ?? undefined;
}
