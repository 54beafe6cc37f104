// Writes cells as VT bytes. Owns: the current pen, link and protection of the painted terminal, and how rows that
// wrapped are written so that the viewer wraps them itself. Pure. Refuses: to know modes, cursors and screens.
import type { Cell, Line, Link } from "./page.ts";
import type { Style } from "./style.ts";

/** Marks and format characters join a cell in any mode; other code points only with grapheme clustering (2027). */
const joinsAlways = /^[\p{M}\p{Cf}]*$/u;
const VARIATION_EMOJI = 0xfe0f;

export class Painter {
  readonly #cols: number;
  readonly #out: string[] = [];
  #pen = "";
  #link: Link | null = null;
  #protect = false;

  constructor(cols: number) {
    this.#cols = cols;
  }

  text(): string {
    return this.#out.join("");
  }

  /** Anything that does not change pen, link or protection. */
  raw(sequence: string): void {
    this.#out.push(sequence);
  }

  pen(style: Style): void {
    if (style.sgr === this.#pen) return;
    this.#pen = style.sgr;
    this.#out.push(style.sgr === "" ? "\x1b[0m" : `\x1b[0;${style.sgr}m`);
  }

  link(link: Link | null): void {
    if (link?.uri === this.#link?.uri && link?.id === this.#link?.id) return;
    this.#link = link;
    const id = link && link.id !== "" ? `id=${link.id}` : "";
    this.#out.push(`\x1b]8;${id};${link?.uri ?? ""}\x1b\\`);
  }

  protect(on: boolean): void {
    if (on === this.#protect) return;
    this.#protect = on;
    this.#out.push(on ? '\x1b[1"q' : '\x1b[0"q');
  }

  /** Paints from the top left corner. Rows that do not fit scroll into history. */
  lines(lines: readonly Line[]): void {
    let joined = false;
    lines.forEach((line, index) => {
      if (index > 0 && !joined) {
        // A row that scrolls in takes the pen's background.
        this.plain();
        this.#out.push("\r\n");
      }
      const next = lines[index + 1];
      const joins = line.wraps && (next?.continues ?? false);
      this.#row(headAsSpace(line.cells(), next), { joined, joins });
      joined = joins;
    });
    this.plain();
  }

  /** The character of a cell, in its style; blanks as spaces. */
  cell(cell: Cell): void {
    this.pen(cell.style);
    this.link(cell.link);
    this.protect(cell.protect);
    const shown = cell.point >= 0x20 && (cell.point < 0x7f || cell.point > 0x9f);
    const base = shown ? String.fromCodePoint(cell.point) : " ";
    // The engine can hold a wide space (a wide character printed in DEC graphics); nothing prints one.
    if (base === " " && cell.width === "wide") this.#out.push(" ");
    if (cell.marks.length === 0) {
      this.#out.push(base);
      return;
    }
    const marks = String.fromCodePoint(...cell.marks);
    const clustered = !joinsAlways.test(marks) || (cell.width === "wide" && cell.marks.includes(VARIATION_EMOJI));
    this.#out.push(clustered ? `\x1b[?2027h${base}${marks}\x1b[?2027l` : base + marks);
  }

  plain(): void {
    this.pen({ sgr: "", back: false });
    this.link(null);
    this.protect(false);
  }

  #row(cells: readonly Cell[], { joined, joins }: { joined: boolean; joins: boolean }): void {
    const cols = this.#cols;
    const end = joins ? cols : Math.min(Math.max(cells.length, joined ? 1 : 0), cols);
    let col = 0;
    while (col < end) {
      const cell = cells[col] ?? emptyCell;
      if (cell.width === "tail" || cell.width === "head") {
        col += 1;
        continue;
      }
      // Only printing wraps: the last cell of a row that goes on and the first of the next must be printed.
      const mustPrint = (joined && col === 0) || (joins && col === cols - 1);
      if (mustPrint || !isErased(cell)) {
        this.cell(cell);
        col += cell.width === "wide" ? 2 : 1;
        // Wrapping at the bottom scrolled in a row of this background.
        if (joined && col <= 2 && col < cols && cell.style.back) this.#clearRest();
        continue;
      }
      const run = this.#erasedRun(cells, col, joins ? cols - 1 : end);
      this.#erased(cell, run);
      col += run;
    }
  }

  #erasedRun(cells: readonly Cell[], from: number, end: number): number {
    const first = cells[from] ?? emptyCell;
    let to = from + 1;
    while (to < end && isErased(cells[to] ?? emptyCell) && (cells[to] ?? emptyCell).style.sgr === first.style.sgr)
      to += 1;
    return to - from;
  }

  /** Moving over blanks keeps them blank. Spaces would count as text when the viewer reflows. */
  #erased(cell: Cell, run: number): void {
    if (cell.style.back) {
      this.protect(false);
      this.pen(cell.style);
      this.#out.push(`\x1b[${run}X`);
    }
    this.#out.push(`\x1b[${run}C`);
  }

  #clearRest(): void {
    this.pen({ sgr: "", back: false });
    this.#out.push("\x1b[K");
  }
}

/** The viewer itself makes the gap before a wrapped wide character, but only if that character still follows. */
function headAsSpace(cells: Cell[], next: Line | undefined): Cell[] {
  const last = cells.at(-1);
  if (last?.width !== "head" || next?.cells()[0]?.width === "wide") return cells;
  return [...cells.slice(0, -1), { ...last, width: "narrow" }];
}

export const emptyCell: Cell = {
  point: 0,
  marks: [],
  width: "narrow",
  style: { sgr: "", back: false },
  protect: false,
  link: null,
};

function isErased(cell: Cell): boolean {
  return cell.point === 0 && cell.width === "narrow" && !cell.protect && (cell.style.back || cell.style.sgr === "");
}
