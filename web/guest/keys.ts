// Keys that belong to the page behind a link, also while the terminal has the focus: out of the terminal, the keyboard itself, and
// answers to a question for who may answer.
import { createActions } from "../actions/actions.ts";
import { approvalActions, isForText } from "../actions/approvals.ts";
import { TAKE_KEYS } from "../widgets/browser-keys.ts";
import { within } from "../widgets/keys.ts";
import type { Seat } from "./seat.ts";

export function listenForKeys(seat: Seat): () => void {
  const { control, shared } = seat;
  const answers = shared.role === "approve" ? approvalActions({ ...seat, overlay: () => "none" }) : [];
  const actions = createActions(() => [
    ...answers,
    {
      id: "agent.take",
      title: "Take the keyboard, or hand it back",
      group: "Agent",
      keys: TAKE_KEYS,
      when: seat.mayType,
      run: () => (control.isTaken() ? void control.release() : seat.takeOver()),
    },
  ]);

  function isOurs(event: KeyboardEvent): boolean {
    if (event.code === "F6") {
      if (within(event, ".xterm")) document.querySelector<HTMLElement>(".guest-bar button")?.focus();
      else seat.focus();
      return true;
    }
    const action = actions.byKey(event);
    if (!action || isForText(action.id, event, () => control.agentHolds())) return false;
    // A repeated key was meant for what it already answered.
    if (!event.repeat) action.run();
    return true;
  }
  const listen = (event: KeyboardEvent) => {
    if (event.isComposing || !isOurs(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  // Capture, so that we see it before xterm.
  window.addEventListener("keydown", listen, { capture: true });
  return () => window.removeEventListener("keydown", listen, { capture: true });
}
