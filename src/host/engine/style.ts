// A style of the snapshot as the SGR parameters that make it. Pure. Owns: the 16-byte wire form of a style.

export interface Style {
  /** Parameters after a reset: "1;31", or "" for the default style. */
  readonly sgr: string;
  /** Has a background. Rows that scroll in and erased cells take its colour. */
  readonly back: boolean;
}

export const plainStyle: Style = { sgr: "", back: false };

const flagSgr = ["1", "3", "2", "5", "7", "8", "9", "53"];
const underlineSgr = ["", "4", "4:2", "4:3", "4:4", "4:5"];
const color = { none: 0, palette: 1, rgb: 2 };

export function readStyle(from: Buffer, at: number): Style {
  const flags = from.readUInt16LE(at + 12);
  const parts = flagSgr.filter((_, bit) => ((flags >> bit) & 1) === 1);
  const underline = underlineSgr[(flags >> 8) & 7] ?? "";
  if (underline !== "") parts.push(underline);
  const back = from[at + 4] !== color.none;
  parts.push(...colorSgr(from, at, 30), ...colorSgr(from, at + 4, 40), ...underlineColorSgr(from, at + 8));
  return { sgr: parts.join(";"), back };
}

/** A blank cell that only has a background, as erasing with a colour leaves it. */
export function paletteFill(index: number): Style {
  return { sgr: paletteSgr(index, 40), back: true };
}

export function rgbFill(red: number, green: number, blue: number): Style {
  return { sgr: `48;2;${red};${green};${blue}`, back: true };
}

function colorSgr(from: Buffer, at: number, base: 30 | 40): string[] {
  if (from[at] === color.palette) return [paletteSgr(from[at + 1] ?? 0, base)];
  if (from[at] === color.rgb) return [`${base + 8};2;${from[at + 1]};${from[at + 2]};${from[at + 3]}`];
  return [];
}

function underlineColorSgr(from: Buffer, at: number): string[] {
  if (from[at] === color.palette) return [`58:5:${from[at + 1]}`];
  if (from[at] === color.rgb) return [`58:2::${from[at + 1]}:${from[at + 2]}:${from[at + 3]}`];
  return [];
}

function paletteSgr(index: number, base: 30 | 40): string {
  if (index < 8) return `${base + index}`;
  return index < 16 ? `${base + 60 + index - 8}` : `${base + 8};5;${index}`;
}
