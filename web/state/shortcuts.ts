// Keys that belong to the page even while the terminal has the focus. All of them reach a page in an ordinary tab.
// Letters are matched by their place on the keyboard: with Alt a Mac types another character.

export interface ShortcutActions {
  newSession(): void;
  select(index: number): void;
  focusTerminal(): void;
  leave(): void;
}

export function listenForShortcuts(on: ShortcutActions): () => void {
  const listen = (event: KeyboardEvent) => {
    if (!handle(event, on)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  // Capture: before xterm sees it.
  window.addEventListener("keydown", listen, { capture: true });
  return () => window.removeEventListener("keydown", listen, { capture: true });
}

function handle(event: KeyboardEvent, on: ShortcutActions): boolean {
  const within = (selector: string) => event.target instanceof Element && event.target.closest(selector) !== null;
  const inTerminal = within(".xterm");
  if (event.code === "F6") {
    if (inTerminal) document.querySelector<HTMLElement>("nav [aria-current=true], nav button")?.focus();
    else on.focusTerminal();
    return true;
  }
  // Escape is the program's while the terminal has the focus, and the question's while one is asked.
  if (event.code === "Escape" && !inTerminal && !within("[role=alertdialog]")) {
    on.leave();
    on.focusTerminal();
    return true;
  }
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false;
  if (event.code === "KeyN") {
    on.newSession();
    return true;
  }
  const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
  if (digit === undefined) return false;
  on.select(Number(digit) - 1);
  return true;
}
