// Lines of a journal without their secrets, for a search that matches what an agent may see. Owns: the lines around the one in
// question, because half of a private key looks like nothing. Only lines that match as they are get this care.
import type { PlainLine } from "../journal/plain.ts";
import type { Redactor } from "../redact/redactor.ts";
import { ABOVE_ROWS_MAX } from "../screen/hidden.ts";

/** Lines that are hidden at once, with as many before and after them as a private key has. */
const BATCH_LINES = 500;

interface KeptLine extends PlainLine {
  /** Whether the line as it is matches. */
  readonly isWanted: boolean;
}

export class HiddenLines {
  #eyes: Redactor;
  #matches: (text: string) => boolean;
  #take: (line: PlainLine) => void;
  #lines: KeptLine[] = [];
  /** How many of them were looked at. */
  #done = 0;

  constructor(eyes: Redactor, matches: (text: string) => boolean, take: (line: PlainLine) => void) {
    this.#eyes = eyes;
    this.#matches = matches;
    this.#take = take;
  }

  /** The line is only valid during the call. */
  push({ text, line, behind }: PlainLine): void {
    const isWanted = this.#matches(text);
    const ends = isWanted ? Float64Array.from({ length: text.length }, (_, i) => behind(i)) : undefined;
    this.#lines.push({ text, line, isWanted, behind: (index) => ends?.[Math.min(index, ends.length - 1)] ?? 0 });
    if (this.#lines.length >= this.#done + BATCH_LINES + ABOVE_ROWS_MAX) this.#look(this.#done + BATCH_LINES);
  }

  end(): void {
    this.#look(this.#lines.length);
  }

  #look(to: number): void {
    const isWorth = this.#lines.some(({ isWanted }, i) => isWanted && i >= this.#done && i < to);
    // Each character keeps its place, so that a match is where it is said to be.
    const hidden = isWorth
      ? this.#eyes.rows(
          this.#lines.map(({ text }) => ({ text, wraps: false })),
          Number.POSITIVE_INFINITY,
        )
      : [];
    for (const [i, line] of this.#lines.entries())
      if (line.isWanted && i >= this.#done && i < to) this.#take({ ...line, text: hidden[i] ?? "" });
    const keep = Math.max(0, to - ABOVE_ROWS_MAX);
    this.#lines.splice(0, keep);
    this.#done = to - keep;
  }
}
