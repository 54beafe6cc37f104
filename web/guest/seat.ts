// A guest's seat in front of the shared session: its stream, who has the keyboard, the questions. Owns: what a guest's keys do.
// It never asks for a size: the session keeps the one that its owner gave it.
import { createEffect } from "solid-js";
import type { Output } from "../../src/protocol/ops.ts";
import type { ToViewer } from "../../src/protocol/stream.ts";
import { type Control, createControl } from "../approvals/control.ts";
import { type CurrentApproval, createCurrentApproval } from "../approvals/current.ts";
import { type ApprovalQueue, createApprovals } from "../approvals/queue.ts";
import { OWNER } from "../sessions/labels.ts";
import { Live } from "../terminal/live.ts";
import { createToasts, type Toasts } from "../widgets/toasts.ts";

export type Shared = Output<"shared">;

export interface Seat {
  readonly shared: Shared;
  /** This guest, as actors are written. */
  readonly me: string;
  readonly live: Live;
  readonly control: Control;
  readonly approvals: ApprovalQueue;
  readonly currentApproval: CurrentApproval;
  readonly toasts: Toasts;
  mayType(): boolean;
  takeOver(): void;
  focus(): void;
  dispose(): void;
}

interface SeatParts {
  /** The link is over. */
  ended(): void;
  /** The session could not be reached. */
  look(): void;
  dispose(): void;
}

export function createSeat(shared: Shared, { ended, look, dispose }: SeatParts): Seat {
  const { session_id } = shared.session;
  const me = `${OWNER}:${shared.name}`;
  const toasts = createToasts();
  const control = createControl(session_id, toasts.fault, me);
  const approvals = createApprovals(toasts.fault, { me, session_id });
  const mayType = () => shared.role !== "watch";
  const onMessage = (message: ToViewer) => {
    control.onMessage(message);
    if (message.type === "approval" || message.type === "approval_settled") approvals.onMessage(message.approval);
    // We missed what was asked while we were not connected.
    if (message.type === "hello") void approvals.refresh();
  };
  const refuses = () => {
    if (!mayType()) return "You watch: your keys are not sent.";
    return control.agentHolds() ? "The agent has the keyboard: your keys are not sent." : undefined;
  };
  const events = { onMessage, onNotice: toasts.notify, onStale: look, onTyped: () => undefined, refuses };
  const live = new Live(session_id, "watch", events);
  createEffect(() => live.facts.phase === "closed" && ended());
  return {
    shared,
    me,
    live,
    control,
    approvals,
    currentApproval: createCurrentApproval(approvals, () => session_id),
    toasts,
    mayType,
    takeOver: () => void control.take().then(() => live.terminal.focus()),
    focus: () => live.terminal.focus(),
    dispose() {
      dispose();
      live.dispose();
    },
  };
}
