// Text that stands on a screen and that nobody sees: it is concealed, or written in the colour that it stands on. Pure.
import { paletteRgb } from "./palette.ts";

/** A number of the palette, or red, green and blue with RGB set. Undefined: the terminal's own. */
export type Colour = number | undefined;
export const RGB = 1 << 24;

interface Look {
  readonly concealed: boolean;
  readonly bold: boolean;
  readonly text: Colour;
  readonly back: Colour;
}

/** The background of our own terminal, which programs may know. */
const OWN_BACK = 0x0a0d10;
/** Nobody tells colours apart whose parts differ by so little. */
const NEAR = 3;
/** Blanks and blocks in one colour are pictures. */
const READABLE = /[\p{L}\p{N}]/u;

export function isUnseen({ concealed, bold, text, back }: Look): boolean {
  if (concealed) return true;
  if (text === undefined) return false;
  // Bold text in one of the eight dark colours is drawn in the bright one.
  const drawn = bold && text < 8 ? text + 8 : text;
  if (back === undefined) return drawn >= 16 && isNear(rgbOf(drawn), OWN_BACK);
  // What the first sixteen look like is a matter of the theme.
  return drawn === back || (!(drawn < 16 && back < 16) && isNear(rgbOf(drawn), rgbOf(back)));
}

/** Whether somebody who reads it would read more than is seen. */
export function isUnseenText(text: string, sgr: string): boolean {
  if (sgr === "") return false;
  const look = lookOf(sgr);
  return isUnseen(look) && (look.concealed || READABLE.test(text));
}

function rgbOf(colour: number): number {
  return colour >= RGB ? colour - RGB : paletteRgb(colour);
}

function isNear(a: number, b: number): boolean {
  return [16, 8, 0].every((shift) => Math.abs(((a >> shift) & 255) - ((b >> shift) & 255)) <= NEAR);
}

function lookOf(sgr: string): Look {
  const parts = sgr.split(";");
  let [concealed, bold] = [false, false];
  let [text, back]: Colour[] = [];
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? "";
    const code = Number(part);
    if (part === "8") concealed = true;
    else if (part === "1") bold = true;
    // 38;5;8 is a colour: what follows 38 and 48 belongs to it.
    else if (code === 38 || code === 48) {
      const isRgb = parts[i + 1] === "2";
      const colour = isRgb ? RGB + rgbIn(parts, i + 2) : Number(parts[i + 2]);
      if (code === 38) text = colour;
      else back = colour;
      i += isRgb ? 4 : 2;
    } else if (isBetween(code, 30)) text = code - 30;
    else if (isBetween(code, 90)) text = code - 82;
    else if (isBetween(code, 40)) back = code - 40;
    else if (isBetween(code, 100)) back = code - 92;
  }
  return { concealed, bold, text, back };
}

function rgbIn(parts: readonly string[], at: number): number {
  return (Number(parts[at]) << 16) | (Number(parts[at + 1]) << 8) | Number(parts[at + 2]);
}

function isBetween(code: number, first: number): boolean {
  return code >= first && code < first + 8;
}
