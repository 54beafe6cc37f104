// A run's SGR parameters as class names and colours of a span. Pure. Colours on the card's own background come from
// the theme's readable text colours. A run with its own background keeps the pair of colours its program chose.

interface Look {
  readonly classes: readonly string[];
  /** CSS colours. Absent means the card's own. */
  readonly color?: string;
  readonly background?: string;
  readonly decoration?: string;
}

type Color = { readonly palette: number } | { readonly rgb: readonly [number, number, number] };

const FLAGS: ReadonlyMap<string, readonly string[]> = new Map([
  ["1", ["bold"]],
  ["2", ["faint"]],
  ["3", ["italic"]],
  ["4", ["under"]],
  ["4:1", ["under"]],
  ["4:2", ["under", "double"]],
  ["4:3", ["under", "curly"]],
  ["4:4", ["under", "dotted"]],
  ["4:5", ["under", "dashed"]],
  ["9", ["strike"]],
  ["53", ["over"]],
]);
const PLAIN: Look = { classes: [] };
/** Above this a background is light: dark letters are read better on it. */
const LIGHT = 0.3;
const STEPS = [0, 95, 135, 175, 215, 255] as const;
/** Distinct styles that we cache. A program that makes more (a gradient) is not worth it. */
const STYLES_MAX = 2_000;
const known = new Map<string, Look>();

export function lookOf(sgr: string): Look {
  if (sgr === "") return PLAIN;
  const before = known.get(sgr);
  if (before) return before;
  const look = made(sgr.split(";"));
  if (known.size >= STYLES_MAX) known.clear();
  known.set(sgr, look);
  return look;
}

function made(parts: readonly string[]): Look {
  const classes: string[] = [];
  let [fg, bg, under]: (Color | undefined)[] = [undefined, undefined, undefined];
  let inverse = false;
  for (let i = 0; i < parts.length; i += 1) {
    const part = parts[i] ?? "";
    const code = Number(part);
    const flags = FLAGS.get(part);
    if (flags) classes.push(...flags);
    else if (part === "7") inverse = true;
    else if (code === 38 || code === 48) {
      const { color, last } = extended(parts, i);
      if (code === 38) fg = color;
      else bg = color;
      i = last;
    } else if (code >= 30 && code <= 37) fg = { palette: code - 30 };
    else if (code >= 40 && code <= 47) bg = { palette: code - 40 };
    else if (code >= 90 && code <= 97) fg = { palette: code - 82 };
    else if (code >= 100 && code <= 107) bg = { palette: code - 92 };
    else if (part.startsWith("58:")) under = underline(part.split(":"));
  }
  const decoration = under ? { decoration: own(under) } : {};
  return { classes, ...(inverse ? inverted(fg, bg) : pair(fg, bg)), ...decoration };
}

function pair(fg: Color | undefined, bg: Color | undefined): Pick<Look, "color" | "background"> {
  if (!bg) return fg ? { color: ink(fg) } : {};
  return { color: fg ? own(fg) : lettersOn(bg), background: own(bg) };
}

function inverted(fg: Color | undefined, bg: Color | undefined): Pick<Look, "color" | "background"> {
  if (bg) return pair(bg, fg ?? { palette: 15 });
  return { color: "var(--paper)", background: fg ? ink(fg) : "var(--ink)" };
}

/** 38;5;n or 38;2;r;g;b, and where it ends. */
function extended(parts: readonly string[], at: number): { color: Color | undefined; last: number } {
  if (parts[at + 1] === "5") return { color: { palette: byte(parts[at + 2]) }, last: at + 2 };
  if (parts[at + 1] !== "2") return { color: undefined, last: at + 1 };
  return { color: { rgb: [byte(parts[at + 2]), byte(parts[at + 3]), byte(parts[at + 4])] }, last: at + 4 };
}

/** 58:5:n or 58:2::r:g:b. */
function underline(parts: readonly string[]): Color {
  if (parts[1] === "5") return { palette: byte(parts[2]) };
  return { rgb: [byte(parts.at(-3)), byte(parts.at(-2)), byte(parts.at(-1))] };
}

/** Readable on the card, in both themes. */
function ink(color: Color): string {
  if ("palette" in color && color.palette < 16) return `var(--ink-${color.palette})`;
  const [r, g, b] = rgbOf(color);
  return `oklch(from rgb(${r} ${g} ${b}) clamp(var(--ink-min), l, var(--ink-max)) c h)`;
}

/** As the program meant it. */
function own(color: Color): string {
  if ("palette" in color && color.palette < 16) return `var(--ansi-${color.palette})`;
  return `rgb(${rgbOf(color).join(" ")})`;
}

/** A theme of the person's may have other colours, and then it says which letters are read on them. */
function lettersOn(bg: Color): string {
  const letters = isLight(bg) ? "#0a0d10" : "#ffffff";
  return "palette" in bg && bg.palette < 16 ? `var(--on-ansi-${bg.palette}, ${letters})` : letters;
}

function isLight(color: Color): boolean {
  // In our palette only the two blacks of the sixteen are dark.
  if ("palette" in color && color.palette < 16) return color.palette !== 0 && color.palette !== 8;
  const [r = 0, g = 0, b = 0] = rgbOf(color).map((part) => (part / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > LIGHT;
}

/** The cube and the greys of the 256 are the same everywhere. */
function rgbOf(color: Color): readonly [number, number, number] {
  if ("rgb" in color) return color.rgb;
  const n = color.palette - 16;
  if (n >= 216) {
    const grey = 8 + (n - 216) * 10;
    return [grey, grey, grey];
  }
  const step = (index: number) => STEPS[index % 6] ?? 0;
  return [step(Math.floor(n / 36)), step(Math.floor(n / 6)), step(n)];
}

function byte(text: string | undefined): number {
  const value = Number(text);
  return Number.isInteger(value) && value >= 0 && value <= 255 ? value : 0;
}
