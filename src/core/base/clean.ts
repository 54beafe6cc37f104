// Text as agents, and people on the page, get it: what a person cannot see is not smuggled past them. Zero-width and direction characters, tag
// characters and stray controls are marked by name; joiners stay where scripts and emoji need them. Pure.

/** Letters that join (Arabic, Indic …) and emoji are all above this; between ASCII characters a joiner has no business. */
const ASCII_MAX = 0x7f;
const TAGS = /[\u{e0000}-\u{e007f}]+/gu;
// Combining marks stand here for themselves and combine with nothing.
const SUSPECT =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of these is looked for alone.
  /[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/gu;
/** Nothing suspicious: the usual case, decided without looking at each character twice. */
const PLAIN = /^[\x20-\x7e\u2500-\u259f]*$/;

export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(TAGS, (run) => `⟦${[...run].length} tag characters⟧`)
    .replace(SUSPECT, (char, index: number) => mark(text, char, index));
}

function mark(text: string, char: string, index: number): string {
  const code = char.charCodeAt(0);
  if ((code === 0x200d || code === 0x200c) && joins(text, index)) return char;
  return `⟦U+${code.toString(16).toUpperCase().padStart(4, "0")}⟧`;
}

function joins(text: string, index: number): boolean {
  return (text.charCodeAt(index - 1) || 0) > ASCII_MAX && (text.charCodeAt(index + 1) || 0) > ASCII_MAX;
}

/** Text in one style, with the parameters that make it. */
export interface CleanRun {
  readonly text: string;
  readonly sgr: string;
}

export function runText({ text, sgr }: CleanRun): string {
  return isConcealed(sgr) ? concealedMark(text) : cleanText(text);
}

export function lineText(line: readonly CleanRun[]): string {
  return line.map(runText).join("").trimEnd();
}

/** Concealed text (SGR 8) is on nobody's screen; its length is all that is told. */
function concealedMark(text: string): string {
  const length = [...text.trimEnd()].length;
  return length === 0 ? text : `⟦${length} concealed⟧`;
}

function isConcealed(sgr: string): boolean {
  const parts = sgr.split(";");
  for (let i = 0; i < parts.length; i++) {
    // 38;5;8 is a colour: what follows 38 and 48 belongs to it.
    if (parts[i] === "38" || parts[i] === "48") i += parts[i + 1] === "2" ? 4 : 2;
    else if (parts[i] === "8") return true;
  }
  return false;
}
