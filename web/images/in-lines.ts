// Draws pictures into lines of finished output, over the text that names them and the blank lines below it.
import { imageRow, mayCover } from "../../src/core/base/image/cells.ts";
import type { Bitmaps } from "./bitmaps.ts";

export function drawIn(part: Element, bitmaps: Bitmaps): void {
  for (const text of part.querySelectorAll<HTMLElement>("[data-image]")) draw(part, text, bitmaps);
}

function draw(part: Element, text: HTMLElement, bitmaps: Bitmaps): void {
  const image = imageRow(text.dataset.image);
  if (!image || image.row > 0 || !text.isConnected || !mayCover(image, text.textContent ?? "")) return;
  const picture = bitmaps.of(image, () => draw(part, text, bitmaps));
  if (!picture) return;
  const frame = document.createElement("span");
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.width, picture.height];
  canvas.getContext("2d")?.drawImage(picture, 0, 0);
  canvas.style.width = `${image.cols}ch`;
  canvas.style.height = `${image.rows}lh`;
  frame.className = "picture";
  frame.style.height = `${Math.min(image.rows, 1 + blankAfter(part, text))}lh`;
  frame.append(canvas);
  text.append(frame);
}

/** Blank lines below. A picture never covers text. */
function blankAfter(part: Element, text: Element): number {
  const range = document.createRange();
  range.setStartAfter(text);
  range.setEndAfter(part.lastChild ?? text);
  const [, ...below] = range.toString().split("\n");
  const first = below.findIndex((line) => line.trim() !== "");
  return first < 0 ? below.length : first;
}
