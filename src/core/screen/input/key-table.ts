// The keys that have names, and what each is on the wire: xterm's legacy form and the kitty protocol's number.
// Pure data. Refuses: aliases and modifiers (key-names.ts), bytes (keys.ts, kitty-keys.ts).

export const SHIFT = 1;
export const ALT = 2;
export const CTRL = 4;
export const SUPER = 8;
export const HYPER = 16;
/** These change what a key means, not only which character it types. */
export const COMMANDING = ALT | CTRL | SUPER | HYPER;

type Legacy =
  /** CSI X; SS3 X in application cursor mode. */
  | { readonly form: "cursor"; readonly final: string }
  /** SS3 X in every mode. */
  | { readonly form: "ss3"; readonly final: string }
  /** CSI n ~ */
  | { readonly form: "tilde"; readonly number: number }
  /** One control byte. */
  | { readonly form: "control"; readonly byte: string }
  /** SS3 X in application keypad mode, else the key or character it doubles. */
  | { readonly form: "keypad"; readonly final: string; readonly as: string }
  /** The same bytes as another key with these modifiers. */
  | { readonly form: "same"; readonly as: string; readonly mods: number }
  /** xterm sends nothing for it. */
  | { readonly form: "none" };

export interface NamedKey {
  readonly name: string;
  readonly legacy: Legacy;
  /** CSI code ; modifiers final */
  readonly kitty: { readonly code: number; readonly final: string };
  /** A modifier key of the kitty protocol, which reports these only when a program asks for all keys. */
  readonly isLock?: true;
}

function cursor(name: string, final: string): NamedKey {
  return { name, legacy: { form: "cursor", final }, kitty: { code: 1, final } };
}

function tilde(name: string, number: number): NamedKey {
  return { name, legacy: { form: "tilde", number }, kitty: { code: number, final: "~" } };
}

function control(name: string, byte: string): NamedKey {
  return { name, legacy: { form: "control", byte }, kitty: { code: byte.charCodeAt(0), final: "u" } };
}

function silent(name: string, code: number): NamedKey {
  return { name, legacy: { form: "none" }, kitty: { code, final: "u" } };
}

/** In the order of the kitty protocol's numbers, from 57399 on. `as`: the character or key each one doubles. */
const KEYPAD: readonly (readonly [name: string, final: string, as: string])[] = [
  ...Array.from({ length: 10 }, (_, i) => [`KP_${i}`, "pqrstuvwxy".charAt(i), `${i}`] as const),
  ["KP_Decimal", "n", "."],
  ["KP_Divide", "o", "/"],
  ["KP_Multiply", "j", "*"],
  ["KP_Subtract", "m", "-"],
  ["KP_Add", "k", "+"],
  ["KP_Enter", "M", "Enter"],
  ["KP_Equal", "X", "="],
  ["KP_Separator", "l", ","],
];
/** The keypad with Num Lock off, from 57417 on. */
const KEYPAD_MOVES = ["Left", "Right", "Up", "Down", "PageUp", "PageDown", "Home", "End", "Insert", "Delete"];

const keypad = KEYPAD.map(([name, final, as], i): NamedKey => {
  return { name, legacy: { form: "keypad", final, as }, kitty: { code: 57399 + i, final: "u" } };
});
const keypadMoves = KEYPAD_MOVES.map((as, i): NamedKey => {
  return { name: `KP_${as}`, legacy: { form: "same", as, mods: 0 }, kitty: { code: 57417 + i, final: "u" } };
});

const pf = ["P", "Q", "R", "S"].map((final, i): NamedKey => {
  // CSI R is also the answer to "where is the cursor", so the kitty protocol moved F3.
  const kitty = final === "R" ? { code: 13, final: "~" } : { code: 1, final };
  return { name: `F${i + 1}`, legacy: { form: "ss3", final }, kitty };
});
const functions = [15, 17, 18, 19, 20, 21, 23, 24].map((number, i) => tilde(`F${i + 5}`, number));
const shiftedFunctions = Array.from({ length: 12 }, (_, i): NamedKey => {
  // Terminfo of xterm-256color: kf13…kf24 are Shift+F1…F12.
  const legacy: Legacy = { form: "same", as: `F${i + 1}`, mods: SHIFT };
  return { name: `F${i + 13}`, legacy, kitty: { code: 57376 + i, final: "u" } };
});

export const NAMED_KEYS: readonly NamedKey[] = [
  control("Enter", "\r"),
  control("Tab", "\t"),
  control("Escape", "\x1b"),
  control("Backspace", "\x7f"),
  tilde("Insert", 2),
  tilde("Delete", 3),
  cursor("Up", "A"),
  cursor("Down", "B"),
  cursor("Right", "C"),
  cursor("Left", "D"),
  cursor("Home", "H"),
  cursor("End", "F"),
  cursor("Begin", "E"),
  tilde("PageUp", 5),
  tilde("PageDown", 6),
  // xterm's numbers of the VT220 editing keys. Find, Select and Help have none in the kitty protocol and keep these.
  tilde("Find", 1),
  tilde("Select", 4),
  tilde("Help", 28),
  { name: "Menu", legacy: { form: "tilde", number: 29 }, kitty: { code: 57363, final: "u" } },
  { ...silent("CapsLock", 57358), isLock: true },
  silent("ScrollLock", 57359),
  { ...silent("NumLock", 57360), isLock: true },
  silent("PrintScreen", 57361),
  silent("Pause", 57362),
  ...pf,
  ...functions,
  ...shiftedFunctions,
  ...keypad,
  ...keypadMoves,
  { name: "KP_Begin", legacy: { form: "same", as: "Begin", mods: 0 }, kitty: { code: 1, final: "E" } },
];
