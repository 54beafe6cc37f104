// Key names to the bytes a terminal sends for them, by the terminal's current modes. Owns: xterm's legacy encoding.
// An unknown name is a fault that lists the names and is never typed as text. The same holds for a key without bytes.
import { type Fault, fault, isFault } from "../../base/fault.ts";
import { never } from "../../base/never.ts";
import { utf8 } from "../../base/utf8.ts";
import { type KeyPress, keyNamed, parseKey, shifted } from "./key-names.ts";
import { ALT, CTRL, HYPER, type NamedKey, SHIFT, SUPER } from "./key-table.ts";
import { encodeKitty, isKitty } from "./kitty-keys.ts";

export interface KeyModes {
  readonly application_cursor: boolean;
  readonly application_keypad: boolean;
  /** The flags the program asked for (CSI > flags u); 0 is the legacy encoding. */
  readonly kitty_keyboard: number;
}

/** Control bytes of keys that are not letters, as Xlib and so xterm maps them; `?` and `-` as everyone else does. */
const CTRL_BYTES: ReadonlyMap<string, number> = new Map([
  ...["@", " ", "2", "`"].map((char) => [char, 0] as const),
  ...["[", "3", "{"].map((char) => [char, 27] as const),
  ...["\\", "4", "|"].map((char) => [char, 28] as const),
  ...["]", "5", "}"].map((char) => [char, 29] as const),
  ...["^", "6", "~"].map((char) => [char, 30] as const),
  ...["_", "7", "/", "-"].map((char) => [char, 31] as const),
  ...["?", "8"].map((char) => [char, 127] as const),
]);

export function encodeKeys(keys: readonly string[], modes: KeyModes): Uint8Array | Fault {
  let out = "";
  for (const written of keys) {
    const press = parseKey(written);
    if (isFault(press)) return press;
    const kitty = isKitty(modes.kitty_keyboard);
    const bytes = kitty ? encodeKitty(press, modes.kitty_keyboard) : encodeLegacy(press, modes);
    if (bytes === undefined) return unsendable(written);
    out += bytes;
  }
  return utf8(out);
}

/** Undefined when xterm has no bytes for it. */
function encodeLegacy(press: KeyPress, modes: KeyModes): string | undefined {
  return press.key === "char" ? legacyChar(press.char, press.mods) : legacyNamed(press.named, press.mods, modes);
}

function legacyNamed(key: NamedKey, mods: number, modes: KeyModes): string | undefined {
  const { legacy } = key;
  const mod = mods > 0 ? `${mods + 1}` : "";
  switch (legacy.form) {
    case "cursor":
      if (mod) return `\x1b[1;${mod}${legacy.final}`;
      return modes.application_cursor ? `\x1bO${legacy.final}` : `\x1b[${legacy.final}`;
    case "ss3":
      return mod ? `\x1b[1;${mod}${legacy.final}` : `\x1bO${legacy.final}`;
    case "tilde":
      return mod ? `\x1b[${legacy.number};${mod}~` : `\x1b[${legacy.number}~`;
    case "control":
      return legacyControl(key.name, legacy.byte, mods);
    case "keypad":
      if (modes.application_keypad) return `\x1bO${mod}${legacy.final}`;
      if (legacy.as.length > 1) return legacyNamed(keyNamed(legacy.as), mods, modes);
      // The keypad's keys have no second character for Shift.
      return legacyChar(legacy.as, mods & ~SHIFT);
    case "same":
      return legacyNamed(keyNamed(legacy.as), mods | legacy.mods, modes);
    case "none":
      return undefined;
    default:
      return never(legacy);
  }
}

function legacyControl(name: string, byte: string, mods: number): string | undefined {
  if (mods & (SUPER | HYPER)) return undefined;
  if (name === "Tab" && mods & SHIFT) return withAlt(mods, "\x1b[Z");
  if (name === "Backspace" && mods & CTRL) return withAlt(mods, "\b");
  return withAlt(mods, byte);
}

/** Super and Hyper have no legacy form, and Super+q must not become a typed q. */
function legacyChar(char: string, mods: number): string | undefined {
  if (mods & (SUPER | HYPER)) return undefined;
  const typed = mods & SHIFT ? shifted(char) : char;
  return withAlt(mods, mods & CTRL ? controlOf(char, typed) : typed);
}

/** A key without a control byte is typed as it is, as xterm does. */
function controlOf(char: string, typed: string): string {
  if (/^[a-z]$/.test(char)) return String.fromCharCode(char.charCodeAt(0) & 0x1f);
  const byte = CTRL_BYTES.get(typed) ?? CTRL_BYTES.get(char);
  return byte === undefined ? typed : String.fromCharCode(byte);
}

function withAlt(mods: number, bytes: string): string {
  return mods & ALT ? `\x1b${bytes}` : bytes;
}

function unsendable(written: string): Fault {
  return fault(
    "input.invalid",
    `the program cannot be sent ${written}: it has no bytes unless the program asks for them by the kitty protocol`,
    "Use another key, without Super and Hyper.",
  );
}
