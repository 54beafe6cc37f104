// The prompt box of an agent CLI, read from its screen: where it is, whether it is empty, what stands in it. Faint text in it is
// a hint of the program, not somebody's draft. Pure. What cannot be told is missing, never empty.
import type { Box } from "./preset.ts";

/** A part of a row in one look. coloured: neither faint nor in the terminal's own colour. */
export interface Piece {
  readonly text: string;
  readonly look: "plain" | "faint" | "coloured" | "reverse";
}

export type BoxNow =
  | { readonly is: "missing" }
  | { readonly is: "empty"; readonly row: number }
  | { readonly is: "text"; readonly row: number; readonly text: string };

/** The line below a box. */
const BORDER = /^\s*[╰└╚╭┌╔─━═▀▄▁▔]/;
const SIDE = /[│┃║|]\s*$/;
/** A program may show a large paste as a mark. */
const PASTE_MARK = /^\[past(?:e|ed)\b[^\]]*\]$/i;
/** A box that shows this much of a text and nothing else shows a part of it. */
const PART_CHARS_MIN = 12;

export function boxIn(box: Box, rows: readonly (readonly Piece[])[]): BoxNow {
  const texts = rows.map((pieces) => pieces.map(({ text }) => text).join(""));
  const row = texts.findLastIndex((text) => box.sign(text)?.at === 0);
  const first = rows[row];
  if (!first) return { is: "missing" };
  const begin = after(first, box.sign(texts[row] ?? "")?.length ?? 0);
  const below = rows.slice(row + 1, endOf(texts, row)).map(typed);
  const text = [isHint(box, begin) ? "" : typed(begin), ...below].join("\n").trim();
  return text === "" ? { is: "empty", row } : { is: "text", row, text };
}

/** The first row that is not of the box any more: its border, or a blank row where it has none. */
function endOf(texts: readonly string[], row: number): number {
  const found = (isEnd: (text: string) => boolean) => texts.findIndex((text, i) => i > row && isEnd(text));
  const border = found((text) => BORDER.test(text));
  const blank = border > 0 ? border : found((text) => text.trim() === "");
  return blank > 0 ? blank : texts.length;
}

function after(pieces: readonly Piece[], length: number): Piece[] {
  let skip = length;
  return pieces.flatMap(({ text, look }) => {
    const rest = text.slice(skip);
    skip = Math.max(0, skip - text.length);
    return rest === "" ? [] : [{ text: rest, look }];
  });
}

/** What somebody typed: not what the program suggests behind it, and not the side of the box. */
function typed(pieces: readonly Piece[]): string {
  const own = pieces.map(({ text, look }) => (look === "faint" ? " ".repeat(text.length) : text)).join("");
  return own.replace(SIDE, "").trimEnd();
}

/** A hint of the program, which may have its cursor on the first character. */
function isHint({ hint }: Box, pieces: readonly Piece[]): boolean {
  const shown = pieces.filter(({ text }) => text.replace(SIDE, "").trim() !== "");
  const [first, second] = shown;
  const isUnderCursor = first?.look === "reverse" && [...first.text].length === 1 && second !== undefined;
  const rest = isUnderCursor ? shown.slice(1) : shown;
  if (rest.every(({ look }) => look === "faint")) return true;
  const text = shown.map((piece) => piece.text).join("");
  return rest.every(({ look }) => look !== "plain") && hint?.test(text.replace(SIDE, "").trim()) === true;
}

/** How much of a text stands in the box. part: the box shows no more, or only a mark of it. no: something else does. */
export function shows(box: BoxNow | undefined, text: string): "all" | "part" | "no" {
  if (box?.is !== "text") return "no";
  const [shown, whole] = [bare(box.text), bare(text)];
  if (shown === whole) return "all";
  const isPart = shown.length >= PART_CHARS_MIN && whole.includes(shown);
  return isPart || PASTE_MARK.test(box.text) ? "part" : "no";
}

/** How often a text stands in rows, wherever they break. */
export function countIn(rows: readonly (readonly Piece[])[], text: string): number {
  const shown = bare(rows.flatMap((pieces) => pieces.map((piece) => piece.text)).join(""));
  const wanted = bare(text);
  return wanted === "" ? 0 : shown.split(wanted).length - 1;
}

/** Without blanks and lines, which boxes and breaks change. */
function bare(text: string): string {
  return text.replace(/[\s│┃║|╭╮╰╯─━]/g, "");
}
