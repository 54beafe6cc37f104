// What a wait has already seen. A row of the primary screen keeps its identity while it scrolls (its number counted
// from the first line ever), so old text that merely moves is never taken for new. The alternate screen has no
// history. There a text is new when it appears more often than at any moment since the wait began.
import type { Echo } from "./echo.ts";
import { type Line, linesOf, rowOf, type ScreenView } from "./view.ts";

export interface Pattern {
  /** Identifies it among the patterns of one wait. */
  readonly key: string;
  /** As a caller reads it. */
  readonly shown: string;
  /** All matches in a line, by index and text. */
  findAll(text: string): { readonly index: number; readonly text: string }[];
  /** The literal text, when it is not a pattern. */
  readonly literal?: string | undefined;
  /** The row it checks, or all rows when undefined. */
  readonly row?: number | undefined;
}

export class Seen {
  #primary = new Map<number, string>();
  #altFewest = new Map<string, number>();
  /** The alternate screen at the start. A program that opens it later begins with an empty one. */
  #altFirst: ScreenView | undefined;
  #included: (row: number) => boolean;
  #echo: Echo;

  constructor(first: ScreenView, included: (row: number) => boolean, echo: Echo) {
    this.#included = included;
    this.#echo = echo;
    this.#begin(first);
  }

  /** The first match in text that is new since the wait began. */
  fresh(view: ScreenView, pattern: Pattern): string | undefined {
    return view.alt_screen ? this.#freshAlt(view, pattern) : this.#freshPrimary(view, pattern);
  }

  /** After a resize the rows have new numbers, so what is there now counts as seen. */
  forget(view: ScreenView): void {
    this.#primary.clear();
    this.#altFewest.clear();
    this.#begin(view);
  }

  #begin(view: ScreenView): void {
    this.#altFirst = view.alt_screen ? copy(view) : undefined;
    const primary = view.alt_screen ? (view.under ?? []) : view.rows.map((_, row) => rowOf(view, row));
    for (const [row, text] of primary.entries()) this.#primary.set(view.top + row, text);
  }

  #freshPrimary(view: ScreenView, pattern: Pattern): string | undefined {
    const gone = pattern.row === undefined ? this.#freshPassed(view, pattern) : undefined;
    if (gone !== undefined) return gone;
    for (const line of this.#lines(view, pattern)) {
      if (this.#isOld(view, line)) continue;
      // The line grew around old text. "Password" → "Password:" still holds the old match, not a new one.
      const before = this.#before(view, line);
      const placed = placedIn(view.real ?? view, line);
      const isNew = (match: Match) => !before.startsWith(match.text, match.index) && !this.#echo.has(placed, match);
      const found = matchesOf(pattern, line.text).find(isNew);
      if (found) return found.text;
    }
    return undefined;
  }

  /** Text that was shown only for a moment still counts as shown. */
  #freshPassed({ passed, real }: ScreenView, pattern: Pattern): string | undefined {
    for (const [i, text] of (passed?.rows ?? []).entries()) {
      const first = (passed?.first ?? 0) + i;
      const before = this.#primary.get(first) ?? "";
      if (before === text) continue;
      const there = { text: real?.passed?.rows[i] ?? text, first, rows: -1, starts: [0], inputs: () => [] };
      const isNew = (match: Match) => !before.startsWith(match.text, match.index) && !this.#echo.has(there, match);
      const found = pattern.findAll(text).find(isNew);
      if (found) return found.text;
    }
    return undefined;
  }

  #isOld(view: ScreenView, { first, last }: Line): boolean {
    for (let row = first; row <= last; row++) {
      if (this.#primary.get(view.top + row) !== rowOf(view, row)) return false;
    }
    return true;
  }

  /** The text in the rows of this line when the wait began. */
  #before(view: ScreenView, { first, last }: Line): string {
    let text = "";
    for (let row = first; row <= last; row++) text += this.#primary.get(view.top + row) ?? "";
    return text;
  }

  #freshAlt(view: ScreenView, pattern: Pattern): string | undefined {
    const matchesIn = (at: ScreenView) => this.#lines(at, pattern).flatMap(({ text }) => matchesOf(pattern, text));
    const matches = matchesIn(view);
    const fewest = this.#altFewest.get(pattern.key) ?? (this.#altFirst ? matchesIn(this.#altFirst).length : 0);
    this.#altFewest.set(pattern.key, Math.min(fewest, matches.length));
    return matches.length > fewest ? matches.at(-1)?.text : undefined;
  }

  #lines(view: ScreenView, { row: only }: Pattern): Line[] {
    return linesOf(view, only === undefined ? this.#included : (row) => row === only && this.#included(row));
  }
}

/** Whether somebody who has seen nothing yet would find it. */
export function isNewTo(view: ScreenView, pattern: Pattern, included: (row: number) => boolean, echo: Echo): boolean {
  const nothing = { ...view, rows: [], alt_screen: false };
  return new Seen(nothing, included, echo).fresh(view, pattern) !== undefined;
}

type Match = ReturnType<Pattern["findAll"]>[number];

/** With the blanks before the cursor, and without: `>>> $` and `^>>>$` both find a prompt. */
function matchesOf(pattern: Pattern, text: string): Match[] {
  const found = pattern.findAll(text);
  return found.length > 0 || !text.endsWith(" ") ? found : pattern.findAll(text.trimEnd());
}

/** A line as it is there, and where each of its rows begins in its text. */
function placedIn(view: ScreenView, { first, last }: Line) {
  const starts: number[] = [];
  let text = "";
  for (let row = first; row <= last; row++) {
    starts.push(text.length);
    text += rowOf(view, row);
  }
  return { text, first: view.top + first, rows: first, starts, inputs: view.inputs };
}

function copy(view: ScreenView): ScreenView {
  return { ...view, rows: [...view.rows], wraps: [...view.wraps] };
}
