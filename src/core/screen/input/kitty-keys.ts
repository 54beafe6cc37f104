// Keys as the kitty keyboard protocol writes them, for programs that asked for it:
// CSI code:shifted ; modifiers ; text final. Presses only, so the event field (flag 2) is never needed.
// Refuses: the base layout key of flag 4, because we have no keyboard layout.
import { type KeyPress, shifted } from "./key-names.ts";
import { COMMANDING, SHIFT } from "./key-table.ts";

const DISAMBIGUATE = 1;
const ALTERNATES = 4;
const ALL_KEYS = 8;
const TEXT = 16;

/** With none of these flags the protocol sends what a legacy terminal sends. */
export function isKitty(flags: number): boolean {
  return (flags & (DISAMBIGUATE | ALL_KEYS)) !== 0;
}

/** Undefined when the flags leave no bytes for it. */
export function encodeKitty(press: KeyPress, flags: number): string | undefined {
  const { mods } = press;
  const text = textOf(press);
  if (!(flags & ALL_KEYS)) {
    if (press.key === "char" && text !== "") return text;
    if (press.key === "named" && press.named.isLock) return undefined;
    const byte = mods === 0 ? survivor(press) : undefined;
    if (byte !== undefined) return byte;
  }
  const { code, final } = press.key === "named" ? press.named.kitty : { code: point(press.char), final: "u" };
  const fields = [
    `${code}${alternate(press, flags)}`,
    mods > 0 ? `${mods + 1}` : "",
    (flags & (ALL_KEYS | TEXT)) === (ALL_KEYS | TEXT) && text !== "" ? `${point(text)}` : "",
  ];
  while (fields.at(-1) === "") fields.pop();
  // 1 is what an absent number means.
  return fields.length === 1 && code === 1 ? `\x1b[${final}` : `\x1b[${fields.join(";")}${final}`;
}

/** Enter, Tab and Backspace stay bytes, so that `reset` can be typed after a program died with the protocol on. */
function survivor(press: KeyPress): string | undefined {
  if (press.key !== "named" || press.named.legacy.form !== "control" || press.named.name === "Escape") return undefined;
  return press.named.legacy.byte;
}

/** What the key types; "" when it types nothing. */
function textOf(press: KeyPress): string {
  if (press.mods & COMMANDING) return "";
  if (press.key === "char") return press.mods & SHIFT ? shifted(press.char) : press.char;
  const { legacy } = press.named;
  return legacy.form === "keypad" && legacy.as.length === 1 ? legacy.as : "";
}

function alternate(press: KeyPress, flags: number): string {
  if (!(flags & ALTERNATES) || !(press.mods & SHIFT) || press.key !== "char") return "";
  const other = shifted(press.char);
  return other === press.char ? "" : `:${point(other)}`;
}

function point(char: string): number {
  return char.codePointAt(0) ?? 0;
}
