// What each caller was last shown of a session's screen, and up to which byte it has been answered. So an answer leaves out what
// the caller knows, and a wait misses nothing that came between two calls. Owns: that memory, by connection. Rows are told
// apart by the line they show, so a screen that scrolled has only its new lines as changes.
import type { Selected, ZoneSpan } from "../../protocol/ops/screen.ts";

/** Callers that look at one session. The one that has not looked for longest is forgotten, and sees the whole screen again. */
const LOOKERS_MAX = 20;
/** A few rows are told as changes, even when they are all there is. */
const MOST_ROWS_MIN = 8;

interface Shown {
  readonly rows: readonly string[];
  readonly selected?: readonly Selected[] | undefined;
  readonly alt_screen: boolean;
  readonly cols: number;
  /** How many lines are above the screen. */
  readonly scrollback_total: number;
  readonly cursor: { readonly row: number };
}

export interface Change {
  readonly row: number;
  readonly text: string;
}

export interface News {
  readonly changes: Change[];
  /** `changes` has every row with text, because most of the screen is new. */
  readonly whole: true | undefined;
  /** Lines that came and are above the screen by now. */
  readonly missed_lines: number;
}

interface Look {
  readonly shown?: Shown | undefined;
  /** The screen below a full-screen program, which is back when that ends. */
  readonly below?: Shown | undefined;
  /** What comes from this byte on, it has not been answered with. */
  readonly from?: number | undefined;
}

export class Looks {
  #last = new Map<string, Look>();

  /**
   * What is new to this caller, who has seen the screen from now on. At first: all rows with text. `entered`: the line that the
   * caller typed; that it came back tells nothing.
   */
  note(who: string, now: Shown, entered?: string): News {
    const { rows, selected, alt_screen, cols, scrollback_total, cursor } = now;
    const before = this.#last.get(who);
    const shown = { rows, selected, alt_screen, cols, scrollback_total, cursor };
    this.#keep(who, { ...before, shown, ...(alt_screen ? {} : { below: shown }) });
    return newsIn(alt_screen ? before?.shown : before?.below, now, entered);
  }

  /** This caller was answered with what came before this byte. */
  reached(who: string, cursor: number): void {
    this.#keep(who, { ...this.#last.get(who), from: cursor });
  }

  /** From where on things are new to this caller. Undefined: nobody remembers. */
  from(who: string): number | undefined {
    return this.#last.get(who)?.from;
  }

  #keep(who: string, look: Look): void {
    this.#last.delete(who);
    this.#last.set(who, look);
    const [oldest] = this.#last.keys();
    if (this.#last.size > LOOKERS_MAX && oldest !== undefined) this.#last.delete(oldest);
  }
}

/** Another width or the other screen has no row that was seen before. */
export function newsIn(before: Shown | undefined, now: Shown, entered?: string): News {
  const { rows, alt_screen, cols, scrollback_total } = now;
  const known = before && before.alt_screen === alt_screen && before.cols === cols ? before : undefined;
  const scrolled = scrollback_total - (known?.scrollback_total ?? 0);
  const marks = (shown: Shown | undefined, row: number) =>
    (shown?.selected ?? []).flatMap((one) => (one.row === row ? [`${one.from}-${one.to}`] : [])).join();
  const isKnown = (text: string, row: number) =>
    text === (known?.rows[row + scrolled] ?? "") && marks(now, row) === marks(known, row + scrolled);
  const all = rows.map((text, row) => ({ row, text }));
  const withText = all.filter(({ text }) => text !== "");
  const changed = all.filter(({ text, row }) => !isKnown(text, row));
  const told = changed.filter(({ text, row }) => !known || !isEcho(known, row + scrolled, text, entered));
  const changes = told.length > 0 ? told : changed;
  const isMost = changes.length > MOST_ROWS_MIN && changes.length * 4 > withText.length * 3;
  const whole = !known || isMost || undefined;
  const used = known ? known.rows.findLastIndex((text) => text !== "") + 1 : scrolled;
  return { changes: whole ? withText : changes, whole, missed_lines: Math.max(0, scrolled - used) };
}

/**
 * What the program in front has shown: the rows below the line that a shell marked as entered. All of a full-screen program.
 * `above`: more of it may have scrolled away.
 */
export function ownRows({ rows, zones, cursor, alt_screen }: Own): {
  readonly changes: Change[];
  readonly above: boolean;
} {
  const line = zones.findLast(({ zone, row }) => zone === "input" && row < cursor.row);
  const first = alt_screen || !line ? 0 : line.row + 1;
  const own = rows.map((text, row) => ({ row, text })).slice(first);
  return { changes: own.filter(({ text }) => text !== ""), above: !alt_screen && !line };
}

type Own = Pick<Shown, "rows" | "cursor" | "alt_screen"> & { readonly zones: readonly ZoneSpan[] };

/** The row that the cursor was in has now the line that was entered there, and nothing else. */
function isEcho({ cursor, rows }: Shown, row: number, text: string, entered: string | undefined): boolean {
  if (row !== cursor.row || !entered) return false;
  const prompt = rows[row] ?? "";
  return text === prompt + entered || text === `${prompt} ${entered}`;
}
