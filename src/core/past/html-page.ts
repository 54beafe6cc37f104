// The page around exported lines, one file that needs nothing else. Pure. It styles the classes of screen/html.ts.
import { escapeHtml } from "../screen/html.ts";

const BASE =
  "000000 cd3131 0dbc79 e5e510 2472c8 bc3fbc 11a8cd e5e5e5 666666 f14c4c 23d18b f5f543 3b8eea d670d6 29b8db ffffff".split(
    " ",
  );
const STYLES = [
  "body{margin:0;background:#121418}",
  "pre{margin:1em;color:#d4d4d4;font:13px/1.3 ui-monospace,monospace;white-space:pre-wrap}",
  "a{color:inherit}",
  ".bold{font-weight:bold}.faint{opacity:.6}.italic{font-style:italic}",
  ".underline{text-decoration:underline}.underline-double{text-decoration:underline double}",
  ".underline-curly{text-decoration:underline wavy}.underline-dotted{text-decoration:underline dotted}",
  ".underline-dashed{text-decoration:underline dashed}.strike{text-decoration:line-through}",
  ".overline{text-decoration:overline}",
];

export function htmlHead(title: string): string {
  const colors = Array.from({ length: 256 }, (_, index) => {
    const color = palette(index);
    return `.fg-${index}{color:${color}}.bg-${index}{background-color:${color}}`;
  });
  // Inverse comes last, so that it wins over the colours it swaps.
  const style = [...STYLES, ...colors, ".inverse{color:#121418;background-color:#d4d4d4}"].join("\n");
  return `<!doctype html>\n<meta charset="utf-8"><title>${escapeHtml(title)}</title>\n<style>\n${style}\n</style>\n<pre class="duetty">\n`;
}

export const HTML_TAIL = "</pre>\n";

/** The usual 256 colours: sixteen of a theme, a cube of 216, a ramp of 24 greys. */
function palette(index: number): string {
  if (index < 16) return `#${BASE[index] ?? "000000"}`;
  if (index >= 232) return `#${hex(8 + (index - 232) * 10).repeat(3)}`;
  const cube = index - 16;
  const parts = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6];
  return `#${parts.map((n) => hex(n === 0 ? 0 : 55 + n * 40)).join("")}`;
}

function hex(value: number): string {
  return value.toString(16).padStart(2, "0");
}
