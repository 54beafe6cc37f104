// How many columns text takes on a person's terminal, and text that is safe to put there. Pure.
import { cellWidth } from "../../core/base/cell-width.ts";

export function textWidth(text: string): number {
  let width = 0;
  for (const char of text) width += cellWidth(char);
  return width;
}

/** Below this, terminals agree. */
const FIRST_CONTESTED = 0x300;

/** Terminals differ over these: symbols and emoji, private use, whatever joins or is wide. */
export function isContested(char: string): boolean {
  const point = char.codePointAt(0) ?? 0;
  if (point < FIRST_CONTESTED) return false;
  if (cellWidth(char) !== 1 || point >= 0x1f000) return true;
  return (point >= 0x2600 && point <= 0x27bf) || (point >= 0xe000 && point <= 0xf8ff);
}

const ELLIPSIS = "…";

/** At most so many columns; what was left out is marked. */
export function cut(text: string, cols: number): string {
  if (textWidth(text) <= cols) return text;
  let [kept, width] = ["", 0];
  for (const char of text) {
    width += cellWidth(char);
    if (width > cols - 1) break;
    kept += char;
  }
  return cols > 0 ? kept + ELLIPSIS : "";
}

/** Rows of at most so many columns, all of the text. */
export function wrapped(text: string, cols: number): string[] {
  const rows = [""];
  let width = 0;
  for (const char of text) {
    const wide = cellWidth(char);
    if (width + wide > cols) {
      rows.push("");
      width = 0;
    }
    rows.push((rows.pop() ?? "") + char);
    width += wide;
  }
  return rows;
}

/** Nothing that acts on a terminal, and nothing that a person would not see. Line ends are shown as such. */
export function visible(text: string): string {
  return text
    .replace(/⏎?\n/gu, "⏎")
    .replace(/[\x00-\x1f]/gu, (char) => String.fromCharCode(0x2400 + char.charCodeAt(0)))
    .replace(/\x7f/gu, "␡")
    .replace(/[\x80-\xa0\u00ad]|\p{Default_Ignorable_Code_Point}|[\u2028\u2029\ufff9-\ufffb]/gu, named);
}

function named(char: string): string {
  const hex = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `⟨U+${hex}⟩`;
}
