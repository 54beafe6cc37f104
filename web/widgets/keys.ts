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

/** Nothing has the focus that a key could be meant for. */
export function isFocusNowhere(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || activeElement.localName === "main";
}

/** In a half, but not in the one that has the keyboard. */
export function isInOtherHalf(element: Element | null): boolean {
  return element?.closest('.half[data-here="false"]') != null;
}

/** Where typing goes now: the prompt or the past, else the program. Without any of them to the middle of the page. */
export function focusHere(): void {
  const find = (selector: string) => here().querySelector<HTMLElement>(selector);
  const place = find("[data-prompt], .replay [role=slider]") ?? find(".room .xterm textarea");
  (place ?? document.querySelector<HTMLElement>("main"))?.focus({ preventScroll: true });
}

/** To where the focus was before, unless that is gone or the keyboard has moved to another half meanwhile. */
export function focusBack(before: Element | null): void {
  const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
  if (!isThere || isInOtherHalf(before)) return focusHere();
  // The browser may have given it the focus already, without the caret. Then typing would do nothing.
  before.blur();
  before.focus({ preventScroll: true });
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
