// A line of exactly the terminal's width, made of pieces that give way to each other. Pure.
import { cellWidth } from "../../core/base/cell-width.ts";
import { cut, textWidth } from "../text/width.ts";

/** A piece of a line. Pieces are shortened step by step, the smallest weight first. */
export interface Piece {
  /** Longest first; "" drops it. */
  readonly texts: readonly string[];
  readonly weight: number;
  readonly sgr: string;
  /** Fills the remaining room. */
  readonly grows?: string;
  readonly side?: "right";
}

/** A form loses this much weight for each shorter form that exists. */
const STEP_WEIGHT = 15;
const BASE = "\x1b[0;7m";
export const STYLE = {
  plain: "0;7",
  strong: "0;1;7",
  alert: "0;1;30;43",
  agent: "0;1;30;45",
  both: "0;1;30;42",
} as const;

export function lineOf(pieces: readonly Piece[], cols: number): string {
  const steps = pieces.map(() => 0);
  const textAt = (i: number) => pieces[i]?.texts[steps[i] ?? 0] ?? "";
  const total = () => pieces.reduce((sum, _, i) => sum + textWidth(textAt(i)), 0);
  for (;;) {
    const excess = total() - cols;
    if (excess <= 0) break;
    const shrinkable = pieces.flatMap((piece, i) => {
      const left = piece.texts.length - 1 - (steps[i] ?? 0);
      // The last form of a piece is worth more than a longer one.
      return left > 0 ? [{ i, worth: piece.weight - STEP_WEIGHT * (left - 1) }] : [];
    });
    const [first] = shrinkable.sort((a, b) => a.worth - b.worth);
    if (!first) break;
    steps[first.i] = (steps[first.i] ?? 0) + 1;
  }
  const room = cols - total();
  const texts = pieces.map((piece, i) =>
    piece.grows === undefined ? textAt(i) : cut(piece.grows, textWidth(textAt(i)) + Math.max(0, room)),
  );
  return joined(pieces, texts, cols);
}

function joined(pieces: readonly Piece[], texts: readonly string[], cols: number): string {
  const used = texts.reduce((sum, text) => sum + textWidth(text), 0);
  const gap = " ".repeat(Math.max(0, cols - used));
  const right = pieces.findIndex(({ side }) => side === "right");
  const styled = pieces.map(({ sgr }, i) => {
    const before = i === right ? `${BASE}${gap}` : "";
    return { lead: `${before}\x1b[${sgr}m`, text: texts[i] ?? "" };
  });
  let [line, width] = ["", right < 0 ? 0 : gap.length];
  for (const { lead, text } of styled) {
    line += lead;
    for (const char of text) {
      // Nothing can be shortened any more, so the edge cuts.
      if (width + cellWidth(char) > cols) break;
      line += char;
      width += cellWidth(char);
    }
  }
  return `${line}${" ".repeat(Math.max(0, cols - width))}\x1b[m`;
}
