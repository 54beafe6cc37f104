// How a mouse report is written: X10, UTF-8 (1005), SGR (1006), urxvt (1015) or SGR in pixels (1016). Pure.
// Refuses: cells that the format cannot name, because a wrapped number would click somewhere else.
import { type Fault, fault, isFault } from "../../base/fault.ts";
import { never } from "../../base/never.ts";
import { utf8 } from "../../base/utf8.ts";
import type { EngineModes } from "../engine.ts";

export interface MouseReport {
  readonly kind: "press" | "release" | "motion";
  /** Button, motion and modifier bits. */
  readonly code: number;
}

interface ReportAt {
  readonly row: number;
  readonly col: number;
  readonly format: EngineModes["mouse_format"];
  readonly cell_px: { readonly width: number; readonly height: number } | undefined;
}

/** One byte, minus the offset of 32 that avoids control characters. */
const X10_CELLS_MAX = 255 - 32;
/** Two bytes of UTF-8, minus the same offset. */
const UTF8_CELLS_MAX = 0x7ff - 32;
const OFFSET = 32;
/** Only SGR says which button was released. */
const BUTTON_BITS = 3;

export function writeReports(reports: readonly MouseReport[], at: ReportAt): Uint8Array | Fault {
  const bytes: number[] = [];
  for (const report of reports) {
    const written = writeReport(report, at);
    if (isFault(written)) return written;
    bytes.push(...written);
  }
  return Uint8Array.from(bytes);
}

function writeReport({ kind, code }: MouseReport, at: ReportAt): Uint8Array | Fault {
  const [x, y] = [at.col + 1, at.row + 1];
  const anonymous = kind === "release" ? code | BUTTON_BITS : code;
  const final = kind === "release" ? "m" : "M";
  switch (at.format) {
    case "x10":
      if (Math.max(x, y) > X10_CELLS_MAX) return tooFar(at, X10_CELLS_MAX);
      return Uint8Array.of(0x1b, 0x5b, 0x4d, anonymous + OFFSET, x + OFFSET, y + OFFSET);
    case "utf8":
      if (Math.max(x, y) > UTF8_CELLS_MAX) return tooFar(at, UTF8_CELLS_MAX);
      return utf8(`\x1b[M${String.fromCharCode(anonymous + OFFSET, x + OFFSET, y + OFFSET)}`);
    case "urxvt":
      return utf8(`\x1b[${anonymous + OFFSET};${x};${y}M`);
    case "sgr":
      return utf8(`\x1b[<${code};${x};${y}${final}`);
    case "sgr_pixels": {
      if (!at.cell_px)
        return fault("input.invalid", "the program wants the mouse in pixels, and none are known", "Use keys.");
      // The middle of the cell, so that counting pixels from 0 or from 1 makes no difference.
      const { width, height } = at.cell_px;
      const [px, py] = [at.col * width + (width >> 1), at.row * height + (height >> 1)];
      return utf8(`\x1b[<${code};${px};${py}${final}`);
    }
    default:
      return never(at.format);
  }
}

function tooFar({ row, col }: ReportAt, max: number): Fault {
  return fault(
    "input.invalid",
    `row ${row}, col ${col}: the program takes the mouse in a format that ends at row and column ${max - 1}`,
    "Use keys, or resize the session.",
  );
}
