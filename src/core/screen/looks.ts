// What each agent was last shown of a session's screen, so that an answer can leave out what it knows already. Owns: that
// memory. Rows are told apart by the line they show, so a screen that scrolled has only its new lines as changes.

/** Agents that look at one session. The one that has not looked for longest is forgotten, and sees the whole screen again. */
const LOOKERS_MAX = 20;

interface Shown {
  readonly rows: readonly string[];
  readonly alt_screen: boolean;
  readonly cols: number;
  /** How many lines are above the screen. */
  readonly scrollback_total: number;
}

export interface Change {
  readonly row: number;
  readonly text: string;
}

interface News {
  readonly changes: Change[];
  /** Lines that came and are above the screen by now. */
  readonly missed_lines: number;
}

export class Looks {
  #last = new Map<string, Shown>();

  /** What is new to this caller, who has seen the screen from now on. At first: all rows with text. */
  note(who: string, now: Shown): News {
    const before = this.#last.get(who);
    this.#last.delete(who);
    const { rows, alt_screen, cols, scrollback_total } = now;
    this.#last.set(who, { rows, alt_screen, cols, scrollback_total });
    const [oldest] = this.#last.keys();
    if (this.#last.size > LOOKERS_MAX && oldest !== undefined) this.#last.delete(oldest);
    const known = before && before.alt_screen === alt_screen && before.cols === cols ? before : undefined;
    const scrolled = scrollback_total - (known?.scrollback_total ?? 0);
    const changes = rows.flatMap((text, row) => (text === (known?.rows[row + scrolled] ?? "") ? [] : [{ row, text }]));
    const used = known ? known.rows.findLastIndex((text) => text !== "") + 1 : scrolled;
    return { changes, missed_lines: Math.max(0, scrolled - used) };
  }
}
