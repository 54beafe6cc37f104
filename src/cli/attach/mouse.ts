// A mouse report of this terminal as the session's program wants it: in its format, and in its own cells. Pure.
import type { Area, Offset } from "./canvas.ts";
import type { OuterModes } from "./outer-screen.ts";

/** Where the session is on this terminal. */
export interface Place {
  readonly area: Area;
  readonly offset: Offset;
  /** The session's own size. */
  readonly size: Area;
}

export interface MouseReport {
  readonly kind: "press" | "release" | "other";
  readonly code: number;
  readonly row: number;
  readonly col: number;
}

const SGR = /^\x1b\[<(\d+);(\d+);(\d+)([Mm])$/;
const X10 = /^\x1b\[M([\s\S])([\s\S])([\s\S])$/;
const OFFSET = 32;
/** Bits of the code: motion, and the wheel and extra buttons. */
const [MOTION, WHEEL] = [32, 64];
const NO_BUTTON = 3;
/** The cell size that the session's terminal reports (see the Engine port). */
const CELL_PX = { width: 8, height: 16 };
/** One byte, or two bytes of UTF-8, minus the offset. */
const [X10_MAX, UTF8_MAX] = [255 - OFFSET, 0x7ff - OFFSET];

/** `text` holds one byte a character. */
export function readMouse(text: string): MouseReport | undefined {
  const sgr = SGR.exec(text);
  if (sgr) {
    const code = Number(sgr[1]);
    return {
      kind: kindOf(code, sgr[4] === "m" ? "up" : "down"),
      code,
      col: Number(sgr[2]) - 1,
      row: Number(sgr[3]) - 1,
    };
  }
  const x10 = X10.exec(text);
  if (!x10) return undefined;
  const [code, x, y] = x10.slice(1).map((char) => char.charCodeAt(0) - OFFSET) as [number, number, number];
  const way = (code & NO_BUTTON) === NO_BUTTON && code < MOTION ? "up" : "down";
  return { kind: kindOf(code, way), code, col: x - 1, row: y - 1 };
}

function kindOf(code: number, way: "down" | "up"): MouseReport["kind"] {
  if (way === "up") return "release";
  return (code & (MOTION | WHEEL)) === 0 ? "press" : "other";
}

/** The same in the session's cells, or undefined when outside it. The end of a drag moves to its edge. */
export function placed(
  report: MouseReport,
  { area, offset, size }: Place,
  drag: "under way" | "none",
): MouseReport | undefined {
  const rows = Math.min(area.rows, size.rows - offset.top);
  const cols = Math.min(area.cols, size.cols - offset.left);
  const row = Math.min(report.row, rows - 1);
  const col = Math.min(report.col, cols - 1);
  const isBeside = row !== report.row || col !== report.col;
  if (isBeside && !(report.kind === "release" && drag === "under way")) return undefined;
  return { ...report, row: row + offset.top, col: col + offset.left };
}

/** One byte per character. Undefined when the format cannot name the cell. */
export function writeMouse(
  { kind, code, row, col }: MouseReport,
  format: OuterModes["mouse_format"],
): string | undefined {
  const [x, y] = [col + 1, row + 1];
  const anonymous = kind === "release" ? code | NO_BUTTON : code;
  const final = kind === "release" ? "m" : "M";
  switch (format) {
    case "sgr":
      return `\x1b[<${code};${x};${y}${final}`;
    case "sgr_pixels": {
      const { width, height } = CELL_PX;
      return `\x1b[<${code};${col * width + (width >> 1)};${row * height + (height >> 1)}${final}`;
    }
    case "urxvt":
      return `\x1b[${anonymous + OFFSET};${x};${y}M`;
    case "utf8": {
      if (Math.max(x, y) > UTF8_MAX) return undefined;
      const wide = String.fromCharCode(anonymous + OFFSET, x + OFFSET, y + OFFSET);
      return `\x1b[M${Buffer.from(wide).toString("latin1")}`;
    }
    case "x10":
      if (Math.max(x, y) > X10_MAX) return undefined;
      return `\x1b[M${String.fromCharCode(anonymous + OFFSET, x + OFFSET, y + OFFSET)}`;
    default:
      return format satisfies never;
  }
}
