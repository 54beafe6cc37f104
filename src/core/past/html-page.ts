// The page around exported lines, one file that needs nothing else. Pure. It styles the classes of screen/html.ts.
import { paletteRgb } from "../base/colour/palette.ts";
import { escapeHtml } from "../screen/html.ts";

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
    const color = `#${paletteRgb(index).toString(16).padStart(6, "0")}`;
    return `.fg-${index}{color:${color}}.bg-${index}{background-color:${color}}`;
  });
  // Inverse comes last, so that it wins over the colours it swaps.
  const style = [...STYLES, ...colors, ".inverse{color:#121418;background-color:#d4d4d4}"].join("\n");
  return `<!doctype html>\n<meta charset="utf-8"><title>${escapeHtml(title)}</title>\n<style>\n${style}\n</style>\n<pre class="duetty">\n`;
}

export const HTML_TAIL = "</pre>\n";
