// The styles inside the shadow root: the page's own colours, each behind a variable of the embedding page's.
import inkCss from "../../../web/style/ink.css?inline";
import tokensCss from "../../../web/style/tokens.css?inline";
import elementCss from "./element.css?inline";

const ANSI = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const NAMES: ReadonlyMap<string, string> = new Map([
  ["mono", "font"],
  ["term-bg", "bg"],
  ["term-fg", "fg"],
  ["term-cursor", "cursor"],
  ["term-selection", "selection"],
  ["paper", "bg"],
  ["ink", "fg"],
  ...ANSI.flatMap((name, n): [string, string][] => [
    [`term-${name}`, `ansi-${n}`],
    [`term-bright-${name}`, `ansi-${n + 8}`],
  ]),
  ...Array.from({ length: 16 }, (_, n): [string, string] => [`ink-${n}`, `ansi-${n}`]),
  ...Array.from({ length: 16 }, (_, n): [string, string] => [`ansi-${n}`, `ansi-${n}`]),
]);

/** `--term-red: #f66` becomes `--term-red: var(--duetty-ansi-1, #f66)`, and what the page's root has, the frame has here. */
function framed(css: string): string {
  const open = css.replace(/--([\w-]+):\s*([^;{}]+?)\s*(?=[;}])/g, (all, name: string, value: string) => {
    const shown = NAMES.get(name);
    return shown === undefined ? all : `--${name}:var(--duetty-${shown},${value})`;
  });
  return open
    .replaceAll(":root", ".frame")
    .replace(/\[data-theme=["']?light["']?\]\s*(?=\{)/g, '.frame[data-theme="light"]');
}

export const ELEMENT_CSS = [tokensCss, inkCss].map(framed).join("\n") + elementCss;

const sheets = new Map<string, CSSStyleSheet>();

/** Adopted sheets need no permission of the page's content policy, and are parsed once for all elements. */
export function styleWith(inside: Element, css: string): void {
  const root = inside.getRootNode();
  if (!(root instanceof ShadowRoot)) return;
  const sheet = sheets.get(css) ?? new CSSStyleSheet();
  if (!sheets.has(css)) sheet.replaceSync(css);
  sheets.set(css, sheet);
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}
