// Copies of a card: as Markdown, as HTML with its colours, as a picture. The text comes from the daemon as this page shows it, so
// what is masked here is masked in the copy. Loaded with the first copy.

import type { Line } from "../text/lines.ts";
import { grouped } from "../text/numbers.ts";
import { toClipboard } from "../widgets/clipboard.ts";
import { saveFile } from "../widgets/saving.ts";
import { FONT, htmlOf, lineOf, markdownOf, type Sheet, sheetOf, svgOf } from "./forms.ts";

export type CopyForm = "markdown" | "html" | "png" | "svg";

/** A longer picture is read by nobody. */
export const SHEET_LINES_MAX = 400;
/** Sharp on screens with small pixels. */
const SCALE = 2;

interface Copied {
  readonly cmd: string | null;
  readonly lines: readonly Line[];
  /** All lines, also those that are left out. */
  readonly total: number;
}

/** As text, for Markdown. */
export async function copyMarkdown(cmd: string | null, lines: readonly string[], total: number): Promise<string> {
  if (!(await toClipboard(markdownOf(cmd, lines)))) throw new Error("The browser did not let us copy.");
  return `Copied ${amount(lines.length, total)} as Markdown.`;
}

/** What was done, in words. `place`: an element whose colours count. */
export async function copyDrawn(copied: Copied, form: "html" | "png" | "svg", place: Element): Promise<string> {
  const sheet = sheetOf(copied.cmd, copied.lines, createColours(place));
  const count = amount(copied.lines.length, copied.total);
  if (form === "svg") {
    saveFile(new Blob([svgOf(sheet)], { type: "image/svg+xml" }), "output.svg");
    return `Saved a picture of ${count}.`;
  }
  if (form === "html") {
    const html = htmlOf(sheet);
    const text = sheet.rows.map((row) => row.map((one) => one.text).join("")).join("\n");
    const done = await written({
      "text/html": new Blob([html], { type: "text/html" }),
      "text/plain": new Blob([text], { type: "text/plain" }),
    });
    if (!done && !(await toClipboard(html))) throw new Error("The browser did not let us copy.");
    return `Copied ${count} as HTML.`;
  }
  const png = await pngOf(sheet, getComputedStyle(place).getPropertyValue("--mono"));
  if (await written({ "image/png": png })) return `Copied a picture of ${count}.`;
  saveFile(png, "output.png");
  return `Saved a picture of ${count}: the browser did not let us copy it.`;
}

function amount(count: number, total: number): string {
  const cut = count < total ? `the first ${grouped(count)} of ` : "";
  return `${cut}${grouped(total)} line${total === 1 ? "" : "s"}`;
}

async function written(parts: Record<string, Blob>): Promise<boolean> {
  try {
    await navigator.clipboard.write([new ClipboardItem(parts)]);
    return true;
  } catch {
    return false;
  }
}

/** Colours of the style sheet as #rrggbb: the browser paints one pixel. */
function createColours(place: Element): (css: string) => string {
  const probe = document.createElement("span");
  const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", {
    willReadFrequently: true,
  });
  const known = new Map<string, string>();
  return (css) => {
    const before = known.get(css);
    if (before !== undefined || !pen) return before ?? "#808080";
    probe.style.color = css;
    place.append(probe);
    pen.fillStyle = getComputedStyle(probe).color;
    probe.remove();
    pen.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0] = pen.getImageData(0, 0, 1, 1).data;
    const hex = `#${[r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
    known.set(css, hex);
    return hex;
  };
}

async function pngOf({ rows, columns, paper }: Sheet, family: string): Promise<Blob> {
  const { px, row_px, column_px, edge_px } = FONT;
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(columns * column_px + 2 * edge_px) * SCALE;
  canvas.height = (rows.length * row_px + 2 * edge_px) * SCALE;
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("This browser does not draw pictures.");
  pen.scale(SCALE, SCALE);
  pen.fillStyle = paper;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.textBaseline = "middle";
  for (const [y, row] of rows.entries()) {
    const top = edge_px + y * row_px;
    for (const one of row) {
      const [x, width] = [edge_px + one.column * column_px, one.columns * column_px];
      pen.globalAlpha = one.classes.includes("faint") ? 0.75 : 1;
      pen.fillStyle = one.background ?? paper;
      if (one.background) pen.fillRect(x, top, width, row_px);
      pen.fillStyle = one.color;
      const style = `${one.classes.includes("italic") ? "italic " : ""}${one.classes.includes("bold") ? "bold " : ""}`;
      pen.font = `${style}${px}px ${family}`;
      pen.fillText(one.text, x, top + row_px / 2, width);
      if (lineOf(one).includes("underline")) pen.fillRect(x, top + row_px - 3, width, 1);
      if (lineOf(one).includes("line-through")) pen.fillRect(x, top + row_px / 2, width, 1);
    }
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("The picture is too large for this browser.");
  return blob;
}
