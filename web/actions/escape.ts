// What Escape means now. Closes what is open; stops the agent while it holds, works or asks; otherwise it is the program's.
// Where a person types into a program it is theirs whatever agents do: vim needs it all the time.
import type { PageState } from "../app/page-state.ts";
import { within } from "../widgets/keys.ts";

/** After a stop, further presses were meant for what is already stopped. */
const AFTER_STOP_MS = 400;
/** Whatever is open there closes itself. */
const OWN_ESCAPE = "dialog, [data-escape], nav [role=alertdialog], [role=dialog], [role=menu]";

/** True when the key was the page's. */
export function createEscape(page: PageState): (event: KeyboardEvent) => boolean {
  let stoppedAt = Number.NEGATIVE_INFINITY;
  return (event) => {
    // When it was pressed: a busy page hears of it later.
    const now = event.timeStamp;
    if (now - stoppedAt < AFTER_STOP_MS) return true;
    if (within(event, OWN_ESCAPE) && page.overlay() === "none") return false;
    if (page.overlay() !== "none") {
      // Dialogs give the focus back to where it was; the form of a new session has none to give.
      const isForm = page.overlay() === "new_session";
      page.setOverlay("none");
      if (isForm) page.focus();
      return true;
    }
    const isProgram = within(event, ".xterm");
    const isTyped = isProgram && page.shown()?.control.facts.hold === "person";
    if (page.shown() && page.isAgentActive() && !isTyped) {
      stoppedAt = now;
      page.stop();
      return true;
    }
    if (isProgram) return false;
    page.setDrawer("shut");
    page.focus();
    return true;
  };
}
