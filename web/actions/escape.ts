// What Escape means now. It closes what is open, stops the agent while it holds, works or asks, and otherwise goes to the program.
// While a person types into a program it always goes there, because vim needs it all the time.

import { isPerson } from "../../src/protocol/plain/person-name.ts";
import type { PageState } from "../app/page-state.ts";
import { here, within } from "../widgets/keys.ts";
import { leaveBoard } from "./page.ts";

/** After a stop, further presses were meant for the same stop. */
const AFTER_STOP_MS = 400;
/** Elements that close themselves. */
const OWN_ESCAPE = "dialog, [data-escape], nav [role=alertdialog], [role=dialog], [role=menu]";

/** It closes itself, though the focus is elsewhere in the replay. */
const OWN_ESCAPE_IN_REPLAY = ".replay [data-escape]";

/** True when the page used the key. */
export function createEscape(page: PageState): (event: KeyboardEvent) => boolean {
  let stoppedAt = Number.NEGATIVE_INFINITY;
  return (event) => {
    // The time of the key press, because a busy page handles it later.
    const now = event.timeStamp;
    if (now - stoppedAt < AFTER_STOP_MS) return true;
    if (within(event, OWN_ESCAPE) && page.overlay() === "none") return false;
    if (page.overlay() !== "none") {
      // The dialog returns the focus.
      page.setOverlay("none");
      return true;
    }
    // One step back in a question comes before the stop.
    if (page.currentApproval.current() && page.currentApproval.doing() !== "look") {
      page.currentApproval.begin("look");
      page.focus();
      return true;
    }
    if (page.replaying()) {
      if (here().querySelector(OWN_ESCAPE_IN_REPLAY)) return false;
      page.setReplaying(false);
      return true;
    }
    const isProgram = within(event, ".xterm");
    const isTyped = isProgram && isPerson(page.shown()?.control.facts.hold ?? "");
    if (page.shown() && page.isAgentActive() && !isTyped) {
      stoppedAt = now;
      page.stop();
      return true;
    }
    if (isProgram) return false;
    if (page.route.view() === "diff") page.select(page.route.selected() ?? "");
    if (page.route.view() === "board") leaveBoard(page);
    page.setDrawer("shut");
    page.focus();
    return true;
  };
}
