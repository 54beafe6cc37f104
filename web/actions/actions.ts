// Everything that can be done on the page, by name: the palette lists it, keys lead to it, buttons show its keys. Owns: which
// key belongs to what. Refuses: to do anything itself.
import type { Accessor } from "solid-js";

export type Group = "Session" | "Agent" | "Commands" | "View" | "Checks" | "Go to" | "Settings";

/** Ctrl+. and its kind; letters by their place on the keyboard, because with Alt a Mac types another character. */
export interface Key {
  readonly code: string;
  readonly ctrl?: true;
  readonly alt?: true;
  readonly shift?: true;
}

export interface Action {
  readonly id: string;
  readonly title: string;
  readonly group: Group;
  readonly keys?: readonly Key[];
  /** More words to find it by. */
  readonly words?: string;
  /** Whether it makes sense now; absent: always. */
  when?(): boolean;
  run(): void;
}

export interface Actions {
  /** All that make sense now, in the order of their registration. */
  readonly all: Accessor<readonly Action[]>;
  find(id: string): Action | undefined;
  /** The action of this key, if it makes sense now. */
  byKey(event: KeyboardEvent): Action | undefined;
}

/** Each source tells its actions anew whenever it is asked: sessions and blocks come and go. */
export function createActions(sources: readonly (() => readonly Action[])[]): Actions {
  const everything = () => sources.flatMap((source) => source());
  const sensible = () => everything().filter((action) => action.when?.() ?? true);
  return {
    all: sensible,
    find: (id) => everything().find((action) => action.id === id),
    byKey: (event) => sensible().find(({ keys = [] }) => keys.some((key) => fits(key, event))),
  };
}

function fits(key: Key, event: KeyboardEvent): boolean {
  return (
    key.code === event.code &&
    (key.ctrl ?? false) === (event.ctrlKey || event.metaKey) &&
    (key.alt ?? false) === event.altKey &&
    (key.shift ?? false) === event.shiftKey
  );
}

const NAMES: Readonly<Record<string, string>> = {
  Backquote: "`",
  Period: ".",
  Enter: "⏎",
  Backspace: "⌫",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
  Slash: "/",
};

/** As it is written on a key: Ctrl Shift P. */
export function keyName({ code, ctrl, alt, shift }: Key): string {
  const name = NAMES[code] ?? code.replace(/^(?:Key|Digit)/, "");
  return [ctrl && "Ctrl", alt && "Alt", shift && "Shift", name].filter(Boolean).join(" ");
}
