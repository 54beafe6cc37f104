// Keys that some browser keeps from pages, each with another that every browser leaves to them. Firefox opens a private window
// at Ctrl+Shift+P, and on Linux its list of emoji at Ctrl+. in a text field, whatever the page says. The first is the
// one to show here.
import { type Key, keyName } from "./keys.ts";

const isFirefox = navigator.userAgent.includes("Firefox/");

const keysOf = (usual: Key, inFirefox: Key): readonly [Key, Key] =>
  isFirefox ? [inFirefox, usual] : [usual, inFirefox];

export const PALETTE_KEYS = keysOf({ code: "KeyP", ctrl: true, shift: true }, { code: "KeyP", alt: true, shift: true });
export const TAKE_KEYS = keysOf({ code: "Period", ctrl: true }, { code: "Period", ctrl: true, shift: true });
export const TAKE_KEY = keyName(TAKE_KEYS[0]);
