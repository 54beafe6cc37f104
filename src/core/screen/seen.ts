// What a wait has already seen. A line of the primary screen keeps its identity while it scrolls (its number counted
// from the first line ever), so old text that merely moves is never taken for new. The alternate screen has no
// history: there a text is new when it stands there more often than at any moment since the wait began.

export interface Sight {
  readonly rows: readonly string[];
  readonly alt_screen: boolean;
  /** Number of the top row, counted from the first line ever shown. */
  readonly top: number;
}

export class Seen {
  #primary = new Map<number, string>();
  #altFewest = new Map<string, number>();
  /** The alternate screen as it was at first; a program that opens it later begins with an empty one. */
  #altFirst: readonly string[];

  constructor(first: Sight) {
    this.#altFirst = first.alt_screen ? [...first.rows] : [];
    if (!first.alt_screen) this.#remember(first);
  }

  /** The first match of `find` in text that is new since the wait began. `key` names the pattern. */
  fresh(sight: Sight, key: string, find: (text: string) => string | undefined): string | undefined {
    return sight.alt_screen ? this.#freshAlt(sight, key, find) : this.#freshPrimary(sight, find);
  }

  /** After a resize the lines are numbered anew: what is there now counts as seen. */
  forget(sight: Sight): void {
    this.#primary.clear();
    if (!sight.alt_screen) this.#remember(sight);
  }

  #remember(sight: Sight): void {
    for (const [row, text] of sight.rows.entries()) this.#primary.set(sight.top + row, text);
  }

  #freshPrimary(sight: Sight, find: (text: string) => string | undefined): string | undefined {
    for (const [row, text] of sight.rows.entries()) {
      const before = this.#primary.get(sight.top + row);
      if (before === text) continue;
      const found = find(text);
      if (found === undefined) continue;
      // The line grew around old text: "Password" → "Password:" still holds the old match, not a new one.
      if (before !== undefined && find(before) === found && text.indexOf(found) === before.indexOf(found)) continue;
      return found;
    }
    return undefined;
  }

  #freshAlt(sight: Sight, key: string, find: (text: string) => string | undefined): string | undefined {
    const matchesIn = (rows: readonly string[]) => rows.map(find).filter((found) => found !== undefined);
    const matches = matchesIn(sight.rows);
    const fewest = this.#altFewest.get(key) ?? matchesIn(this.#altFirst).length;
    this.#altFewest.set(key, Math.min(fewest, matches.length));
    return matches.length > fewest ? matches.at(-1) : undefined;
  }
}
