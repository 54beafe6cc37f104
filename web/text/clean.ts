// Output text as it is read: what nobody can see is marked by name instead of being smuggled past a person. Pure. The same
// marks as the daemon makes in plain text (a test holds both against each other), because runs come as they were printed.

/** Between ASCII characters a joiner has no business; scripts and emoji that need one are all above this. */
const ASCII_MAX = 0x7f;
const TAGS = /[\u{e0000}-\u{e007f}]+/gu;
// Combining marks stand here for themselves and combine with nothing.
const SUSPECT =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of these is looked for alone.
  /[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/gu;
const PLAIN = /^[\x20-\x7e\u2500-\u259f]*$/;

export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(TAGS, (run) => `⟦${[...run].length} tag characters⟧`)
    .replace(SUSPECT, (char, index: number) => named(text, char, index));
}

/** Concealed text is on nobody's screen; its length is all that is told. */
export function concealedText(text: string): string {
  const length = [...text.trimEnd()].length;
  return length === 0 ? text : `⟦${length} concealed⟧`;
}

function named(text: string, char: string, index: number): string {
  const code = char.charCodeAt(0);
  if ((code === 0x200d || code === 0x200c) && joins(text, index)) return char;
  return `⟦U+${code.toString(16).toUpperCase().padStart(4, "0")}⟧`;
}

function joins(text: string, index: number): boolean {
  return (text.charCodeAt(index - 1) || 0) > ASCII_MAX && (text.charCodeAt(index + 1) || 0) > ASCII_MAX;
}
