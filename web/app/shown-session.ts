// Everything about the one session that is shown: its stream, its commands, its keyboard, its agent. Made anew for every
// session; what the daemon says of it comes through here and goes to each of them.
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import type { ToViewer } from "../../src/protocol/stream.ts";
import { type AgentConversation, createConversation } from "../agent/conversation.ts";
import { type Control, createControl } from "../approvals/control.ts";
import type { ApprovalQueue } from "../approvals/queue.ts";
import { Replay } from "../replay/replay.ts";
import { Live, type Sizing } from "../terminal/live.ts";
import { type Cards, createCards } from "../transcript/cards.ts";
import { createTranscript, type Transcript } from "../transcript/transcript.ts";
import type { Toasts } from "./toasts.ts";

export interface ShownSession {
  readonly id: string;
  readonly live: Live;
  readonly control: Control;
  readonly transcript: Transcript;
  readonly cards: Cards;
  readonly agent: AgentConversation;
  readonly replay: Replay;
  /** What an agent wants to type into the program, and may not yet. */
  proposedKeys(): string | undefined;
  /** Agents that ran something, hold or ask here, or have a level of their own: "agent:NAME". */
  agents(): string[];
  /** What the list of sessions says of it. */
  known(info: SessionInfo): void;
  dispose(): void;
}

export interface ShownSessionParts {
  readonly sizing: Sizing;
  readonly toasts: Toasts;
  readonly approvals: ApprovalQueue;
  stale(): void;
}

export function createShownSession(id: string, { sizing, toasts, approvals, stale }: ShownSessionParts): ShownSession {
  const control = createControl(id, toasts.fault);
  const transcript = createTranscript(id);
  const agent = createConversation(id, toasts.fault);
  const message = (message: ToViewer) => {
    control.onMessage(message);
    transcript.onMessage(message);
    agent.onMessage(message);
    if (message.type === "approval" || message.type === "approval_settled") approvals.onMessage(message.approval);
    if (message.type !== "hello") return;
    // What happened while nobody was connected was told to nobody.
    void transcript.refresh();
    void agent.refresh();
  };
  const live = new Live(id, sizing, { message, notice: toasts.say, stale, refuses: () => whyNotTyped(control) });
  return {
    id,
    live,
    control,
    transcript,
    cards: createCards(id, transcript, toasts),
    agent,
    replay: new Replay(id),
    proposedKeys: () => approvals.pending.find((asked) => asked.session_id === id && asked.kind === "keys")?.text,
    agents() {
      const asked = approvals.pending.filter(({ session_id }) => session_id === id);
      const levels = Object.keys(control.facts.policy?.agent_levels ?? {});
      const actors = [...asked, ...transcript.blocks].map(({ actor }) => actor);
      const names = [...levels, control.facts.hold, ...actors].filter((name) => name.startsWith("agent:"));
      return [...new Set(names)].sort();
    },
    known: control.known,
    dispose: () => live.dispose(),
  };
}

/** Keys never mix: while an agent holds the keyboard, or works alone, a person takes it first. */
function whyNotTyped(control: Control): string | undefined {
  if (control.agentHolds()) return "The agent has the keyboard: your keys are not sent.";
  if (control.facts.policy?.mode === "agent" && !control.isTaken())
    return "In agent mode keys are not sent to the terminal.";
  return undefined;
}
