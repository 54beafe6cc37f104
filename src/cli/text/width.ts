// How many columns text takes on a person's terminal, and text that is safe to put there. Pure.
// The same table as the core's cell widths, which the CLI may not load; a test holds them together.

const ZERO =
  /^[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\u2028\u2029\u1160-\u11ff\ud7b0-\ud7fb\u{16d63}\u{16d67}-\u{16d6a}]$/u;
const WIDE =
  /^[\p{Emoji_Presentation}\u1100-\u115e\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e3a\u2e3b\u2e80-\u303e\u3041-\u3247\u3250-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18df2}\u{1aff0}-\u{1b2fb}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]$/u;
const FIRST_OTHER = 0x300;

export function charWidth(char: string): 0 | 1 | 2 {
  if ((char.codePointAt(0) ?? 0) < FIRST_OTHER) return 1;
  if (ZERO.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
}

export function textWidth(text: string): number {
  let width = 0;
  for (const char of text) width += charWidth(char);
  return width;
}

/** Terminals differ over these: symbols and emoji, private use, whatever joins or is wide. */
export function isContested(char: string): boolean {
  const point = char.codePointAt(0) ?? 0;
  if (point < FIRST_OTHER) return false;
  if (charWidth(char) !== 1 || point >= 0x1f000) return true;
  return (point >= 0x2600 && point <= 0x27bf) || (point >= 0xe000 && point <= 0xf8ff);
}

const ELLIPSIS = "…";

/** At most so many columns; what was left out is marked. */
export function cut(text: string, cols: number): string {
  if (textWidth(text) <= cols) return text;
  let [kept, width] = ["", 0];
  for (const char of text) {
    width += charWidth(char);
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
    const wide = charWidth(char);
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
