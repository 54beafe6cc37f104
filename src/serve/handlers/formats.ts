// A screen as one string, in the format that was asked for.

import { columnOf } from "../../core/base/cell-width.ts";
import { lineText } from "../../core/base/clean.ts";
import { blanked } from "../../core/base/invisible.ts";
import { never } from "../../core/base/never.ts";
import type { Engine, StyledRow } from "../../core/screen/engine.ts";
import { rowsHtml } from "../../core/screen/html.ts";
import { styleOf, styleText } from "../../core/screen/style-words.ts";
import { rowAnsi } from "../../core/viewer/row-ansi.ts";
import type { Output } from "../../protocol/ops.ts";
import { screenText } from "../../protocol/plain/screen-text.ts";

type Format = "text" | "rows" | "styled" | "ansi" | "html";
type Region = { readonly from: number; readonly to: number } | undefined;

/** What can paint a screen. One without secrets has no repaint of the engine's, which has all that is there. */
type Painter = Pick<Engine, "styled"> & Partial<Pick<Engine, "repaint">>;

export function contentOf(format: Format, screen: Output<"pty_read_screen">, painter: Painter, region: Region): string {
  const above = screen.scrollback.length;
  switch (format) {
    case "text":
      return screenText(screen);
    case "rows":
      return [...screen.scrollback, ...screen.rows].join("\n");
    case "styled": {
      const rows = painter.styled({ history: 0 }).map(styledRow);
      return screenText({ ...screen, rows: region ? rows.slice(region.from, region.to + 1) : rows });
    }
    case "ansi":
      // Always the whole screen, because half a repaint would paint something else. There is no room for marks on it.
      return painter.repaint
        ? blanked(Buffer.from(painter.repaint({ scrollback: above, reset: "hard" })).toString(), { controls: "keep" })
        : painted(screen, painter.styled({ history: above }));
    case "html": {
      const rows = painter.styled({ history: above });
      const first = rows.length - screen.rows_count;
      return rowsHtml(region ? rows.slice(first + region.from, first + region.to + 1) : rows);
    }
    default:
      return never(format);
  }
}

/** A picture for any terminal of this size. */
function painted({ alt_screen, cursor, title }: Output<"pty_read_screen">, rows: readonly StyledRow[]): string {
  const lines = rows.map((row, i) => {
    const end = i === rows.length - 1 ? "" : row.wraps ? " ".repeat(row.blanks ?? 0) : "\r\n";
    return rowAnsi(row) + end;
  });
  const place = `\x1b[${cursor.row + 1};${cursor.col + 1}H${cursor.visible ? "" : "\x1b[?25l"}`;
  return `\x1bc${alt_screen ? "\x1b[?1049h\x1b[H" : ""}${lines.join("")}${place}\x1b]2;${title}\x1b\\`;
}

/** A row with its number, and after it what is not plain: columns, and the style in words. */
function styledRow({ runs }: StyledRow, row: number): string {
  let col = 0;
  const styles = runs.flatMap(({ text, sgr }) => {
    const from = col;
    col += columnOf(text, text.length);
    // Of blanks only the cursor or a selection would tell anything.
    const words = text.trim() === "" && !styleOf(sgr).reverse ? "" : styleText(sgr);
    return words === "" ? [] : [`${from}-${col} ${words}`];
  });
  const text = lineText(runs);
  if (text === "" && styles.length === 0) return "";
  return `${row}| ${text}${styles.length === 0 ? "" : `  ⟨${styles.join("; ")}⟩`}`;
}

/** FROM:TO, both included. An empty side is open; a negative one counts from the end. */
export function regionOf(rows: string, total: number): { from: number; to: number } {
  const [from = "", to = ""] = rows.split(":");
  const at = (side: string) => (side.startsWith("-") ? Math.max(0, total + Number(side)) : Number(side));
  return { from: at(from), to: to === "" ? Number.MAX_SAFE_INTEGER : at(to) };
}
