// Keys of the keyboard: which one an event is, where it was pressed, how it is written. Pure.

/** Ctrl+. and its kind; letters by their place on the keyboard, because with Alt a Mac types another character. */
export interface Key {
  readonly code: string;
  readonly ctrl?: true;
  readonly alt?: true;
  readonly shift?: true;
}

export function isKey(event: KeyboardEvent, key: Key): boolean {
  // Both are Enter to everybody.
  const code = event.code === "NumpadEnter" ? "Enter" : event.code;
  return (
    key.code === code &&
    (key.ctrl ?? false) === (event.ctrlKey || event.metaKey) &&
    (key.alt ?? false) === event.altKey &&
    (key.shift ?? false) === event.shiftKey
  );
}

export function within(event: KeyboardEvent, selector: string): boolean {
  return event.target instanceof Element && event.target.closest(selector) !== null;
}

/** They go with their session, or are about to close. */
const LEAVING = "dialog, [data-prompt], .xterm";

/** A person writes in a field that stays when another session is shown. */
export function isWriting(): boolean {
  const { activeElement } = document;
  const isField = activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement;
  return isField && activeElement.closest(LEAVING) === null;
}

/** The part of the page that has the keyboard: a half, where sessions share the page. */
export function here(): ParentNode {
  return document.querySelector('.half[data-here="true"]') ?? document;
}

/** Out of the terminal, to the list of sessions: from there Tab goes everywhere. */
export function leaveTerminal(): void {
  document.querySelector<HTMLElement>("nav [aria-current=true], nav button")?.focus();
}

const NAMES: Readonly<Record<string, string>> = {
  Backquote: "`",
  Period: ".",
  Enter: "⏎",
  Backspace: "⌫",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Equal: "+",
  Minus: "-",
  Escape: "Esc",
  Slash: "/",
};

/** As it is written on a key: Ctrl Shift P. */
export function keyName({ code, ctrl, alt, shift }: Key): string {
  const name = NAMES[code] ?? code.replace(/^(?:Key|Digit)/, "");
  return [ctrl && "Ctrl", alt && "Alt", shift && "Shift", name].filter(Boolean).join(" ");
}
