// Reads theme files of other terminals: iTerm2, Windows Terminal, base16. They come from strangers: a file is read in one pass, and
// nothing in it is followed, included or run. Pure.
import { type Hex, hexOf, isHex } from "./colour.ts";
import { ANSI_COUNT, type Theme, themeOf } from "./theme.ts";

/** The largest that people publish, a whole settings.json of Windows Terminal, has less. */
export const FILE_BYTES_MAX = 256 * 1024;
/** One file may bring so many; a list of all that exist is of no use in a menu. */
const THEMES_MAX = 20;

type Read = { readonly themes: readonly Theme[] } | { readonly why: string };

export function readThemes(fileName: string, text: string): Read {
  if (text.length > FILE_BYTES_MAX) return { why: "it is too large for a theme" };
  const start = text.trimStart();
  const title = fileName.replace(/\.[^.]*$/, "");
  if (start.startsWith("<"))
    return read(iterm(text, title), "an iTerm2 file needs Ansi 0 to 15, Background and Foreground Color");
  if (start.startsWith("{") || start.startsWith("[")) return json(text, title);
  return read(base16(text, title), "it is no iTerm2, Windows Terminal or base16 theme");
}

function read(theme: Theme | undefined, why: string): Read {
  return theme ? { themes: [theme] } : { why };
}

/** A property list: a key, and after it a dictionary of its parts. */
function iterm(text: string, title: string): Theme | undefined {
  const colours = new Map<string, Hex>();
  let [name, part] = ["", ""];
  let parts: Record<string, number> = {};
  for (const [, key, number, end] of text.matchAll(/<key>([^<]{0,80})<\/key>|<real>([^<]{0,40})<\/real>|(<\/dict>)/g)) {
    if (key?.endsWith(" Component")) part = key.slice(0, -" Component".length);
    else if (key?.includes(" Color") && !key.startsWith("Color ")) [name, parts] = [key, {}];
    else if (number !== undefined) parts[part] = Number(number);
    else if (end) {
      const colour = [parts.Red, parts.Green, parts.Blue].map(byteOf);
      const [r, g, b] = colour;
      if (r !== undefined && g !== undefined && b !== undefined) colours.set(name, hexOf([r, g, b]));
      parts = {};
    }
  }
  // Newer files have colours for dark and light besides, or only these.
  const of = (key: string) => colours.get(key) ?? colours.get(`${key} (Dark)`);
  const ansi = Array.from({ length: ANSI_COUNT }, (_, n) => of(`Ansi ${n} Color`));
  const [bg, fg] = [of("Background Color"), of("Foreground Color")];
  return themeOf({ name: title, bg, fg, cursor: of("Cursor Color"), selection: of("Selection Color"), ansi }, title);
}

function byteOf(share: number | undefined): number | undefined {
  return share !== undefined && Number.isFinite(share) ? Math.min(1, Math.max(0, share)) * 255 : undefined;
}

const COLOURS = ["black", "red", "green", "yellow", "blue", "purple", "cyan", "white"] as const;
export const WINDOWS_ANSI = [...COLOURS, ...COLOURS.map((name) => `bright${name[0]?.toUpperCase()}${name.slice(1)}`)];

/** A scheme, a list of them, or settings with such a list. */
function json(text: string, title: string): Read {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { why: "it is not JSON (comments must go)" };
  }
  const list = Array.isArray(value) ? value : (fieldsOf(value).schemes ?? [value]);
  const themes = (Array.isArray(list) ? list : [])
    .slice(0, THEMES_MAX)
    .flatMap((one) => scheme(fieldsOf(one), title) ?? []);
  return themes.length > 0 ? { themes } : { why: "no scheme in it has a background, a foreground and sixteen colours" };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function scheme(fields: Readonly<Record<string, unknown>>, title: string): Theme | undefined {
  const of = (key: string) => hexIn(fields[key]);
  const name = typeof fields.name === "string" ? fields.name : undefined;
  const [bg, fg, cursor] = [of("background"), of("foreground"), of("cursorColor")];
  return themeOf({ name, bg, fg, cursor, selection: of("selectionBackground"), ansi: WINDOWS_ANSI.map(of) }, title);
}

/** #rgb, #rrggbb, #rrggbbaa. */
function hexIn(value: unknown): Hex | undefined {
  if (typeof value !== "string") return undefined;
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(value)?.[1]?.toLowerCase() ?? "";
  const hex = `#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits.slice(0, 6)}`;
  return isHex(hex) ? hex : undefined;
}

/** Which of its colours the sixteen are; base24 has six more, for the bright ones. */
const BASE16 = ["00", "08", "0b", "0a", "0d", "0e", "0c", "05", "03", "08", "0b", "0a", "0d", "0e", "0c", "07"];
const BASE24: Readonly<Record<number, string>> = { 9: "12", 10: "14", 11: "13", 12: "16", 13: "17", 14: "15" };

/** Not all of YAML: lines with a name and a value, as all of these files have them. */
function base16(text: string, title: string): Theme | undefined {
  const fields = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, key = "", value = ""] = /^\s*(name|scheme|base[01][0-9a-f]):(.*)$/i.exec(line.slice(0, 200)) ?? [];
    if (key !== "" && !fields.has(key.toLowerCase())) fields.set(key.toLowerCase(), plainValue(value));
  }
  const of = (digits: string) => hexIn(fields.get(`base${digits}`));
  const ansi = BASE16.map((digits, n) => of(BASE24[n] ?? digits) ?? of(digits));
  const name = fields.get("name") ?? fields.get("scheme");
  return themeOf({ name, bg: of("00"), fg: of("05"), selection: of("02"), ansi }, title);
}

/** Without quotes, and without a remark after it. */
function plainValue(text: string): string {
  const value = text.trim();
  const quote = value[0];
  if (quote === '"' || quote === "'") return value.slice(1, Math.max(1, value.indexOf(quote, 1)));
  return value.split(" #")[0]?.trim() ?? "";
}
