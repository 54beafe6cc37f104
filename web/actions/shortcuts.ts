// Keys that belong to the page even while the terminal has the focus. All of them work in an ordinary tab except Ctrl+T and
// Ctrl+W, which only come to a window of its own.
import type { PageState } from "../app/page-state.ts";
import { isKey, leaveTerminal, within } from "../widgets/keys.ts";
import { isForText } from "./approvals.ts";
import { createEscape } from "./escape.ts";
import { eraseWord, keepFocusOnClicks, typeIntoPrompt } from "./typing.ts";

export function listenForKeys(page: PageState): () => void {
  const onEscape = createEscape(page);
  const listen = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const took = event.code === "Escape" ? onEscape(event) : isOnItsWay(page) || known(event);
    if (!took) return typeIntoPrompt(page, event);
    event.preventDefault();
    event.stopPropagation();
  };

  function known(event: KeyboardEvent): boolean {
    if (event.code === "F6") {
      leave(page, event);
      return true;
    }
    // Nothing else is lost with it, but nobody who works in a terminal wants the window to close.
    if (isKey(event, { code: "KeyW", ctrl: true }) && !event.metaKey && page.ownWindow.hasKeys())
      return eraseWord(event);
    // In the terminal Ctrl+K is the shell's; elsewhere it opens the palette.
    if (event.code === "KeyK" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      if (within(event, ".xterm")) return false;
      page.setOverlay("palette");
      return true;
    }
    // A replay has its own keys and handles them itself.
    if (event.key === "?" && page.replaying()) return false;
    if (event.key === "?" && !event.ctrlKey && !event.altKey && !within(event, "input, textarea, select, .xterm")) {
      page.setOverlay("keys");
      return true;
    }
    const action = page.actions.byKey(event);
    if (!action || isElses(page, action.id, event)) return false;
    // A repeated key was meant for what it already answered.
    if (!event.repeat || !action.id.startsWith("approval.")) action.run();
    return true;
  }

  // Capture, so that we see it before xterm.
  window.addEventListener("keydown", listen, { capture: true });
  const clicks = keepFocusOnClicks();
  return () => {
    window.removeEventListener("keydown", listen, { capture: true });
    clicks();
  };
}

/** Out of the terminal or the prompt, and back. Where several sessions are shown, the head of this half comes before the list. */
function leave(page: PageState, event: KeyboardEvent): void {
  const isIn = within(event, ".xterm, [data-prompt]");
  const half = event.target instanceof Element && event.target.closest('.halves[data-many="true"] .half');
  if (half && isIn) half.querySelector<HTMLElement>(".half-buttons button")?.focus();
  else if (half || isIn) leaveTerminal();
  else page.focus();
}

/** The code of what opens has not come yet. What is typed meanwhile was not meant for the terminal. */
function isOnItsWay(page: PageState): boolean {
  return page.overlay() !== "none" && !document.querySelector("dialog");
}

function isElses(page: PageState, id: string, event: KeyboardEvent): boolean {
  if (id === "view.find") return isFoundElsewhere(page, event);
  return isForText(id, event, () => page.shown()?.control.agentHolds() ?? false);
}

/** A card, an open output and a full-screen program have their own search. */
function isFoundElsewhere(page: PageState, event: KeyboardEvent): boolean {
  if (within(event, ".xterm")) return page.shown()?.live.facts.alt_screen ?? false;
  return within(event, "article.card, dialog.full");
}
