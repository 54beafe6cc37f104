// How many cells a character takes, and so the column of each part of a row's text. Pure.
// Right for engines without grapheme clustering (mode 2027), which is how a terminal starts: there a family emoji is
// as wide as its members. Checked in tests against every character of the engine.

/** Combining marks and what Unicode says to show nothing for, with Hangul and Kirat Rai parts that join the one before. */
const ZERO =
  /^[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\u2028\u2029\u1160-\u11ff\ud7b0-\ud7c6\ud7cb-\ud7fb\u{16d63}\u{16d67}-\u{16d6a}]$/u;
/** East Asian wide and fullwidth; the gaps are not assigned. */
const WIDE =
  /^[\p{Emoji_Presentation}\u1100-\u115e\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e3a\u2e3b\u2e80-\u2e99\u2e9b-\u2ef3\u2f00-\u2fd5\u2ff0-\u303e\u3041-\u3096\u3099-\u30ff\u3105-\u312f\u3131-\u318e\u3190-\u31e5\u31ef-\u321e\u3220-\u3247\u3250-\ua48c\ua490-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe52\ufe54-\ufe66\ufe68-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{16fe4}\u{16ff0}-\u{16ff6}\u{17000}-\u{18cd5}\u{18cff}-\u{18d1e}\u{18d80}-\u{18df2}\u{1aff0}-\u{1aff3}\u{1aff5}-\u{1affb}\u{1affd}\u{1affe}\u{1b000}-\u{1b122}\u{1b132}\u{1b150}-\u{1b152}\u{1b155}\u{1b164}-\u{1b167}\u{1b170}-\u{1b2fb}\u{1d300}-\u{1d356}\u{1d360}-\u{1d376}\u{1f200}-\u{1f202}\u{1f210}-\u{1f23b}\u{1f240}-\u{1f248}\u{1f250}\u{1f251}\u{1f260}-\u{1f265}\u{20000}-\u{2fffd}\u{30000}-\u{3fffd}]$/u;
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

/** The index (UTF-16 units) in a row's text of the character at a column. */
export function indexAt(row: string, col: number): number {
  let [index, at] = [0, 0];
  for (const char of row) {
    if (at >= col) break;
    at += cellWidth(char);
    index += char.length;
  }
  return index;
}
