// Everything about the shown session: its stream, its commands, its keyboard, its agent. A new one is made for every
// session. The daemon's messages come through here and go to each of them.
import type { ToViewer } from "../../src/protocol/stream.ts";
import { createConversation } from "../agent/conversation.ts";
import { type Control, createControl } from "../approvals/control.ts";
import type { ApprovalQueue } from "../approvals/queue.ts";
import { createShellLine } from "../composer/shell-line.ts";
import { createImages } from "../images/images.ts";
import type { LinksParts } from "../links/following.ts";
import { createLinks } from "../links/links.ts";
import { Replay } from "../replay/replay.ts";
import { createUndo } from "../restore/undo.ts";
import { Live } from "../terminal/live.ts";
import type { Sizing } from "../terminal/live-facts.ts";
import { createCards } from "../transcript/cards.ts";
import { createTranscript } from "../transcript/transcript.ts";
import type { Toasts } from "../widgets/toasts.ts";
import type { ShownSession } from "./page-state.ts";

interface ShownSessionParts extends LinksParts {
  readonly sizing: Sizing;
  readonly toasts: Toasts;
  readonly approvals: ApprovalQueue;
  onStale(): void;
}

export function createShownSession(
  id: string,
  { sizing, toasts, approvals, onStale, onOpened }: ShownSessionParts,
): ShownSession {
  const control = createControl(id, toasts.fault);
  const transcript = createTranscript(id);
  const cards = createCards(id, transcript, toasts);
  const links = createLinks(id, { toasts, onOpened });
  const images = createImages(id);
  const agent = createConversation(id, toasts.fault);
  const shellLine = createShellLine(() => live.lift());
  const onMessage = (message: ToViewer) => {
    shellLine.onMessage(message);
    control.onMessage(message);
    transcript.onMessage(message);
    agent.onMessage(message);
    if (message.type === "after") cards.frozen.renewAfter(message.block_id);
    if (message.type === "approval" || message.type === "approval_settled") approvals.onMessage(message.approval);
    if (message.type !== "hello") return;
    // We missed what happened while we were not connected.
    void transcript.refresh().then(() => cards.frozen.renewAfter(transcript.last()?.block_id ?? ""));
    void agent.refresh();
  };
  const live = new Live(id, sizing, {
    onMessage,
    onNotice: toasts.notify,
    onStale,
    onTyped: shellLine.typed,
    refuses: () => whyNotTyped(control),
    links: links.following,
    bitmaps: images.bitmaps,
  });
  return {
    id,
    live,
    control,
    shellLine,
    transcript,
    cards,
    links,
    images,
    agent,
    replay: new Replay(id),
    undo: createUndo(id),
    proposedKeys: () => approvals.pending.find((asked) => asked.session_id === id && asked.kind === "keys")?.text,
    agents() {
      const asked = approvals.pending.filter(({ session_id }) => session_id === id);
      const levels = Object.keys(control.facts.policy?.agent_levels ?? {});
      const actors = [...asked, ...transcript.blocks].map(({ actor }) => actor);
      const names = [...levels, control.facts.hold, ...actors].filter((name) => name.startsWith("agent:"));
      return [...new Set(names)].sort();
    },
    onInfo: control.onInfo,
    settled: () => Promise.all([shellLine.answered(), live.settled()]),
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
