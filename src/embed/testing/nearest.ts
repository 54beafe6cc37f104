// The place on a screen that is most like a text that is not there: a failure shows it. Pure.

interface Near {
  readonly row: number;
  /** Index in the row's text. */
  readonly at: number;
  readonly text: string;
}

/** Longer texts are compared by their beginning: the cost is this times the cells of the screen. */
const COMPARED_CHARS_MAX = 200;
/** What differs in more than half of its letters is another text. */
const DIFFERS_MAX = 0.5;

export function nearest(lines: readonly string[], wanted: string): Near | undefined {
  const needle = [...wanted.trim().slice(0, COMPARED_CHARS_MAX)];
  let best: (Near & { readonly cost: number }) | undefined;
  for (const [row, line] of lines.entries()) {
    const found = closest(line, needle);
    if (found && found.cost < (best?.cost ?? needle.length * DIFFERS_MAX + 0.01)) best = { row, ...found };
  }
  return best && { row: best.row, at: best.at, text: best.text };
}

/** The part of a line with the fewest edits to the needle (Sellers). Another case of a letter is half an edit. */
function closest(line: string, needle: readonly string[]): { at: number; text: string; cost: number } | undefined {
  /** Per length of the needle's beginning: the cost, and where the part began. */
  let column = needle.map((_, i) => ({ cost: i + 1, at: 0 }));
  let best: { at: number; end: number; cost: number } | undefined;
  for (let end = 0; end < line.length; end += 1) {
    const next: typeof column = [];
    for (const [i, letter] of needle.entries()) {
      const [left, up, diagonal] = [column[i], next[i - 1], i === 0 ? undefined : column[i - 1]];
      const replaced = { cost: (diagonal?.cost ?? 0) + differs(letter, line[end] ?? ""), at: diagonal?.at ?? end };
      const skipped = { cost: (left?.cost ?? 0) + 1, at: left?.at ?? end };
      const missing = { cost: (up?.cost ?? 0) + 1, at: up?.at ?? end + 1 };
      next.push([replaced, skipped, missing].reduce((a, b) => (b.cost < a.cost ? b : a)));
    }
    column = next;
    const last = column.at(-1);
    if (last && last.cost < (best?.cost ?? Number.POSITIVE_INFINITY)) best = { ...last, end: end + 1 };
  }
  return best && { at: best.at, text: line.slice(best.at, best.end), cost: best.cost };
}

function differs(a: string, b: string): number {
  if (a === b) return 0;
  return a.toLowerCase() === b.toLowerCase() ? 0.5 : 1;
}
