// What was typed and entered comes back on the screen before any result of it: the echo. It never matches. Owns: where
// the last lines were typed. Half a line is not entered: who waits for that wants to see it.
import type { ZoneSpan } from "../../../protocol/ops/screen.ts";
import { columnOf, indexAt } from "../../base/cell-width.ts";
import type { InputSpec } from "../input/input.ts";
import type { ScreenView } from "./view.ts";

/** How many lines are remembered. Older ones are no longer "just typed". */
const LINES_MAX = 16;

interface Entered {
  /** Counted from the first line ever. */
  readonly row: number;
  /** Where in that row the echo begins, or after some blanks. */
  readonly from: number;
  readonly text: string;
}

export class Echo {
  #entered: Entered[] = [];

  /** Somebody is about to type this. On the alternate screen programs draw, and what they draw is a result. */
  typed(input: InputSpec, { top, cursor, rows, alt_screen }: ScreenView): void {
    if (alt_screen) return;
    const from = Math.min(cursor.col, rows[cursor.row]?.length ?? 0);
    const lines = enteredLines(input).map((text, i) => ({ row: top + cursor.row + i, from: i === 0 ? from : 0, text }));
    this.#entered = [...this.#entered, ...lines.filter(({ text }) => text !== "")].slice(-LINES_MAX);
  }

  /** Rows have new numbers. */
  forget(): void {
    this.#entered = [];
  }

  /** Whether a match at this place of a line is, or touches, such an echo. */
  has(line: PlacedLine, match: Place): boolean {
    return this.#entered.some((entered) => isAt(entered, line, match)) || this.#isDrawnAgain(line, match);
  }

  /** What is typed while a shell is away it draws again at its prompt, and says where. */
  #isDrawnAgain({ text, rows, starts, inputs }: PlacedLine, { index }: Place): boolean {
    if (this.#entered.length === 0) return false;
    const nth = starts.findLastIndex((start) => start <= index);
    const start = starts[nth] ?? 0;
    const row = text.slice(start, starts[nth + 1]);
    const col = columnOf(row, index - start);
    const isHere = (span: ZoneSpan) => span.row === rows + nth && span.from <= col && col < span.to;
    const typed = (span: ZoneSpan) => row.slice(indexAt(row, span.from));
    return inputs().some((span) => isHere(span) && this.#entered.some((one) => shares(one.text, typed(span))));
  }
}

/** A line on the screen. */
interface PlacedLine {
  readonly text: string;
  /** Its first row, counted from the first line ever, and on the screen. */
  readonly first: number;
  readonly rows: number;
  /** Where each of its rows begins in its text. */
  readonly starts: readonly number[];
  inputs(): readonly ZoneSpan[];
}

function isAt({ row, from, text }: Entered, line: PlacedLine, match: Place): boolean {
  const start = line.starts[row - line.first];
  if (start === undefined) return false;
  const at = start + from + blanksIn(line.text.slice(start + from)) - blanksIn(text);
  // The echo may come in pieces. Half of it ends the line.
  const isHere = line.text.startsWith(text, at) || text.startsWith(line.text.slice(Math.max(at, 0)));
  return isHere && match.index < at + text.length && match.index + match.text.length > at;
}

/** A long line is drawn in several rows, each with a part of it, and any line may come in pieces. */
function shares(entered: string, row: string): boolean {
  return row.includes(entered.trim()) || entered.includes(row.trim());
}

function blanksIn(text: string): number {
  return text.length - text.trimStart().length;
}

interface Place {
  readonly index: number;
  readonly text: string;
}

/** The lines that are followed by Enter. */
export function enteredLines({ text = "", paste = "", keys = [] }: InputSpec): string[] {
  const enters = /^(?:enter|return|ctrl\+[mj]|c-[mj]|\^[mj])$/i.test(keys[0] ?? "");
  const lines = `${text}${paste}${enters ? "\n" : ""}`.split(/\r\n|[\r\n]/);
  return lines.slice(0, -1);
}
