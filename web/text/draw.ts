// Lines of output as elements: text nodes in spans, never parsed as HTML. Owns: the widths of the font's glyphs, to
// fit glyphs of another width into their columns.
import { IMAGE_SCHEME } from "../../src/core/base/image/scheme.ts";
import { type Cell, cellsOf, PLAIN_CELLS } from "./cells.ts";
import { type Hit, type Line, type Piece, piecesOf } from "./lines.ts";
import { safeAddress, type TextLink } from "./links.ts";
import { lookOf } from "./sgr.ts";

/** How many measured glyphs we keep. */
const GLYPHS_MAX = 5_000;
/** Nobody sees a smaller difference, even eighty columns later. */
const OFF_PX_MAX = 0.04;
/** The daemon's replacement for a secret. */
const REDACTED = /(\[redacted:[\w-]{1,40}\])/;

/** Joins lines with line breaks, so that selected text is what was printed. */
export function drawLines(lines: readonly Line[], hits?: (line: number) => readonly Hit[]): DocumentFragment {
  const drawn = document.createDocumentFragment();
  for (const [i, line] of lines.entries()) {
    if (i > 0) drawn.append("\n");
    drawn.append(drawLine(line, hits?.(i)));
  }
  return drawn;
}

export function drawLine(line: Line, hits: readonly Hit[] = []): DocumentFragment {
  const drawn = document.createDocumentFragment();
  let last: { readonly to: TextLink | string; readonly link: HTMLElement } | undefined;
  for (const piece of piecesOf(line, hits)) {
    const to = piece.to ?? safeAddress(piece.link ?? "");
    if (piece.link?.startsWith(IMAGE_SCHEME)) {
      drawn.append(imageAt(piece, piece.link));
      continue;
    }
    if (to === undefined) last = undefined;
    else if (last?.to !== to) {
      last = { to, link: linkTo(to) };
      drawn.append(last.link);
    }
    (last?.link ?? drawn).append(drawRun(piece));
  }
  return drawn;
}

/** The text of an image, over which it is drawn (web/images). */
function imageAt(piece: Piece, link: string): HTMLElement {
  const image = document.createElement("span");
  image.className = "image";
  image.dataset.image = link;
  image.append(drawRun(piece));
  return image;
}

/** A string is where a program's own link leads, whatever its text says. */
function linkTo(to: TextLink | string): HTMLAnchorElement {
  const link = document.createElement("a");
  if (typeof to === "object" && to.kind === "place") {
    // No link until the daemon has said that there is such a file (web/links).
    const { path, line, column } = to;
    link.dataset.place = JSON.stringify({ path, line, column });
    return link;
  }
  link.href = typeof to === "string" ? to : to.href;
  link.rel = "noopener noreferrer";
  link.target = "_blank";
  link.title = link.href;
  return link;
}

function drawRun(piece: Piece): Node {
  const { classes, color, background, decoration } = lookOf(piece.sgr);
  const text = drawText(piece.text);
  const isPlain = classes.length === 0 && !color && !background && !decoration;
  if (isPlain && !piece.hit) return text;
  const element = document.createElement(piece.hit ? "mark" : "span");
  element.classList.add(...classes);
  if (piece.hit) element.classList.add("hit");
  if (color) element.style.color = color;
  if (background) element.style.background = background;
  if (decoration) element.style.textDecorationColor = decoration;
  element.append(text);
  return element;
}

function drawText(text: string): Node {
  if (PLAIN_CELLS.test(text)) {
    return REDACTED.test(text) ? chips(text) : document.createTextNode(text);
  }
  const drawn = document.createDocumentFragment();
  let plain = "";
  for (const cell of cellsOf(text)) {
    if (fits(cell)) {
      plain += cell.text;
      continue;
    }
    drawn.append(plain);
    plain = "";
    const box = document.createElement("span");
    box.className = `c${cell.columns}`;
    box.textContent = cell.text;
    drawn.append(box);
  }
  drawn.append(plain);
  return drawn;
}

function chips(text: string): Node {
  const drawn = document.createDocumentFragment();
  for (const part of text.split(REDACTED)) {
    if (!REDACTED.test(part)) {
      drawn.append(part);
      continue;
    }
    const chip = document.createElement("span");
    chip.className = "redacted";
    chip.textContent = part;
    drawn.append(chip);
  }
  return drawn;
}

const measured = new Map<string, boolean>();
let pen: CanvasRenderingContext2D | null | undefined;
let column = 0;
/** For which font of the person's. */
let font = "";

/** Whether the font draws it exactly in its columns. Never for emoji, because neighbours would merge into one glyph. */
function fits({ text, columns }: Cell): boolean {
  if (PLAIN_CELLS.test(text)) return true;
  if (/\p{Extended_Pictographic}|\p{Regional_Indicator}|\u200d/u.test(text)) return false;
  const own = document.documentElement.style.getPropertyValue("--font");
  if (own !== font) {
    [font, pen] = [own, undefined];
    measured.clear();
  }
  const before = measured.get(text);
  if (before !== undefined) return before;
  if (pen === undefined) {
    pen = document.createElement("canvas").getContext("2d");
    if (pen) pen.font = `100px ${getComputedStyle(document.documentElement).getPropertyValue("--mono")}`;
    column = pen?.measureText("0").width ?? 0;
  }
  const off = Math.abs((pen?.measureText(text).width ?? 0) - columns * column) / 8;
  if (measured.size >= GLYPHS_MAX) measured.clear();
  measured.set(text, off <= OFF_PX_MAX);
  return off <= OFF_PX_MAX;
}
