// A screen as the text of a golden file: size, cursor and rows, with what differs from run to run masked. Pure.
import { indexAt } from "../../core/base/cell-width.ts";
import type { Locator } from "./locator.ts";
import type { Picture } from "./picture.ts";
import { placesIn } from "./query.ts";

/** Text, a pattern or a place that differs from run to run. */
export type Mask = string | RegExp | Locator;

export interface GoldenOptions {
  readonly mask?: readonly Mask[] | undefined;
  /** Also compare what is bold, reverse or coloured. */
  readonly styles?: boolean | undefined;
}

/** Stands for what is masked, however long that is. */
const MASKED = "▒▒▒";

export function goldenText(picture: Picture, { mask = [], styles = false }: GoldenOptions): string {
  const { cols, rows, cursor, title } = picture;
  const where = cursor.visible ? `cursor ${cursor.row},${cursor.col}` : "no cursor";
  const heading = `${cols}x${rows}, ${where}${title === "" ? "" : `, title ${JSON.stringify(masked(title, mask))}`}`;
  const lines = picture.lines.map((line, row) => masked(withoutPlaces(picture, line, row, mask), mask).trimEnd());
  const shown = lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
  return [heading, ...shown, ...(styles ? ["", ...styleLines(picture)] : [])].map((line) => `${line}\n`).join("");
}

function masked(text: string, masks: readonly Mask[]): string {
  let shown = text;
  for (const mask of masks) {
    if (typeof mask !== "string" && !(mask instanceof RegExp)) continue;
    for (const { at, text: found } of placesIn(shown, mask).reverse())
      shown = shown.slice(0, at) + MASKED + shown.slice(at + found.length);
  }
  return shown;
}

function withoutPlaces(picture: Picture, line: string, row: number, masks: readonly Mask[]): string {
  const rects = masks
    .flatMap((mask) => (typeof mask === "string" || mask instanceof RegExp ? [] : mask.foundIn(picture)))
    .flatMap(({ rect }) => (rect && row >= rect.row && row < rect.row + rect.height ? [rect] : []))
    .sort((a, b) => b.col - a.col);
  return rects.reduce(
    (text, { col, width }) => text.slice(0, indexAt(text, col)) + MASKED + text.slice(indexAt(text, col + width)),
    line,
  );
}

/** One line per row with anything but plain text. */
function styleLines({ spans }: Picture): string[] {
  return spans.flatMap((line, row) => {
    const styled = line.filter(({ style }) => style.length > 0);
    const parts = styled.map(({ from, to, style }) => `${from}-${to} ${style.join(" ")}`);
    return parts.length === 0 ? [] : [`${row}: ${parts.join("; ")}`];
  });
}

/** The lines that differ: with - what the file has, with + what the screen shows. */
export function goldenDiff(expected: string, actual: string): string {
  const [want, got] = [expected.split("\n"), actual.split("\n")];
  const lines = Array.from({ length: Math.max(want.length, got.length) }, (_, i) => {
    const [a, b] = [want[i], got[i]];
    if (a === b) return [];
    return [...(a === undefined ? [] : [`- ${a}`]), ...(b === undefined ? [] : [`+ ${b}`])];
  });
  return lines.flat().join("\n");
}
