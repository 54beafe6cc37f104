// Turns a Picture into VT bytes that repaint any terminal of its size, whatever that terminal's state was. Pure.
// Owns: the order of the parts. Some of them move the cursor or change how text prints, so order matters.
// Refuses: synchronized output (2026), DECCOLM, and the contents of an alternate screen that is not shown.
import type { RepaintOptions } from "../../core/screen/engine.ts";
import { modesText, savedModesText } from "./modes.ts";
import type { Cell, Line } from "./page.ts";
import { emptyCell, Painter } from "./painter.ts";
import type { CursorState, Picture, Screen } from "./snapshot.ts";

// CAN ends any sequence that the viewer was in. RIS resets most of the rest. Real terminals keep some state over RIS:
// the alternate screen, mouse and paste modes, keyboard protocols, colours.
const LEAVE =
  "\x18\x1b[?1049l\x1b[?9;1000;1002;1003;1004;1005;1006;1015;1016;2004;2026;2031;2048l" +
  "\x1b[<16u\x1b[=0u\x1b[>4;0m\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\";
// RIS makes some terminals forget their history. In a person's own terminal we must not delete it, so there a soft
// reset, default tab stops and a cleared screen stand in for it.
const RESETS = {
  hard: `${LEAVE}\x1bc`,
  soft: `${LEAVE}\x1b[!p\x1b[?69l\x1b[r\x1b[?5W\x1b[?5l\x1b[?7h\x1b[m\x1b[H\x1b[2J`,
};
const DEFAULT_CHARSETS = "\x0f\x1b(B\x1b)B\x1b*B\x1b+B";
const TAB_EVERY = 8;
/** Rows of a line that begins above the history which was asked for. */
const LINE_ROWS_MAX = 120;

/** `images`: what our own terminals have to know of an image whose parts are still coming. */
export function repaint(picture: Picture, options: RepaintOptions, images: string): Uint8Array {
  const painter = new Painter(picture.cols);
  painter.raw(RESETS[options.reset] + savedModesText(picture));
  if (picture.active === "primary" && picture.alternate) hiddenAlternate(painter, picture, picture.alternate);
  painter.lines(withHistory(picture, options.scrollback));
  let screen = picture.primary;
  if (picture.active === "alternate" && picture.alternate) {
    enterAlternate(painter, picture);
    screen = picture.alternate;
    painter.lines(screen.lines.slice(-picture.rows));
  }
  finish(painter, picture, screen);
  return Buffer.concat([
    Buffer.from(painter.text()),
    osc("2;", picture.title),
    picture.pwd.length > 0 ? osc("7;", picture.pwd) : Buffer.alloc(0),
    Buffer.from(picture.statusLine ? "\x1b[1$}" : ""),
    Buffer.from(singleShift(screen.cursor.charset)),
    Buffer.from(options.reset === "hard" ? images : ""),
    picture.continuation,
  ]);
}

/** The primary screen and so many lines above it. Where there is history it begins with a whole line, if that is not very long. */
function withHistory({ primary, rows }: Picture, scrollback: number): readonly Line[] {
  const { lines } = primary;
  const wanted = Math.max(0, lines.length - rows - scrollback);
  let from = wanted;
  while (scrollback > 0 && from > 0 && wanted - from < LINE_ROWS_MAX && lines[from]?.continues) from -= 1;
  return lines.slice(from);
}

function osc(command: string, text: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`\x1b]${command}`), text, Buffer.from("\x1b\\")]);
}

/** The state that the next program on the alternate screen finds: keyboard flags and a saved cursor outlive the text. */
function hiddenAlternate(painter: Painter, picture: Picture, alternate: Screen): void {
  if (!alternate.saved && alternate.kitty.every((flags) => flags === 0)) return;
  painter.raw("\x1b[?1047h");
  keyboard(painter, alternate);
  if (alternate.saved) {
    cursor(painter, picture, alternate, { ...alternate.saved, pendingWrap: false });
    painter.raw(`\x1b7\x1b[?6l${DEFAULT_CHARSETS}`);
    painter.plain();
  }
  painter.raw("\x1b[?1047l\x1b[H");
}

/** 1049 saves the cursor when it enters, so we first move it to where the program's own 1049 saved it. */
function enterAlternate(painter: Painter, picture: Picture): void {
  const { primary } = picture;
  const saves = primary.saved !== null;
  keyboard(painter, primary);
  cursor(painter, picture, primary, primary.saved ?? primary.cursor);
  painter.raw(saves ? "\x1b[?1049h" : "\x1b[?1047h");
  painter.plain();
  painter.raw(`\x1b[?6l${DEFAULT_CHARSETS}\x1b[H\x1b[2J`);
}

function finish(painter: Painter, picture: Picture, screen: Screen): void {
  const { region } = picture;
  if (screen.saved) {
    cursor(painter, picture, screen, screen.saved);
    painter.raw("\x1b7\x1b[?6l");
    if (screen.saved.charset !== 0) painter.raw(DEFAULT_CHARSETS);
  }
  keyboard(painter, screen);
  tabs(painter, picture);
  reprint(painter, picture, screen);
  margins(painter, picture);
  const origin = ((picture.modes >> 8n) & 1n) === 1n;
  const state = { ...screen.cursor, origin };
  if (origin && isOutside(state, region)) {
    // Only DECRC gets there. The price is the cursor that the program itself had saved.
    painter.raw("\x1b[r");
    cursor(painter, picture, screen, state);
    painter.raw("\x1b7");
    margins(painter, picture);
    painter.raw("\x1b8");
  } else cursor(painter, picture, screen, state, origin ? region : undefined);
  painter.link(screen.link);
  if (screen.protectKind === "iso") painter.raw(screen.cursor.protect ? "\x1bV" : "\x1bV\x1bW");
  painter.raw(modesText(picture));
  if (!picture.cursorIsDefault) painter.raw(cursorShape(screen.cursorShape, ((picture.modes >> 12n) & 1n) === 1n));
  if (picture.modifyOtherKeys) painter.raw("\x1b[>4;2m");
  for (const { osc: command, rgb } of picture.colors)
    painter.raw(`\x1b]${command};rgb:${[...rgb].map((part) => part.toString(16).padStart(2, "0")).join("/")}\x1b\\`);
}

function margins(painter: Painter, { cols, rows, region, modes }: Picture): void {
  const { top, bottom, left, right } = region;
  if (top !== 0 || bottom !== rows - 1) painter.raw(`\x1b[${top + 1};${bottom + 1}r`);
  if (((modes >> 19n) & 1n) === 0n) return;
  painter.raw("\x1b[?69h");
  if (left !== 0 || right !== cols - 1) painter.raw(`\x1b[${left + 1};${right + 1}s`);
}

function isOutside({ x, y }: CursorState, { top, bottom, left, right }: Picture["region"]): boolean {
  return y < top || y > bottom || x < left || x > right;
}

/** Position, pen, protection, charsets. With origin mode, positions count from the region's corner. */
function cursor(
  painter: Painter,
  picture: Picture,
  screen: Screen,
  state: CursorState,
  from: { top: number; left: number } = { top: 0, left: 0 },
): void {
  if (state.origin) painter.raw("\x1b[?6h");
  const at = (col: number) => painter.raw(`\x1b[${state.y - from.top + 1};${col - from.left + 1}H`);
  const cells = screen.lines[screen.lines.length - picture.rows + state.y]?.cells() ?? [];
  const here = cells[state.x] ?? emptyCell;
  if (!state.pendingWrap) at(state.x);
  else if (here.width === "tail") {
    at(state.x - 1);
    painter.cell(cells[state.x - 1] ?? emptyCell);
  } else {
    at(state.x);
    painter.cell(here);
  }
  painter.link(null);
  painter.pen(state.style);
  painter.protect(state.protect);
  painter.raw(charsets(state.charset));
}

function keyboard(painter: Painter, screen: Screen): void {
  const [first = 0, ...pushed] = screen.kitty;
  if (first !== 0) painter.raw(`\x1b[=${first};1u`);
  for (const flags of pushed) painter.raw(`\x1b[>${flags}u`);
}

function tabs(painter: Painter, { tabs: stops, cols }: Picture): void {
  const usual = Array.from({ length: cols }, (_, col) => col).filter((col) => col > 0 && col % TAB_EVERY === 0);
  if (usual.join() === stops.join()) return;
  painter.raw(`\x1b[3g${stops.map((col) => `\x1b[${col + 1}G\x1bH`).join("")}`);
}

/** REP repeats the last printed character. After painting that is some other cell, so we print the right one again in place. */
function reprint(painter: Painter, picture: Picture, screen: Screen): void {
  const wanted = picture.lastPrinted;
  if (wanted === null || screen.cursor.pendingWrap) return;
  const shown = screen.lines.slice(-picture.rows);
  const fits = (cell: Cell | undefined, col: number): boolean =>
    cell?.point === wanted && cell.marks.length === 0 && col + (cell.width === "wide" ? 2 : 1) < picture.cols;
  const { x, y } = screen.cursor;
  const order = [y, ...shown.keys()];
  for (const row of order) {
    const cells = shown[row]?.cells() ?? [];
    const left = cells[x - 1]?.width === "tail" ? x - 2 : x - 1;
    const col = row === y && fits(cells[left], left) ? left : cells.findIndex(fits);
    const cell = cells[col];
    if (!cell) continue;
    painter.raw(`\x1b[${row + 1};${col + 1}H`);
    painter.cell(cell);
    painter.plain();
    return;
  }
}

/** The engine's enum: UTF-8, ASCII, British, DEC graphics. The first two print alike. */
const charsetFinals = ["", "B", "A", "0"];
const lockShifts = ["", "\x0e", "\x1bn", "\x1bo"];
const rightShifts = ["", "\x1b~", "", "\x1b|"];

function charsets(packed: number): string {
  const designated = ["(", ")", "*", "+"].map((slot, index) => {
    const final = charsetFinals[(packed >> (2 * index)) & 3] ?? "";
    return final === "" ? "" : `\x1b${slot}${final}`;
  });
  return designated.join("") + (lockShifts[(packed >> 8) & 3] ?? "") + (rightShifts[(packed >> 10) & 3] ?? "");
}

function singleShift(packed: number): string {
  return ["", "", "", "\x1bN", "\x1bO"][(packed >> 12) & 7] ?? "";
}

function cursorShape(shape: number, blinks: boolean): string {
  const steady = [6, 2, 4, 2][shape] ?? 2;
  return `\x1b[${blinks ? steady - 1 : steady} q`;
}
