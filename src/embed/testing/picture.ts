// One look at a terminal: its text, its styles and what else a question of a test is about. Pure.
// The styles come from the html form of a screen, the one in which text can never be mistaken for a style.
import { columnOf, indexAt } from "../../core/base/cell-width.ts";
import type { Output } from "../../protocol/ops.ts";

type Screen = Output<"pty_read_screen">;

/** A part of the screen, in cells, counted from 0. */
export interface Rect {
  readonly row: number;
  readonly col: number;
  readonly width: number;
  readonly height: number;
}

/** Text of one row in one style; `to` is exclusive. */
export interface StyledSpan {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** bold, reverse, fg-2, bg-4, fg-rgb(1,2,3) … */
  readonly style: readonly string[];
}

export interface Picture {
  readonly cols: number;
  readonly rows: number;
  /** The rows, without blanks at their ends. */
  readonly lines: readonly string[];
  readonly spans: readonly (readonly StyledSpan[])[];
  readonly cursor: Screen["cursor"];
  readonly title: string;
  readonly altScreen: boolean;
  readonly selected: NonNullable<Screen["selected"]>;
  readonly zones: NonNullable<Screen["zones"]>;
  /** The program has ended; nothing will change any more. */
  readonly isOver: boolean;
}

const OVER: ReadonlySet<Screen["state"]> = new Set(["done", "failed", "lost"]);

/** Of a screen that was read as html, with zones. */
export function pictureOf(screen: Screen): Picture {
  return {
    cols: screen.cols,
    rows: screen.rows_count,
    lines: screen.rows,
    spans: spansOf(screen.content ?? ""),
    cursor: screen.cursor,
    title: screen.title,
    altScreen: screen.alt_screen,
    selected: screen.selected ?? [],
    zones: screen.zones ?? [],
    isOver: OVER.has(screen.state),
  };
}

/** The text of some columns of a row; `to` is exclusive. */
export function textIn(line: string, from: number, to: number): string {
  return line.slice(indexAt(line, from), indexAt(line, to));
}

/** The text of a part of the screen, without the blanks around it. */
export function textOf({ lines }: Picture, { row, col, width, height }: Rect): string {
  const rows = lines.slice(row, row + height).map((line) => textIn(line, col, col + width).trimEnd());
  return rows.join("\n").trim();
}

/** The words that all visible text of a part of the screen has in common. */
export function styleOf({ spans }: Picture, { row, col, width, height }: Rect): string[] {
  const inside = spans
    .slice(row, row + height)
    .flatMap((line) => line.filter(({ from, to, text }) => from < col + width && to > col && text.trim() !== ""));
  const [first, ...others] = inside.map(({ style }) => style);
  return (first ?? []).filter((word) => others.every((style) => style.includes(word)));
}

const TOKENS = /<span(?: class="([^"]*)")?(?: style="([^"]*)")?>|<(\/span)>|<[^>]*>|(\n)|([^<\n]+)/g;

function spansOf(html: string): StyledSpan[][] {
  const rows: StyledSpan[][] = [[]];
  let [style, col]: [readonly string[], number] = [[], 0];
  const inner = html.replace(/^<pre[^>]*>/, "").replace(/<\/pre>$/, "");
  for (const [tag, classes, inline, end, newline, escaped] of inner.matchAll(TOKENS)) {
    if (tag.startsWith("<span")) style = words(classes ?? "", inline ?? "");
    else if (end) style = [];
    else if (newline) {
      rows.push([]);
      col = 0;
    } else if (escaped) {
      const text = unescaped(escaped);
      const to = col + columnOf(text, text.length);
      rows.at(-1)?.push({ from: col, to, text, style });
      col = to;
    }
  }
  return rows;
}

function words(classes: string, inline: string): string[] {
  const named = classes.split(" ").filter((name) => name !== "");
  const own = inline.split(";").filter((part) => part !== "");
  const colours = own.map((part) => part.replace(/^background-color:/, "bg-").replace(/^color:/, "fg-"));
  return [...named.map((name) => (name === "inverse" ? "reverse" : name)), ...colours];
}

function unescaped(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&gt;", ">").replaceAll("&lt;", "<").replaceAll("&amp;", "&");
}
