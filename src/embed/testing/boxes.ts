// Boxes that a program drew with line characters, with single, double, heavy or round corners. Pure.
// A border may be broken by a title. What is drawn with + and - is no box.
import { cellWidth } from "../../core/base/cell-width.ts";
import { type Picture, type Rect, textIn } from "./picture.ts";

const TOP_LEFT = /[┌┍┎┏╒╓╔╭]/;
const TOP_RIGHT = /[┐┑┒┓╕╖╗╮]/;
const BOTTOM_LEFT = /[└┕┖┗╘╙╚╰]/;
const BOTTOM_RIGHT = /[┘┙┚┛╛╜╝╯]/;
/** What a left or right border is made of, with the joints of lines inside. */
const SIDE = /[│┃║┆┇┊┋╎╏├┝┠┣┤┥┨┫╞╟╠╡╢╣┼╪╫╬█▌▐▕▏]/;

/** The boxes with their borders, from the top, then from the left. */
export function boxesIn(picture: Picture): Rect[] {
  const grid = picture.lines.map((line) => cellsOf(line));
  return grid.flatMap((cells, row) =>
    cells.flatMap((cell, col) => {
      const box = TOP_LEFT.test(cell) ? boxFrom(grid, row, col) : undefined;
      return box ? [box] : [];
    }),
  );
}

function boxFrom(grid: readonly (readonly string[])[], row: number, col: number): Rect | undefined {
  const cell = (r: number, c: number) => grid[r]?.[c] ?? "";
  for (let right = col + 1; right < (grid[row]?.length ?? 0); right += 1) {
    // Another box begins before this one ended: its corner is not ours.
    if (TOP_LEFT.test(cell(row, right))) return undefined;
    if (!TOP_RIGHT.test(cell(row, right))) continue;
    let bottom = row + 1;
    while (SIDE.test(cell(bottom, col)) && SIDE.test(cell(bottom, right))) bottom += 1;
    const closes = BOTTOM_LEFT.test(cell(bottom, col)) && BOTTOM_RIGHT.test(cell(bottom, right));
    return closes ? { row, col, width: right - col + 1, height: bottom - row + 1 } : undefined;
  }
  return undefined;
}

/** One string per cell; the second cell of a wide character is empty. */
function cellsOf(line: string): string[] {
  return [...line].flatMap((char) => ([[], [char], [char, ""]] as const)[cellWidth(char)]);
}

/** The title in the upper border, or "". */
export function boxTitle({ lines }: Picture, { row, col, width }: Rect): string {
  const border = textIn(lines[row] ?? "", col + 1, col + width - 1);
  return border.replace(/^[─-╿\s]+|[─-╿\s]+$/g, "");
}

/** What stands inside, line by line. */
export function boxText({ lines }: Picture, { row, col, width, height }: Rect): string {
  const inner = lines.slice(row + 1, row + height - 1).map((line) => textIn(line, col + 1, col + width - 1).trim());
  return inner.join("\n").trim();
}
