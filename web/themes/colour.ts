// Colours as numbers: how much one stands out on another, and what is between two. Pure.

/** #rrggbb, in small letters. */
export type Hex = `#${string}`;
type Rgb = readonly [number, number, number];

export const [BLACK, WHITE]: readonly [Hex, Hex] = ["#000000", "#ffffff"];
/** What WCAG asks of text. */
export const READABLE = 4.5;
/** Colours are rounded, and a browser's are rounded otherwise. */
const SPARE = 0.05;
const STEPS = 32;

export function isHex(value: unknown): value is Hex {
  return typeof value === "string" && /^#[0-9a-f]{6}$/.test(value);
}

/** The parts are from 0 to 255. */
export function hexOf(parts: Rgb): Hex {
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

function rgbOf(hex: Hex): Rgb {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

/** Relative luminance, as WCAG has it. */
export function luminance(hex: Hex): number {
  const [r = 0, g = 0, b = 0] = rgbOf(hex).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(a: Hex, b: Hex): number {
  const [one, other] = [luminance(a) + 0.05, luminance(b) + 0.05];
  return one > other ? one / other : other / one;
}

/** `share` of the second colour in the first. */
export function mix(one: Hex, other: Hex, share: number): Hex {
  const [[r, g, b], [R, G, B]] = [rgbOf(one), rgbOf(other)];
  const part = (from: number, to: number) => from + (to - from) * share;
  return hexOf([part(r, R), part(g, G), part(b, B)]);
}

/** How far the strongest and the weakest part are apart: greys have 0. */
export function vividness(hex: Hex): number {
  return Math.max(...rgbOf(hex)) - Math.min(...rgbOf(hex));
}

export function isReadable(letters: Hex, grounds: readonly Hex[]): boolean {
  return grounds.every((ground) => contrast(letters, ground) >= READABLE);
}

/** The colour, moved towards another until it can be read on all grounds. At the worst it is the other one. */
export function readable(
  letters: Hex,
  grounds: readonly Hex[],
  towards: Hex,
): { readonly colour: Hex; readonly steps: number } {
  for (let step = 0; step < STEPS; step += 1) {
    const colour = mix(letters, towards, step / STEPS);
    if (grounds.every((ground) => contrast(colour, ground) >= READABLE + SPARE)) return { colour, steps: step };
  }
  return { colour: towards, steps: STEPS };
}

/** Letters on a ground of this colour. */
export function lettersOn(ground: Hex): Hex {
  return contrast(BLACK, ground) >= contrast(WHITE, ground) ? BLACK : WHITE;
}
