// Which escape sequences of a program may reach a person's own terminal: those that draw, and modes that come back by themselves.
// Whatever asks, copies, prints, sends pictures or moves the window is left out, and so is all that is not listed. Pure.
import { blanked } from "../../core/base/invisible.ts";

/** Window titles of more letters are cut by every terminal. */
const TITLE_CHARS_MAX = 256;
/** Longer addresses open nowhere. */
const LINK_CHARS_MAX = 2_048;
/** A larger count changes no screen, and some terminals work on it for hours. */
const COUNT_MAX = 65_535;

/** Final letters by the mark at the beginning of the parameters. */
const DRAWING: Readonly<Record<string, string>> = {
  "": "@ABCDEFGHIJKLMPSTXZ`abdefgmrsu",
  "?": "JKWrs",
  ">": "mnu",
  "<": "u",
  "=": "u",
};
/** With a character before the final letter: cursor form, soft reset, protection, rectangles, columns. */
const DRAWING_WITH = new Set([" q", "!p", '"q', "$r", "$t", "$v", "$x", "$z", "${", "'}", "'~", "*x"]);
const ANSI_MODES = new Set([4, 20]);
/** Screen, cursor, mouse, focus, paste, frames. Not: columns of the window. */
const PRIVATE_MODES = new Set([
  1, 5, 6, 7, 9, 12, 25, 45, 47, 66, 69, 1000, 1002, 1003, 1004, 1005, 1006, 1007, 1015, 1016, 1047, 1048, 1049, 2004,
  2026, 2027,
]);
/** Reports of the window's colours and size: they may be switched off. */
const REPORTS = new Set([2031, 2048]);
/** Save, restore, keypad, lines, tabs, protection, reset, single and locking shifts. */
const ESCAPES = /^(?:[78=>DEHMNOVWcno|}~]|[()*+\-./][\x30-\x7e]|#[34568])$/;
/** Sets or resets colours: palette, text, background, cursor, selection. */
const COLOURS = new Set(["4", "10", "11", "12", "17", "19", "104", "110", "111", "112", "117", "119"]);

/** What passes of `ESC [ PARAMETERS INTERMEDIATE FINAL`; empty: nothing. */
export function passableCsi(text: string): string {
  const [, mark = "", parameters = "", between = "", final = ""] =
    /^([<=>?]?)([\d;:]*)([\x20-\x2f]*)([\x40-\x7e])$/.exec(text) ?? [];
  if (final === "") return "";
  const counts = parameters.replace(/\d{5,}/g, (count) => String(Math.min(Number(count), COUNT_MAX)));
  if (between !== "") return mark === "" && DRAWING_WITH.has(between + final) ? `\x1b[${counts}${between}${final}` : "";
  if (final === "h" || final === "l") return passableModes(mark, counts, final);
  return DRAWING[mark]?.includes(final) ? `\x1b[${mark}${counts}${final}` : "";
}

function passableModes(mark: string, parameters: string, final: string): string {
  const known = mark === "" ? ANSI_MODES : mark === "?" ? PRIVATE_MODES : undefined;
  const isPassed = (mode: number) => known?.has(mode) || (final === "l" && REPORTS.has(mode));
  const modes = parameters.split(";").filter((mode) => isPassed(Number(mode)));
  return modes.length === 0 ? "" : `\x1b[${mark}${modes.join(";")}${final}`;
}

/** What passes of `ESC ] TEXT`. */
export function passableOsc(text: string): string {
  const at = text.indexOf(";");
  const [kind, rest] = at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
  if (kind === "0" || kind === "1" || kind === "2") {
    const title = blanked(rest, { controls: "blank" }).slice(0, TITLE_CHARS_MAX);
    return `\x1b]${kind};${title}\x1b\\`;
  }
  if (kind === "8") return /^(?:id=[\w.:-]*)?;(?:https?:\/\/[\x21-\x7e]+)?$/.test(rest) ? linkOf(rest) : linkOf(";");
  return COLOURS.has(kind) && /^[\w;#:/.]*$/.test(rest) ? `\x1b]${text}\x1b\\` : "";
}

/** A link that does not pass ends the one before. */
function linkOf(rest: string): string {
  return `\x1b]8;${rest.length > LINK_CHARS_MAX ? ";" : rest}\x1b\\`;
}

/** What passes of `ESC TEXT`. */
export function passableEscape(text: string): string {
  return ESCAPES.test(text) ? `\x1b${text}` : "";
}
