// The shown screen of a Picture as runs of text in one style. Pure. Blank cells with a background are runs of spaces.

import { IMAGE_SCHEME } from "../../core/base/image/scheme.ts";
import type { StyledRow } from "../../core/screen/engine.ts";
import type { Run } from "../../protocol/ops/blocks.ts";
import type { Cell, Line } from "./page.ts";
import type { Picture } from "./snapshot.ts";

const SPACE = 0x20;
const DEL = 0x7f;

export function styledRows(picture: Picture, history: number): StyledRow[] {
  const screen = (picture.active === "alternate" && picture.alternate) || picture.primary;
  const above = screen === picture.primary ? history : 0;
  return screen.lines.slice(-(picture.rows + above)).map((line) => {
    const blanks = line.wraps ? picture.cols - line.cells().length : 0;
    return { runs: runsOf(line), wraps: line.wraps, ...(blanks > 0 ? { blanks } : {}) };
  });
}

/** What is under the alternate screen, right-trimmed. */
export function underneath(picture: Picture): string[] {
  if (picture.active === "primary") return [];
  const text = (line: Line) =>
    runsOf(line)
      .map((run) => run.text)
      .join("")
      .trimEnd();
  return picture.primary.lines.slice(-picture.rows).map(text);
}

function runsOf(line: Line): Run[] {
  const runs: { text: string; sgr: string; link?: string }[] = [];
  for (const cell of line.cells()) {
    if (cell.width === "tail" || cell.width === "head") continue;
    const [sgr, link] = [cell.style.sgr, cell.link?.uri];
    const last = runs.at(-1);
    if (last && last.sgr === sgr && last.link === link) last.text += textOf(cell);
    else runs.push({ text: textOf(cell), sgr, ...(link === undefined ? {} : { link }) });
  }
  return line.wraps ? runs : trimmed(runs);
}

function textOf({ point, marks }: Cell): string {
  // The engine stores some control characters (CAN) as cells. They must never come out as text.
  if (point <= SPACE || (point >= DEL && point <= 0x9f)) return " ";
  return String.fromCodePoint(point, ...marks);
}

/** Plain spaces at the end do not count. Coloured ones are part of the picture, and those of an image, too. */
function trimmed(runs: { text: string; sgr: string; link?: string }[]): Run[] {
  const last = runs.at(-1);
  if (last?.sgr !== "" || last.link?.startsWith(IMAGE_SCHEME)) return runs;
  last.text = last.text.trimEnd();
  if (last.text === "") runs.pop();
  return runs;
}
