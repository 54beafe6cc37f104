// Key names to the bytes a terminal sends for them, by the terminal's current modes. Pure tables.
// An unknown name is a fault that lists the names; it is never typed as text.
import { type Fault, fault } from "../base/fault.ts";

export interface KeyModes {
  readonly application_cursor: boolean;
}

const SHIFT = 1;
const ALT = 2;
const CTRL = 4;
const SUPER = 8;

const MODIFIERS: Readonly<Record<string, number>> = {
  shift: SHIFT,
  s: SHIFT,
  alt: ALT,
  meta: ALT,
  option: ALT,
  m: ALT,
  a: ALT,
  ctrl: CTRL,
  control: CTRL,
  c: CTRL,
  super: SUPER,
  cmd: SUPER,
};

/** Final byte of CSI … X: the cursor keys, which application mode turns into SS3 X. */
const CURSOR: Readonly<Record<string, string>> = { up: "A", down: "B", right: "C", left: "D", home: "H", end: "F" };
/** Number of CSI n ~ */
const TILDE: Readonly<Record<string, number>> = {
  insert: 2,
  delete: 3,
  pageup: 5,
  pagedown: 6,
  f5: 15,
  f6: 17,
  f7: 18,
  f8: 19,
  f9: 20,
  f10: 21,
  f11: 23,
  f12: 24,
};
const SS3: Readonly<Record<string, string>> = { f1: "P", f2: "Q", f3: "R", f4: "S" };
const PLAIN: Readonly<Record<string, string>> = {
  enter: "\r",
  tab: "\t",
  escape: "\x1b",
  space: " ",
  backspace: "\x7f",
};
const ALIAS: Readonly<Record<string, string>> = {
  return: "enter",
  cr: "enter",
  esc: "escape",
  bspace: "backspace",
  bs: "backspace",
  del: "delete",
  dc: "delete",
  ins: "insert",
  ic: "insert",
  pgup: "pageup",
  ppage: "pageup",
  pgdn: "pagedown",
  npage: "pagedown",
  spc: "space",
  arrowup: "up",
  arrowdown: "down",
  arrowleft: "left",
  arrowright: "right",
  btab: "backtab",
  plus: "+",
  minus: "-",
};

/** Control bytes of keys that are not letters, as xterm sends them. */
const CTRL_OF: Readonly<Record<string, number>> = {
  "@": 0,
  " ": 0,
  "2": 0,
  "[": 27,
  "3": 27,
  "\\": 28,
  "4": 28,
  "]": 29,
  "5": 29,
  "^": 30,
  "6": 30,
  "~": 30,
  _: 31,
  "/": 31,
  "7": 31,
  "-": 31,
  "?": 127,
  "8": 127,
};

export const KEY_NAMES: readonly string[] = [
  ...["Enter", "Tab", "BackTab", "Escape", "Space", "Backspace", "Delete", "Insert"],
  ...["Home", "End", "PageUp", "PageDown", "Up", "Down", "Left", "Right"],
  ...Array.from({ length: 24 }, (_, i) => `F${i + 1}`),
];

export function encodeKeys(keys: readonly string[], modes: KeyModes): Uint8Array | Fault {
  let out = "";
  for (const key of keys) {
    const bytes = encodeKey(key, modes);
    if (typeof bytes !== "string") return bytes;
    out += bytes;
  }
  return utf8(out);
}

function encodeKey(written: string, modes: KeyModes): string | Fault {
  const { mods, key } = parse(written);
  const name = ALIAS[key.toLowerCase()] ?? key.toLowerCase();
  if (name === "backtab" || (name === "tab" && mods === SHIFT)) return "\x1b[Z";
  const special = encodeSpecial(name, mods, modes);
  if (special !== undefined) return special;
  const plain = PLAIN[name] ?? ([...key].length === 1 ? key : ALIAS[name]);
  if (plain === undefined) return unknown(written);
  return withAlt(mods, withCtrl(name, plain, mods));
}

function encodeSpecial(name: string, mods: number, modes: KeyModes): string | undefined {
  const f = /^f(\d+)$/.exec(name);
  // Terminfo of xterm-256color: F13–F24 are Shift+F1–F12.
  if (f && Number(f[1]) > 12 && Number(f[1]) <= 24) return encodeSpecial(`f${Number(f[1]) - 12}`, mods | SHIFT, modes);
  const cursor = CURSOR[name];
  if (cursor !== undefined) {
    if (mods > 0) return `\x1b[1;${mods + 1}${cursor}`;
    return modes.application_cursor ? `\x1bO${cursor}` : `\x1b[${cursor}`;
  }
  const ss3 = SS3[name];
  if (ss3 !== undefined) return mods > 0 ? `\x1b[1;${mods + 1}${ss3}` : `\x1bO${ss3}`;
  const tilde = TILDE[name];
  if (tilde !== undefined) return mods > 0 ? `\x1b[${tilde};${mods + 1}~` : `\x1b[${tilde}~`;
  return undefined;
}

function withCtrl(name: string, plain: string, mods: number): string {
  if (!(mods & CTRL)) return mods & SHIFT && plain.length === 1 ? plain.toUpperCase() : plain;
  if (name === "backspace") return "\b";
  if (/^[a-z]$/i.test(plain)) return String.fromCharCode(plain.toUpperCase().charCodeAt(0) & 0x1f);
  const control = CTRL_OF[plain];
  return control === undefined ? plain : String.fromCharCode(control);
}

function withAlt(mods: number, bytes: string): string {
  return mods & ALT ? `\x1b${bytes}` : bytes;
}

/** `Ctrl+Shift+Up`, `C-x`, `M-Enter`, `^C`. A lone `+`, `-` or `^` is that key. */
function parse(written: string): { mods: number; key: string } {
  let mods = 0;
  let key = written;
  for (;;) {
    if (/^\^.$/u.test(key)) return { mods: mods | CTRL, key: key.slice(1) };
    const cut = /^([a-z]+)[+-](.+)$/isu.exec(key);
    const mod = cut?.[1] === undefined ? undefined : MODIFIERS[cut[1].toLowerCase()];
    if (mod === undefined || cut?.[2] === undefined) return { mods, key };
    mods |= mod;
    key = cut[2];
  }
}

function unknown(written: string): Fault {
  const names = `${KEY_NAMES.slice(0, 16).join(" ")} F1…F24`;
  return fault(
    "key.unknown",
    `no key is named "${written}"`,
    `Use a single character or one of: ${names}; with Ctrl+ Alt+ Shift+ before it.`,
  );
}

/** The pure core has no TextEncoder. */
export function utf8(text: string): Uint8Array {
  const out: number[] = [];
  for (const char of text) {
    const cp = char.codePointAt(0) ?? 0;
    if (cp < 0x80) out.push(cp);
    else if (cp < 0x800) out.push(0xc0 | (cp >> 6), 0x80 | (cp & 63));
    else if (cp < 0x10000) out.push(0xe0 | (cp >> 12), 0x80 | ((cp >> 6) & 63), 0x80 | (cp & 63));
    else out.push(0xf0 | (cp >> 18), 0x80 | ((cp >> 12) & 63), 0x80 | ((cp >> 6) & 63), 0x80 | (cp & 63));
  }
  return Uint8Array.from(out);
}
