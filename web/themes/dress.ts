// What a theme makes of the page: a value for each colour of the style sheets (tokens.css, ink.css). The terminal has the theme's own
// colours. Letters of the page and of cards are moved until they can be read; where that is impossible the page keeps its own. Pure.
import {
  BLACK,
  type Hex,
  isReadable,
  lettersOn,
  luminance,
  mix,
  READABLE,
  readable,
  vividness,
  WHITE,
} from "./colour.ts";
import type { Theme } from "./theme.ts";

/** What appearance.ts puts on, and keeps for the next time. */
export interface Dress {
  readonly name: string;
  readonly base: "light" | "dark";
  /** Custom properties of the root. */
  readonly colours: Readonly<Record<string, string>>;
}

interface Dressed {
  readonly dress: Dress;
  /** Which of its sixteen are drawn in another shade on cards. */
  readonly moved: number;
  /** Whether the page itself and its cards have its colours. */
  readonly page: "dressed" | "kept";
}

const NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
/** Below this a colour is a grey, and tells nothing of who or how. */
const VIVID_MIN = 40;
/** A colour that is moved farther is as good as white or black, and no longer says who or how. */
const STEPS_MAX = 20;
/** Lightness in OKLCH is about the cube root of the luminance. Colours with much of one part are off by so much. */
const INK_SPARE = 0.065;

export function dressOf(theme: Theme): Dressed {
  const base = lettersOn(theme.bg) === WHITE ? "dark" : "light";
  const towards = base === "dark" ? WHITE : BLACK;
  const inks = theme.ansi.map((colour) => readable(colour, [theme.bg], towards));
  const page = pageColours(theme, towards);
  const own = { ...terminalColours(theme), ...(page && { ...page, ...cardColours(theme, towards) }) };
  return {
    dress: { name: theme.name, base, colours: own },
    moved: inks.filter(({ steps }) => steps > 0).length,
    page: page ? "dressed" : "kept",
  };
}

function terminalColours({ bg, fg, cursor, selection, ansi }: Theme): Record<string, string> {
  const sixteen = ansi.map((colour, n) => [`--term-${n < 8 ? "" : "bright-"}${NAMES[n % 8]}`, colour]);
  return {
    "--term-bg": bg,
    "--term-fg": fg,
    "--term-cursor": cursor,
    "--term-selection": selection,
    // Programs ask for the background and are told that it is dark, the same for everyone.
    ...(lettersOn(bg) === BLACK && { "--term-contrast": String(READABLE) }),
    "--term-slider": `${fg}33`,
    "--term-slider-hover": `${fg}66`,
    ...Object.fromEntries(sixteen),
  };
}

/** Of what programs printed. */
function cardColours({ bg, fg, selection, ansi }: Theme, towards: Hex): Record<string, string> {
  const ground = luminance(bg) + 0.05;
  const [least, most] = [READABLE * ground - 0.05, ground / READABLE - 0.05];
  return {
    "--paper": bg,
    "--ink": readable(fg, [bg], towards).colour,
    "--card-selection": selection,
    "--ink-min": towards === WHITE ? share(Math.cbrt(least) + INK_SPARE) : "0",
    "--ink-max": towards === WHITE ? "1" : share(Math.cbrt(Math.max(0, most)) - INK_SPARE),
    ...Object.fromEntries(ansi.map((colour, n) => [`--ink-${n}`, readable(colour, [bg], towards).colour])),
    ...Object.fromEntries(ansi.map((colour, n) => [`--ansi-${n}`, colour])),
    ...Object.fromEntries(ansi.map((colour, n) => [`--on-ansi-${n}`, lettersOn(colour)])),
  };
}

function share(value: number): string {
  return Math.min(1, Math.max(0, value)).toFixed(3);
}

/** Undefined when letters would not stand out enough, or all in the same colour, as on a middle grey. */
function pageColours({ bg, fg, ansi }: Theme, towards: Hex): Record<string, string> | undefined {
  const shade = (part: number) => mix(bg, fg, part);
  const plain = [bg, shade(0.035), shade(0.07), shade(0.12)];
  const first = (n: number) => vivid(ansi, n, plain, towards);
  const tint = (n: number) => mix(bg, first(n), 0.13);
  const grounds = [...plain, tint(4), tint(6), tint(5), tint(3)];
  const letters = (colour: Hex) => readable(colour, grounds, towards).colour;
  const own = (n: number) => letters(first(n));
  const ok = own(2);
  const text: Record<string, Hex> = {
    "--fg": letters(fg),
    "--mut": letters(mix(fg, bg, 0.4)),
    ...{ "--you": own(4), "--guest": own(6), "--agent": own(5), "--ok": ok, "--bad": own(1), "--warn": own(3) },
    ...{ "--focus": own(4), "--ink-command": own(4), "--ink-option": own(6), "--ink-string": ok },
    ...{ "--ink-variable": own(3), "--ink-operator": own(5), "--ink-path": letters(mix(fg, bg, 0.15)) },
  };
  const isFar = (n: number) => readable(first(n), grounds, towards).steps > STEPS_MAX;
  if ([1, 2, 3, 4, 5, 6].some(isFar)) return undefined;
  if (!Object.values(text).every((colour) => isReadable(colour, grounds))) return undefined;
  const [, bg1, bg2, bg3] = plain;
  return {
    ...text,
    ...{ "--bg": bg, "--bg1": bg1 ?? bg, "--bg2": bg2 ?? bg, "--bg3": bg3 ?? bg, "--line": shade(0.2) },
    ...{ "--youbg": tint(4), "--guestbg": tint(6), "--agentbg": tint(5), "--warnbg": tint(3) },
    "--on-ok": lettersOn(ok),
  };
}

/** The plain or the bright one of a colour: which needs to be moved less. Some themes have greys among the bright ones. */
function vivid(ansi: readonly Hex[], n: number, grounds: readonly Hex[], towards: Hex): Hex {
  const both = [ansi[n] ?? towards, ansi[n + 8] ?? towards];
  const colours = both.filter((colour) => vividness(colour) >= VIVID_MIN);
  const steps = (colour: Hex) => readable(colour, grounds, towards).steps;
  return colours.sort((a, b) => steps(a) - steps(b))[0] ?? both[0] ?? towards;
}
