// Which fonts this machine has. A browser says so of no font; but text in one that is missing is as wide as in the next.
import { isFontName } from "./settings.ts";

const SAMPLE = "mmmmMMMMwwwwWWWWiiiill110O@#";
const GENERIC = ["monospace", "serif", "sans-serif"] as const;
/** Large, so that a small difference shows. */
const PX = 72;
/** Fonts for code that many people have. */
const COMMON = [
  ...["JetBrains Mono", "Fira Code", "Cascadia Code", "Cascadia Mono", "Source Code Pro", "IBM Plex Mono", "Hack"],
  ...["Iosevka", "Victor Mono", "Ubuntu Mono", "Noto Sans Mono", "Roboto Mono", "Menlo", "Monaco", "SF Mono"],
  ...["Consolas", "DejaVu Sans Mono", "Liberation Mono", "Courier New"],
];

/** fixed: all letters are equally wide, as a terminal needs them. */
type FontState = "fixed" | "proportional" | "missing" | "no_name";

export function fontState(name: string): FontState {
  if (!isFontName(name)) return "no_name";
  const width = measure();
  const isThere = GENERIC.some((generic) => width(`"${name}", ${generic}`, SAMPLE) !== width(generic, SAMPLE));
  if (!isThere) return "missing";
  return width(`"${name}"`, "iiii") === width(`"${name}"`, "WWWW") ? "fixed" : "proportional";
}

export function commonFonts(): string[] {
  return COMMON.filter((name) => fontState(name) === "fixed");
}

function measure(): (family: string, text: string) => number {
  const pen = document.createElement("canvas").getContext("2d");
  return (family, text) => {
    if (!pen) return 0;
    pen.font = `${PX}px ${family}`;
    return pen.measureText(text).width;
  };
}
