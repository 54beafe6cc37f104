// Text as the cells a terminal puts it in: one or two columns each, combining marks with the letter before them. Pure.
// The widths are the daemon's engine's (a test holds both against each other), so that tables stand in columns.

export interface Cell {
  readonly text: string;
  readonly columns: 1 | 2;
}

/** Fonts for code have these, one column wide. */
export const PLAIN_CELLS =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0377\u037a-\u037f\u0384-\u0482\u048a-\u052f\u2500-\u259f]*$/;

const ZERO =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of these is looked for alone.
  /^[\p{M}\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fe00}-\u{fe0f}\u{1160}-\u{11ff}\u{d7b0}-\u{d7ff}\u{e0000}-\u{e0fff}]$/u;
const WIDE =
  /^[\p{Emoji_Presentation}\u{1100}-\u{115f}\u{2329}\u{232a}\u{2630}-\u{2637}\u{268a}-\u{268f}\u{2e80}-\u{2e99}\u{2e9b}-\u{303e}\u{3041}-\u{3096}\u{309b}-\u{33ff}\u{3400}-\u{4dbf}\u{4dc0}-\u{4dff}\u{4e00}-\u{9fff}\u{a000}-\u{a4cf}\u{a960}-\u{a97c}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe10}-\u{fe19}\u{fe30}-\u{fe6b}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}\u{16fe0}-\u{18cff}\u{18d00}-\u{18df2}\u{1aff0}-\u{1b2fb}\u{1d300}-\u{1d376}\u{1f200}-\u{1f202}\u{1f210}-\u{1f23b}\u{1f240}-\u{1f248}\u{1f250}\u{1f251}\u{1f260}-\u{1f265}\u{1f1e6}-\u{1f1ff}\u{20000}-\u{2fffd}\u{30000}-\u{3fffd}]$/u;

export function cellsOf(text: string): Cell[] {
  const cells: { text: string; columns: 1 | 2 }[] = [];
  for (const char of text) {
    const last = cells.at(-1);
    if (last && ZERO.test(char)) last.text += char;
    else cells.push({ text: char, columns: WIDE.test(char) ? 2 : 1 });
  }
  return cells;
}
