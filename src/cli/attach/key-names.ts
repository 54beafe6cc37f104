// Keys that may be duetty's own, by name, in every form in which terminals send them. Pure.

const LEGACY: Readonly<Record<string, string>> = {
  "\x14": "ctrl+t",
  "\x1d": "ctrl+]",
  "\x19": "ctrl+y",
  "\x1c": "ctrl+\\",
  "\x1e": "ctrl+^",
  "\x03": "ctrl+c",
  "\r": "enter",
};
/** Kitty's form, with alternate keys, event and text; and xterm's for other keys. */
const KITTY = /^\x1b\[(\d+)(?::\d*)*(?:;(\d*)(?::(\d))?(?:;[\d:]*)?)?u$/;
const OTHER = /^\x1b\[27;(\d+);(\d+)~$/;
/** Modifier keys alone, which a program may ask for (57441 to 57454). */
export const MODIFIERS = /^\x1b\[574(?:4[1-9]|5[0-4])[;:u]/;
const NAMED: Readonly<Record<number, string>> = { 13: "enter", 27: "escape" };
/** Caps lock and num lock change no meaning. */
const LOCKS = 64 | 128;
const CTRL = 4;

export function nameOf(token: string): { name: string; event: "press" | "release" } {
  const legacy = LEGACY[token];
  if (legacy !== undefined) return { name: legacy, event: "press" };
  const kitty = KITTY.exec(token);
  const other = kitty ? null : OTHER.exec(token);
  if (!kitty && !other) return { name: token, event: /^\x1b\[[\d;:]*:3[~A-Z]$/.test(token) ? "release" : "press" };
  const code = Number(kitty?.[1] ?? other?.[2]);
  const mods = (Number(kitty?.[2] || other?.[1] || 1) - 1) & ~LOCKS;
  const key = NAMED[code] ?? String.fromCodePoint(Math.min(code, 0x10ffff));
  const name = mods === 0 ? key : mods === CTRL ? `ctrl+${key}` : token;
  return { name, event: kitty?.[3] === "3" ? "release" : "press" };
}
