// What a failed expectation says: what was looked for, what is nearest to it, what was typed, and the screen in a frame. Pure.
import { columnOf } from "../../core/base/cell-width.ts";
import { nearest } from "./nearest.ts";
import type { Picture } from "./picture.ts";

export interface Failure {
  /** The call as it was written, such as expect(term).toShow("x"). */
  readonly call: string;
  /** What was the matter, in a few words. */
  readonly problem: string;
  /** More about it, a name and a text each. */
  readonly facts: readonly (readonly [name: string, text: string])[];
  readonly picture: Picture;
  /** The program and how it is. */
  readonly program: string;
  /** The last that was typed, oldest first. */
  readonly inputs: readonly string[];
  readonly trace: string | undefined;
}

export function failureText({ call, problem, facts, picture, program, inputs, trace }: Failure): string {
  const typed = inputs.length === 0 ? "nothing" : inputs.join(", ");
  const all = [...facts, ["program", program] as const, ["inputs", typed] as const];
  const known = trace === undefined ? all : [...all, ["trace", trace] as const];
  const width = Math.max(...known.map(([name]) => name.length));
  const listed = known.map(
    ([name, text]) => `  ${name.padEnd(width)}  ${text.replaceAll("\n", `\n  ${" ".repeat(width)}  `)}`,
  );
  return [`${call}: ${problem}`, ...listed, ...framed(picture)].join("\n");
}

/** The fact for a text that is not there. */
export function nearestFact({ lines }: Picture, wanted: string): (readonly [string, string])[] {
  const near = nearest(lines, wanted);
  if (!near) return [];
  const col = columnOf(lines[near.row] ?? "", near.at);
  return [["nearest", `${JSON.stringify(near.text)} in row ${near.row}, column ${col}`]];
}

/** The screen in a frame. Empty rows at its end are only counted. */
function framed({ cols, rows, lines, cursor, title }: Picture): string[] {
  const where = cursor.visible ? `cursor in row ${cursor.row}, column ${cursor.col}` : "no cursor";
  const heading = ` ${cols}x${rows}, ${where}${title === "" ? "" : `, title ${JSON.stringify(title)}`} `;
  const shown = lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
  const empty = rows - shown.length;
  const note = empty === 0 ? "" : ` ${empty} empty row${empty === 1 ? "" : "s"} `;
  return [
    `┌${heading.slice(0, cols).padEnd(cols, "─")}┐`,
    ...shown.map((line) => `│${line}${" ".repeat(Math.max(0, cols - columnOf(line, line.length)))}│`),
    `└${note.slice(0, cols).padEnd(cols, "─")}┘`,
  ];
}
