// A theme as a file that others read: a scheme of Windows Terminal. Pure.
import { WINDOWS_ANSI } from "./read.ts";
import type { Theme } from "./theme.ts";

export function themeFile({ name, bg, fg, cursor, selection, ansi }: Theme): {
  readonly name: string;
  readonly text: string;
} {
  const sixteen = Object.fromEntries(WINDOWS_ANSI.map((key, n) => [key, ansi[n]]));
  const scheme = {
    name,
    background: bg,
    foreground: fg,
    cursorColor: cursor,
    selectionBackground: selection,
    ...sixteen,
  };
  const file = name.replace(/[^\p{L}\p{N} ._-]+/gu, "-").replace(/^[. -]+/, "") || "theme";
  return { name: `${file}.json`, text: `${JSON.stringify(scheme, null, 2)}\n` };
}
