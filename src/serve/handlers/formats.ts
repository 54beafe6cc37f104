// A screen as one string, in the format that was asked for.

import { blanked } from "../../core/base/invisible.ts";
import { never } from "../../core/base/never.ts";
import type { Engine } from "../../core/screen/engine.ts";
import { rowsHtml } from "../../core/screen/html.ts";
import type { Output } from "../../protocol/ops.ts";
import { screenText } from "../../protocol/plain/screen-text.ts";

type Format = "text" | "rows" | "ansi" | "html";
type Region = { readonly from: number; readonly to: number } | undefined;

/** What can paint a screen: a Playback, or an engine of the past. */
type Painter = Pick<Engine, "repaint" | "styled">;

export function contentOf(format: Format, screen: Output<"pty_read_screen">, painter: Painter, region: Region): string {
  const above = screen.scrollback.length;
  switch (format) {
    case "text":
      return screenText(screen);
    case "rows":
      return [...screen.scrollback, ...screen.rows].join("\n");
    case "ansi":
      // Always the whole screen, because half a repaint would paint something else. There is no room for marks on it.
      return blanked(Buffer.from(painter.repaint({ scrollback: above, reset: "hard" })).toString(), {
        controls: "keep",
      });
    case "html": {
      const rows = painter.styled({ history: above });
      const first = rows.length - screen.rows_count;
      return rowsHtml(region ? rows.slice(first + region.from, first + region.to + 1) : rows);
    }
    default:
      return never(format);
  }
}

/** FROM:TO, both included. An empty side is open. */
export function regionOf(rows: string): { from: number; to: number } {
  const [from = "", to = ""] = rows.split(":");
  return { from: Number(from), to: to === "" ? Number.MAX_SAFE_INTEGER : Number(to) };
}
