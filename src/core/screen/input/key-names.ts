// What a written key means: `Ctrl+Shift+Up`, `C-M-x`, `^C`, `é`. Owns: modifier names, aliases, the list of names.
// Refuses: bytes. An unknown name is a fault that lists the names; it is never typed.
import { type Fault, fault } from "../../base/fault.ts";
import { ALT, COMMANDING, CTRL, HYPER, NAMED_KEYS, type NamedKey, SHIFT, SUPER } from "./key-table.ts";

/** A key of the table, or one that types a character. `char` is the unshifted one; Shift is in `mods`. */
export type KeyPress = { readonly mods: number } & (
  | { readonly key: "named"; readonly named: NamedKey }
  | { readonly key: "char"; readonly char: string }
);

/** Enough of a wrong name to recognise it. The rest of a text pasted by mistake helps nobody. */
const SHOWN_CHARS_MAX = 40;

const MODIFIERS: ReadonlyMap<string, number> = new Map([
  ...["shift", "s"].map((name) => [name, SHIFT] as const),
  // Terminals know no Meta besides Alt: both are the ESC prefix.
  ...["alt", "meta", "option", "opt", "m", "a"].map((name) => [name, ALT] as const),
  ...["ctrl", "control", "ctl", "c"].map((name) => [name, CTRL] as const),
  ...["super", "cmd", "command", "win"].map((name) => [name, SUPER] as const),
  ["hyper", HYPER] as const,
]);

/** Names of tmux, vim, X11 and the browser for the same keys. */
const ALIASES: readonly (readonly [name: string, ...aliases: string[]])[] = [
  ["Enter", "return", "cr"],
  ["Escape", "esc"],
  ["Backspace", "bspace", "bs"],
  ["Delete", "del", "dc"],
  ["Insert", "ins", "ic"],
  ["PageUp", "pgup", "ppage", "prior"],
  ["PageDown", "pgdn", "pgdown", "npage", "next"],
  ["Up", "arrowup", "uparrow"],
  ["Down", "arrowdown", "downarrow"],
  ["Left", "arrowleft", "leftarrow"],
  ["Right", "arrowright", "rightarrow"],
  ["PrintScreen", "print", "prtsc"],
  ["Menu", "contextmenu", "apps"],
  ["Pause", "break"],
];
const CHARS: readonly (readonly [name: string, char: string])[] = [
  ["space", " "],
  ["spc", " "],
  ["plus", "+"],
  ["minus", "-"],
];

/** A US keyboard: what Shift makes of the keys that are not letters. */
const UNSHIFTED = "`1234567890-=[]\\;',./";
const SHIFTED = '~!@#$%^&*()_+{}|:"<>?';

const named: ReadonlyMap<string, NamedKey> = new Map(NAMED_KEYS.map((key) => [key.name, key]));
const byWritten: ReadonlyMap<string, NamedKey> = new Map([
  ...NAMED_KEYS.flatMap((key) => spellings(key.name).map((written) => [written, key] as const)),
  ...ALIASES.flatMap(([name, ...aliases]) => aliases.map((alias) => [alias, keyNamed(name)] as const)),
]);
const chars: ReadonlyMap<string, string> = new Map(CHARS);

export const KEY_NAMES: readonly string[] = [...NAMED_KEYS.map(({ name }) => name), "BackTab", "Space"];

/** A key that the table must have. */
export function keyNamed(name: string): NamedKey {
  const key = named.get(name);
  if (!key) throw new Error(`the key table lacks ${name}`);
  return key;
}

export function parseKey(written: string): KeyPress | Fault {
  const { mods, rest } = splitModifiers(written);
  const name = rest.toLowerCase();
  const key = byWritten.get(name);
  if (key) return { mods, key: "named", named: key };
  if (name === "backtab" || name === "btab") return { mods: mods | SHIFT, key: "named", named: keyNamed("Tab") };
  const char = chars.get(name) ?? rest;
  return isPrintable(char) ? charPress(mods, char) : unknown(written);
}

export function modifierNamed(written: string): number | undefined {
  return MODIFIERS.get(written.toLowerCase());
}

function charPress(mods: number, char: string): KeyPress {
  const lower = char.toLowerCase();
  // Only where the conversion is exact both ways: the Kelvin sign is not a capital k.
  if (lower === char || lower.toUpperCase() !== char || [...lower].length !== 1) return { mods, key: "char", char };
  // Ctrl+C is how everyone writes Ctrl+c, but Alt+A is not Alt+a: ESC A and ESC a differ.
  const isShift = (mods & COMMANDING & ~ALT) === 0;
  return { mods: isShift ? mods | SHIFT : mods, key: "char", char: lower };
}

/** The character that Shift makes of this one, or the same when there is none. */
export function shifted(char: string): string {
  const at = UNSHIFTED.indexOf(char);
  if (at >= 0) return SHIFTED.charAt(at);
  const upper = char.toUpperCase();
  return [...upper].length === 1 ? upper : char;
}

/** `^C` is Ctrl+C. A `+`, `-` or `^` with nothing after it is that key. */
function splitModifiers(written: string): { mods: number; rest: string } {
  let mods = 0;
  let rest = written;
  for (;;) {
    if (/^\^.$/su.test(rest)) return { mods: mods | CTRL, rest: rest.slice(1) };
    const cut = /^([a-z]+)[+-](.+)$/isu.exec(rest);
    const mod = cut?.[1] === undefined ? undefined : modifierNamed(cut[1]);
    if (mod === undefined || cut?.[2] === undefined) return { mods, rest };
    mods |= mod;
    rest = cut[2];
  }
}

/** `PageUp`: pageup, page_up. `KP_PageUp`: kp_pageup, kppageup, kp_page_up. */
function spellings(name: string): string[] {
  const snake = name.replace(/([a-z])([A-Z])/g, "$1_$2");
  return [name, snake, name.replaceAll("_", "")].map((spelling) => spelling.toLowerCase());
}

/** One character that is neither a control nor half a surrogate pair. */
function isPrintable(char: string): boolean {
  return [...char].length === 1 && !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(char);
}

function unknown(written: string): Fault {
  const rest = KEY_NAMES.filter((name) => !/^(F|KP_)\d/.test(name)).join(" ");
  const shown = written.length > SHOWN_CHARS_MAX ? `${written.slice(0, SHOWN_CHARS_MAX)}…` : written;
  const near = nearest(written);
  const like = near === undefined ? "" : `Did you mean ${near}? `;
  return fault(
    "key.unknown",
    `no key is named ${JSON.stringify(shown)}`,
    `${like}Use a single character or one of: ${rest} F1…F24 KP_0…KP_9; with Ctrl+ Alt+ Shift+ Super+ Hyper+ before it. Send words as text.`,
  );
}

/** Names that are this much alike are meant: two letters wrong, missing or too many. */
const TYPO_EDITS_MAX = 2;
/** What others call them. */
const ALSO: Readonly<Record<string, string>> = { newline: "Enter", linefeed: "Enter", spacebar: "Space" };

/** The known key that is most like what was written. */
function nearest(written: string): string | undefined {
  const name = splitModifiers(written).rest.toLowerCase();
  if (name.length < 2 || name.length > SHOWN_CHARS_MAX) return undefined;
  const all = [...byWritten].map(([spelling, key]) => ({ known: key.name, edits: editsBetween(spelling, name) }));
  const [best] = all.sort((a, b) => a.edits - b.edits);
  return ALSO[name] ?? (best && best.edits <= Math.min(TYPO_EDITS_MAX, name.length / 2) ? best.known : undefined);
}

function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, char] of [...a].entries()) {
    const above = row;
    row = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const swap = (above[j] ?? 0) + (char === b[j] ? 0 : 1);
      row.push(Math.min(swap, (above[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1));
    }
  }
  return row[b.length] ?? a.length;
}
