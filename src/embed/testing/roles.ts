// Zones of a screen by what they are, in the manner of roles: each is derived from what the terminal really knows. Pure.
import { columnOf } from "../../core/base/cell-width.ts";
import { never } from "../../core/base/never.ts";
import { boxesIn, boxText, boxTitle } from "./boxes.ts";
import { type Picture, type Rect, type StyledSpan, textOf } from "./picture.ts";

/**
 * `selected`: a row, or a part of one, that is drawn as chosen. `highlighted`: everything in reverse or on another
 * background than most of the screen. `status`: a bar in one of the last three rows, else the lowest row with text.
 * `prompt`, `input`: what a shell marked as its prompt and as typed to it. `title`: the window's title. `cursor`: the cell
 * under a visible cursor. `box`: a box of line characters.
 */
export type Role = "selected" | "highlighted" | "status" | "prompt" | "input" | "title" | "cursor" | "box";

/** What a locator found. The window's title has no place on the screen. */
export interface Found {
  readonly text: string;
  readonly rect: Rect | undefined;
  /** What it is called; for boxes the title in the border. */
  readonly name?: string;
}

/** A bar further up belongs to a window above, or is a heading. */
const STATUS_ROWS = 3;

const ROLES: readonly Role[] = ["selected", "highlighted", "status", "prompt", "input", "title", "cursor", "box"];

/** JavaScript has no types that would say it. */
export function checkRole(role: Role): void {
  if (!ROLES.includes(role)) throw new Error(`no role is called "${role}"; there are ${ROLES.join(", ")}`);
}

export function zonesOf(picture: Picture, role: Role): Found[] {
  switch (role) {
    case "selected":
      return picture.selected.map((one) => at(picture, one.row, one.from, one.to));
    case "highlighted":
      return highlighted(picture);
    case "status":
      return statusOf(picture);
    case "prompt":
    case "input":
      return picture.zones
        .filter(({ zone }) => zone === role)
        .map(({ row, from, to }) => at(picture, row, from, to))
        .filter(({ text }) => text !== "");
    case "title":
      return picture.title === "" ? [] : [{ text: picture.title, rect: undefined }];
    case "cursor":
      return picture.cursor.visible
        ? [at(picture, picture.cursor.row, picture.cursor.col, picture.cursor.col + 1)]
        : [];
    case "box":
      return boxesIn(picture).map((rect) => ({
        rect,
        text: boxText(picture, rect),
        name: boxTitle(picture, rect),
      }));
    default:
      return never(role);
  }
}

function at(picture: Picture, row: number, from: number, to: number): Found {
  const rect = { row, col: from, width: to - from, height: 1 };
  return { rect, text: textOf(picture, rect) };
}

function highlighted(picture: Picture): Found[] {
  const base = commonBack(picture);
  return picture.spans.flatMap((line, row) =>
    joined(line.filter(({ style }) => backOf(style) !== base))
      .map(({ from, to }) => at(picture, row, from, to))
      .filter(({ text }) => text !== ""),
  );
}

function statusOf(picture: Picture): Found[] {
  const whole = (row: number) => at(picture, row, 0, picture.cols);
  // Many programs leave out the very last cell, which would scroll the screen.
  const bars = highlighted(picture).filter(
    ({ rect }) => rect && rect.width >= picture.cols - 1 && rect.row >= picture.rows - STATUS_ROWS,
  );
  const bar = bars.at(-1);
  if (bar) return [bar];
  const row = picture.lines.findLastIndex((line) => line.trim() !== "");
  return row < 0 ? [] : [whole(row)];
}

/** Neighbours are one part, whatever else differs in them. */
function joined(spans: readonly StyledSpan[]): { from: number; to: number }[] {
  const all: { from: number; to: number }[] = [];
  for (const { from, to } of spans) {
    const last = all.at(-1);
    if (last?.to === from) last.to = to;
    else all.push({ from, to });
  }
  return all;
}

function backOf(style: readonly string[]): string {
  if (style.includes("reverse")) return "reverse";
  return style.find((word) => word.startsWith("bg-")) ?? "";
}

/** The background of most cells: a program may colour the whole screen. */
function commonBack({ spans, cols, rows }: Picture): string {
  const cells = new Map([["", cols * rows]]);
  for (const { text, style } of spans.flat()) {
    const [back, width] = [backOf(style), columnOf(text, text.length)];
    cells.set("", (cells.get("") ?? 0) - width);
    cells.set(back, (cells.get(back) ?? 0) + width);
  }
  return [...cells].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
}
