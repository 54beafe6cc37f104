// A terminal's colours under a name, as somebody published them. Pure.
import { clipped } from "../../src/core/base/head-tail.ts";
import { marked, STRICT } from "../../src/core/base/invisible.ts";
import { type Hex, isHex, mix } from "./colour.ts";

export interface Theme {
  readonly name: string;
  readonly bg: Hex;
  readonly fg: Hex;
  readonly cursor: Hex;
  readonly selection: Hex;
  /** The sixteen: black, red, green, yellow, blue, magenta, cyan, white, and the same bright. */
  readonly ansi: readonly Hex[];
}

/** A list with more is not read. */
const NAME_CHARS_MAX = 40;
export const ANSI_COUNT = 16;

/** What a file says; some files leave out the cursor or the selection. */
interface Found {
  readonly name: string | undefined;
  readonly bg: Hex | undefined;
  readonly fg: Hex | undefined;
  readonly cursor?: Hex | undefined;
  readonly selection?: Hex | undefined;
  readonly ansi: readonly (Hex | undefined)[];
}

/** Undefined when colours are missing. */
export function themeOf({ name, bg, fg, cursor, selection, ansi }: Found, fallback: string): Theme | undefined {
  const all = ansi.filter(isHex);
  if (!bg || !fg || all.length !== ANSI_COUNT) return undefined;
  const called = cleanName(name ?? "") || cleanName(fallback) || "Theme";
  return { name: called, bg, fg, cursor: cursor ?? fg, selection: selection ?? mix(bg, fg, 0.3), ansi: all };
}

/** One line in which everything is what it looks like. */
function cleanName(name: string): string {
  return clipped(marked(name.slice(0, 4 * NAME_CHARS_MAX).trim(), STRICT), NAME_CHARS_MAX);
}

/** What was kept may be another version's, or damaged. */
export function isTheme(value: unknown): value is Theme {
  if (typeof value !== "object" || value === null) return false;
  const { name, bg, fg, cursor, selection, ansi } = value as Partial<Record<keyof Theme, unknown>>;
  const isNamed = typeof name === "string" && name !== "" && name.length <= NAME_CHARS_MAX;
  const isFull = Array.isArray(ansi) && ansi.length === ANSI_COUNT && ansi.every(isHex);
  return isNamed && isFull && [bg, fg, cursor, selection].every(isHex);
}
