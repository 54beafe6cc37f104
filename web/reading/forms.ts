// A command and its output in forms for elsewhere: Markdown, HTML, a picture as SVG. Pure. Text of programs is always escaped, and
// is what the card shows: marked, and masked where this page masks.
import { runText } from "../../src/core/base/clean.ts";
import { marked } from "../../src/core/base/invisible.ts";
import { cellsOf } from "../text/cells.ts";
import type { Line } from "../text/lines.ts";
import { lookOf } from "../text/sgr.ts";

/** Text in one look, at its column. Colours are of the form #rrggbb. */
interface Ink {
  readonly text: string;
  readonly column: number;
  readonly columns: number;
  readonly color: string;
  readonly background?: string | undefined;
  readonly classes: readonly string[];
}
type InkRow = readonly Ink[];

export interface Sheet {
  readonly rows: readonly InkRow[];
  readonly columns: number;
  readonly paper: string;
  readonly ink: string;
}

/** Wider lines go on in the next row. */
const COLUMNS_MAX = 160;
export const FONT = { px: 13, row_px: 18, column_px: 7.8, edge_px: 12 } as const;

export function markdownOf(cmd: string | null, lines: readonly string[]): string {
  const body = [...(cmd === null ? [] : [`$ ${marked(cmd, { controls: "text" })}`]), ...lines].join("\n");
  // A longer fence than any in the text.
  const ticks = Math.max(2, ...[...body.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(ticks + 1);
  return `${fence}console\n${body}\n${fence}\n`;
}

/** `colour`: any CSS colour of ours as #rrggbb. */
export function sheetOf(cmd: string | null, lines: readonly Line[], colour: (css: string) => string): Sheet {
  const [paper, ink] = [colour("var(--paper)"), colour("var(--ink)")];
  const command = cmd === null ? [] : cmd.split("\n").map((text) => [{ text, sgr: "1" }]);
  const rows: InkRow[] = [];
  for (const [i, line] of [...command, ...lines].entries()) {
    const sign = i === 0 && command.length > 0 ? [{ text: "$ ", sgr: "2" }] : [];
    rows.push(...inked([...sign, ...line], { colour, ink }));
  }
  const columns = Math.max(1, ...rows.map((row) => Math.max(0, ...row.map((one) => one.column + one.columns))));
  return { rows, columns, paper, ink };
}

function inked(line: Line, how: { colour(css: string): string; readonly ink: string }): InkRow[] {
  const rows: Ink[][] = [[]];
  let column = 0;
  for (const run of line) {
    const { classes, color, background } = lookOf(run.sgr);
    const look = {
      color: color === undefined ? how.ink : how.colour(color),
      ...(background !== undefined && { background: how.colour(background) }),
      classes,
    };
    let [text, from] = ["", column];
    const close = () => {
      if (text !== "") rows.at(-1)?.push({ text, column: from, columns: column - from, ...look });
      [text, from] = ["", column];
    };
    for (const cell of cellsOf(runText(run))) {
      if (column + cell.columns > COLUMNS_MAX) {
        close();
        rows.push([]);
        column = 0;
        from = 0;
      }
      text += cell.text;
      column += cell.columns;
    }
    close();
  }
  return rows;
}

export function htmlOf({ rows, paper, ink }: Sheet): string {
  const font = `font:${FONT.px}px/${FONT.row_px}px ui-monospace,Menlo,Consolas,monospace`;
  const body = rows.map((row) => row.map((one) => htmlRun(one, ink)).join("")).join("\n");
  return `<pre style="margin:0;padding:10px ${FONT.edge_px}px;background:${paper};color:${ink};${font}">${body}</pre>`;
}

function htmlRun(one: Ink, ink: string): string {
  const styles = [
    one.color !== ink && `color:${one.color}`,
    one.background && `background:${one.background}`,
    one.classes.includes("bold") && "font-weight:bold",
    one.classes.includes("italic") && "font-style:italic",
    one.classes.includes("faint") && "opacity:.75",
    lineOf(one) && `text-decoration:${lineOf(one)}`,
  ].filter(Boolean);
  const text = escaped(one.text);
  return styles.length === 0 ? text : `<span style="${styles.join(";")}">${text}</span>`;
}

export function svgOf({ rows, columns, paper }: Sheet): string {
  const { px, row_px, column_px, edge_px } = FONT;
  const [width, height] = [Math.ceil(columns * column_px + 2 * edge_px), rows.length * row_px + 2 * edge_px];
  const runs = rows.flatMap((row, y) => row.map((one) => svgRun(one, edge_px + y * row_px)));
  const font = `font-family="ui-monospace,Menlo,Consolas,monospace" font-size="${px}"`;
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const page = `<rect width="${width}" height="${height}" rx="8" fill="${paper}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${page}<g ${font} xml:space="preserve">${runs.join("")}</g></svg>\n`;
}

function svgRun(one: Ink, y: number): string {
  const { row_px, column_px, edge_px } = FONT;
  const [x, width] = [round(edge_px + one.column * column_px), round(one.columns * column_px)];
  const back = one.background
    ? `<rect x="${x}" y="${y}" width="${width}" height="${row_px}" fill="${one.background}"/>`
    : "";
  if (one.text.trim() === "" && !lineOf(one)) return back;
  const style = [
    one.classes.includes("bold") && ' font-weight="bold"',
    one.classes.includes("italic") && ' font-style="italic"',
    one.classes.includes("faint") && ' opacity=".75"',
    lineOf(one) && ` text-decoration="${lineOf(one)}"`,
  ].filter(Boolean);
  const at = `x="${x}" y="${y + row_px - 5}" textLength="${width}" lengthAdjust="spacingAndGlyphs"`;
  return `${back}<text ${at} fill="${one.color}"${style.join("")}>${escaped(one.text)}</text>`;
}

export function lineOf({ classes }: Ink): string {
  const lines = { under: "underline", strike: "line-through", over: "overline" } as const;
  return Object.entries(lines)
    .flatMap(([name, line]) => (classes.includes(name) ? [line] : []))
    .join(" ");
}

function round(px: number): number {
  return Math.round(px * 100) / 100;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? "");
}
