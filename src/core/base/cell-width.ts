// How many cells a character takes, and so the column of each part of a row's text. Pure.
// Right for engines without grapheme clustering (mode 2027), which is how a terminal starts: there a family emoji is
// as wide as its members. Checked in tests against every character of the engine.

/** Combining marks and default-ignorable characters, with Hangul and Kirat Rai parts that join the character before. */
const ZERO =
  /^[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\u2028\u2029\u1160-\u11ff\ud7b0-\ud7fb\u{16d63}\u{16d67}-\u{16d6a}]$/u;
/** East Asian wide and fullwidth characters. Unassigned ones between them count too. */
const WIDE =
  /^[\p{Emoji_Presentation}\u1100-\u115e\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e3a\u2e3b\u2e80-\u303e\u3041-\u3247\u3250-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18df2}\u{1aff0}-\u{1b2fb}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]$/u;
/** Below this every character that can be in a cell takes one, including the soft hyphen. */
const FIRST_OTHER = 0x300;

export function cellWidth(char: string): 0 | 1 | 2 {
  if ((char.codePointAt(0) ?? 0) < FIRST_OTHER) return 1;
  if (ZERO.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
}

/** The column of the character at `index` (UTF-16 units) of a row's text. */
export function columnOf(row: string, index: number): number {
  let col = 0;
  for (const char of row.slice(0, index)) col += cellWidth(char);
  return col;
}
