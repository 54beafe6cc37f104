// The terminal's colours, read from the page's style sheet so that one place defines them.
import type { ITheme } from "@xterm/xterm";

const NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

/** How much letters must stand out. On paper we correct colours that programs chose for a dark screen. */
export function terminalContrast(root: Element): number {
  return Number(getComputedStyle(root).getPropertyValue("--term-contrast")) || 1;
}

export function terminalTheme(root: Element): ITheme {
  const style = getComputedStyle(root);
  const colour = (name: string) => style.getPropertyValue(`--term-${name}`).trim();
  const theme: ITheme = {
    background: colour("bg"),
    foreground: colour("fg"),
    cursor: colour("cursor"),
    cursorAccent: colour("bg"),
    selectionBackground: colour("selection"),
    scrollbarSliderBackground: colour("slider"),
    scrollbarSliderHoverBackground: colour("slider-hover"),
    scrollbarSliderActiveBackground: colour("slider-hover"),
  };
  for (const name of NAMES) {
    const bright = `bright${name[0]?.toUpperCase()}${name.slice(1)}` as `bright${Capitalize<typeof name>}`;
    theme[name] = colour(name);
    theme[bright] = colour(`bright-${name}`);
  }
  return theme;
}
