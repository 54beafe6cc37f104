// Typing anywhere goes where the person types: to the prompt, or to the program that gets the keys. Buttons that are clicked
// leave the focus where it was, so that the next key works on none of them. Text fields, menus and dialogs keep their keys.
import type { PageState } from "../app/page-state.ts";
import { here, isFocusNowhere, within } from "../widgets/keys.ts";

/** They take text themselves. */
const WRITES = "input, textarea, select, [contenteditable], .xterm";
/** They have keys of their own. */
const OWN_KEYS = "dialog, [role=dialog], [role=alertdialog], [role=menu], [role=listbox], [role=slider]";
/** Space works these, for people who came by Tab. */
const WORKED = "button, a, summary, [role=switch], [role=radio]";
const CLICKED = "button, summary, [role=switch], [role=radio]";

/** True when the key is not for the element that has the focus. */
function isForPrompt(event: KeyboardEvent): boolean {
  if (event.altKey || event.isComposing || within(event, WRITES) || within(event, OWN_KEYS)) return false;
  if (event.ctrlKey || event.metaKey) return event.code === "KeyV" && !event.shiftKey;
  if (event.key === " ") return !within(event, WORKED);
  if (event.key === "Enter" || event.key === "Backspace") return isFocusNowhere();
  return [...event.key].length === 1;
}

/** The browser gives the key's text to what has the focus after this. */
export function typeIntoPrompt(page: PageState, event: KeyboardEvent): void {
  if (page.overlay() !== "none" || page.replaying() || page.route.view() !== "session" || !isForPrompt(event)) return;
  const prompt = here().querySelector<HTMLElement>("[data-prompt]");
  if (!prompt) return page.shown()?.live.terminal.pressed(event);
  prompt.focus({ preventScroll: true });
  // Enter is the prompt's own key, and not a text.
  if (event.key === "Enter" && !prompt.dispatchEvent(new KeyboardEvent("keydown", event))) event.preventDefault();
}

/** As a shell does it: back to the space before the word. True when the key is not the program's. */
export function eraseWord({ target }: KeyboardEvent): boolean {
  if (target instanceof Element && target.closest(".xterm")) return false;
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return true;
  const { selectionStart: from, selectionEnd: to, value } = target;
  // A field without a caret, such as a slider.
  if (from === null || to === null) return true;
  let word = value.slice(0, to).trimEnd().length;
  while (word > 0 && value[word - 1]?.trim() !== "") word -= 1;
  if (from === to) target.setSelectionRange(word, to);
  // The field hears of it, and Ctrl+Z brings it back.
  if (target.selectionStart !== target.selectionEnd) document.execCommand("delete");
  return true;
}

export function keepFocusOnClicks(): () => void {
  const listen = (event: MouseEvent) => {
    const { target } = event;
    if (!(target instanceof Element) || !target.closest(CLICKED) || target.closest(`${OWN_KEYS}, ${WRITES}`)) return;
    event.preventDefault();
  };
  window.addEventListener("mousedown", listen);
  return () => window.removeEventListener("mousedown", listen);
}
