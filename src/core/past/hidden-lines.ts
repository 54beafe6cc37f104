// Lines of a journal without their secrets. Owns: the lines around the one in question, because half of a private key looks like
// nothing. Lines come one by one and leave in order.
import type { PlainLine } from "../journal/plain.ts";
import type { Redactor } from "../redact/redactor.ts";
import { ABOVE_ROWS_MAX } from "../screen/above.ts";
import { hiddenLines } from "../screen/hidden.ts";
import type { Line } from "./lines.ts";

/** Lines that are hidden at once, with as many before and after them as a private key has. */
const BATCH_LINES = 500;

/** `look` is called with lines, of which those from one index up to another are due. */
class LineWindow<L> {
  #look: (lines: readonly L[], from: number, to: number) => void;
  #lines: L[] = [];
  /** How many of them were looked at. */
  #done = 0;

  constructor(look: (lines: readonly L[], from: number, to: number) => void) {
    this.#look = look;
  }

  push(line: L): void {
    this.#lines.push(line);
    if (this.#lines.length >= this.#done + BATCH_LINES + ABOVE_ROWS_MAX) this.#give(this.#done + BATCH_LINES);
  }

  end(): void {
    this.#give(this.#lines.length);
  }

  #give(to: number): void {
    this.#look(this.#lines, this.#done, to);
    const keep = Math.max(0, to - ABOVE_ROWS_MAX);
    this.#lines.splice(0, keep);
    this.#done = to - keep;
  }
}

/** Lines in colour that leave without secrets. */
export class HiddenRuns {
  #window: LineWindow<Line>;

  constructor(eyes: Redactor, cols: number, take: (line: Line) => void) {
    this.#window = new LineWindow((lines, from, to) => {
      for (const line of hiddenLines(lines, cols, eyes).slice(from, to)) take(line);
    });
  }

  push(line: Line): void {
    this.#window.push([...line]);
  }

  end(): void {
    this.#window.end();
  }
}

interface KeptLine extends PlainLine {
  /** Whether the line as it is matches. */
  readonly isWanted: boolean;
}

/** For a search that matches what an agent may see. Only lines that match as they are get this care. */
export class HiddenLines {
  #matches: (text: string) => boolean;
  #window: LineWindow<KeptLine>;

  constructor(eyes: Redactor, matches: (text: string) => boolean, take: (line: PlainLine) => void) {
    this.#matches = matches;
    this.#window = new LineWindow((lines, from, to) => {
      if (!lines.slice(from, to).some(({ isWanted }) => isWanted)) return;
      const rows = lines.map(({ text }) => ({ text, wraps: false }));
      // Each character keeps its place, so that a match is where it is said to be.
      const hidden = eyes.rows(rows, Number.POSITIVE_INFINITY);
      for (const [i, line] of lines.entries())
        if (line.isWanted && i >= from && i < to) take({ ...line, text: hidden[i] ?? "" });
    });
  }

  /** The line is only valid during the call. */
  push({ text, line, behind }: PlainLine): void {
    const isWanted = this.#matches(text);
    const ends = isWanted ? Float64Array.from({ length: text.length }, (_, i) => behind(i)) : undefined;
    this.#window.push({
      text,
      line,
      isWanted,
      behind: (index) => ends?.[Math.min(index, ends.length - 1)] ?? 0,
    });
  }

  end(): void {
    this.#window.end();
  }
}
