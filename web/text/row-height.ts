// How high a line of text is. Owns: what was measured.

export interface Font {
  readonly font_px: number;
  readonly line_height: number;
  /** Empty means the page's own choice. */
  readonly font_family: string;
}

const known = new Map<string, number>();

/** As xterm has it, so that a card keeps its height when its command ends. */
export function rowPx({ font_px, line_height, font_family }: Font): number {
  const key = [font_px, line_height, devicePixelRatio, font_family].join();
  const row = known.get(key) ?? measured(font_px, line_height);
  known.set(key, row);
  return row;
}

function measured(font_px: number, line_height: number): number {
  const pen = document.createElement("canvas").getContext("2d");
  if (!pen) return Math.round(font_px * 1.15 * line_height);
  pen.font = `${font_px}px ${getComputedStyle(document.documentElement).getPropertyValue("--mono")}`;
  const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = pen.measureText("W");
  return Math.floor(Math.ceil((above + below) * devicePixelRatio) * line_height) / devicePixelRatio;
}

/** A copy: whoever follows it hears of each change. */
export function fontOf({ font_px, line_height, font_family }: Font): Font {
  return { font_px, line_height, font_family };
}
