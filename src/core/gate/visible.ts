// Text as a person must see it before they agree to it: nothing invisible, nothing that pretends.

const NAMES: Readonly<Record<number, string>> = { 9: "⇥", 10: "⏎\n", 13: "⏎", 27: "␛", 127: "␡" };

export function visible(text: string): string {
  let shown = "";
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0;
    if (NAMES[point] !== undefined) shown += NAMES[point];
    else if (point < 0x20) shown += String.fromCodePoint(0x2400 + point);
    else if (isHidden(point)) shown += `⟨U+${point.toString(16).toUpperCase().padStart(4, "0")}⟩`;
    else shown += char;
  }
  return shown;
}

/** C1, no-break and zero-width spaces, direction marks, variation selectors, tags, the byte order mark. */
function isHidden(point: number): boolean {
  if (point >= 0x80 && point <= 0xa0) return true;
  if (point === 0xad || point === 0x34f || point === 0x61c || point === 0x3164 || point === 0xfeff) return true;
  if ((point >= 0x200b && point <= 0x200f) || (point >= 0x2028 && point <= 0x202f)) return true;
  if ((point >= 0x2060 && point <= 0x206f) || (point >= 0xfe00 && point <= 0xfe0f)) return true;
  return point >= 0xe0000 && point <= 0xe0fff;
}
