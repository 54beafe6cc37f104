// A whole screen as text that draws it over another one: for a terminal that is behind the program's bytes, until a repaint
// follows. It leaves the lines above alone, and has only the modes that decide what keys and the mouse send. Pure.

import { MOUSE_OFF, MOUSE_ON } from "../../protocol/plain/mouse-modes.ts";
import type { Paint } from "../../protocol/stream.ts";
import type { DeepReadonly } from "../base/deep-readonly.ts";

type Drawn = DeepReadonly<Pick<Paint, "cursor" | "alt_screen" | "modes">> & { readonly rows: readonly string[] };

// CAN ends any sequence that the terminal was in. Rows are placed and cut, whatever margins and wrapping were set.
const PLAIN = "\x18\x1b[?2026h\x1b[?25l\x1b[r\x1b[?69l\x1b[?6l\x1b[?7l\x1b[4l\x0f\x1b(B\x1b[m";
const MOUSE_FORMAT: Readonly<Record<Paint["modes"]["mouse_format"], string>> = {
  x10: "",
  utf8: "\x1b[?1005h",
  sgr: "\x1b[?1006h",
  urxvt: "\x1b[?1015h",
  sgr_pixels: "\x1b[?1016h",
};

export function screenAnsi({ rows, cursor, alt_screen, modes }: Drawn): string {
  const drawn = rows.map((ansi, row) => `\x1b[${row + 1};1H\x1b[2K${ansi}`).join("");
  const place = `\x1b[${cursor.row + 1};${cursor.col + 1}H${cursor.visible ? "\x1b[?25h" : ""}`;
  return `${PLAIN}${dec(1049, alt_screen)}${modesAnsi(modes)}${drawn}${place}\x1b[?2026l`;
}

function modesAnsi(modes: Drawn["modes"]): string {
  const keys = dec(1, modes.application_cursor) + (modes.application_keypad ? "\x1b=" : "\x1b>");
  const mouse = `${MOUSE_OFF}\x1b[?1005;1015;1016l${MOUSE_ON[modes.mouse]}${MOUSE_FORMAT[modes.mouse_format]}`;
  const reports = dec(1004, modes.focus ?? false) + dec(2004, modes.bracketed_paste);
  return `${keys}${mouse}${reports}\x1b[=${modes.kitty_keyboard}u`;
}

function dec(mode: number, isSet: boolean): string {
  return `\x1b[?${mode}${isSet ? "h" : "l"}`;
}
