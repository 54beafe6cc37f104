// The prompt box of an agent CLI, read from its screen: where it is, whether it is empty, what stands in it. Faint text in it is
// a hint of the program, not somebody's draft. Pure. What cannot be told is missing, never empty. A draft may hold anything, also
// what looks like a box. What tells them apart: all lines of a draft but the first are indented, and a box has one row if it is
// empty.
import type { Box } from "./preset.ts";

/** A part of a row in one look. coloured: neither faint nor in the terminal's own colour. */
export interface Piece {
  readonly text: string;
  readonly look: "plain" | "faint" | "coloured" | "reverse";
}

export type BoxNow =
  | { readonly is: "missing" }
  /** isGuess: a cursor stands on a hint that nobody knows. It may be one typed character and a suggestion. */
  | { readonly is: "empty"; readonly row: number; readonly isGuess: boolean }
  | { readonly is: "text"; readonly row: number; readonly text: string };

/** The lines around a box. They begin in the first column. A name may stand in the upper one. */
const LOWER = /^[╰└╚]?[─━═▀▄▁▔]{8,}[╯┘╝]?$/;
const UPPER = /^[╭┌╔]?[─━═▀▄▁▔]{8,}(?:.*[─━═▀▄▁▔])?[╮┐╗]?$/;
const SIDED = /^[│┃║]/;
const SIDE = /[│┃║]\s*$/;
/** A program may show a large paste as a mark. */
const PASTE_MARK = /^\[past(?:e|ed)\b[^\]]*\]$/i;
/** A mark for a paste or a picture is somebody's, whatever its look. */
const MARK = /\[[^\]]*\]/;
/** A box that shows this much of a text and nothing else shows a part of it. */
const PART_CHARS_MIN = 12;
/** On a lower screen a box may have one row, whatever stands in it. */
const SCREEN_ROWS_MIN = 10;
const MISSING: BoxNow = { is: "missing" };

export function boxIn(box: Box, rows: readonly (readonly Piece[])[]): BoxNow {
  const texts = rows.map((pieces) =>
    pieces
      .map(({ text }) => text)
      .join("")
      .trimEnd(),
  );
  const row = texts.findLastIndex((text) => box.sign(text)?.at === 0);
  const end = row < 0 ? 0 : box.isOpen ? openEnd(texts, row) : framedEnd(texts, row);
  if (end === 0 || rows.length < SCREEN_ROWS_MIN) return MISSING;
  const isSided = SIDED.test(texts[row] ?? "");
  const [first = [], ...below] = rows.slice(row, end).map((pieces) => (isSided ? withoutSide(pieces) : pieces));
  const begin = after(first, box.sign(texts[row] ?? "")?.length ?? 0);
  const hint = hintIn(box, begin);
  const text = [hint ? "" : typed(begin), ...below.map(typed)].join("\n").trim();
  if (text !== "") return { is: "text", row, text };
  const isEmpty = below.length === 0 && hint !== undefined && (hint !== "none" || !box.isOpen);
  return isEmpty ? { is: "empty", row, isGuess: hint === "guess" } : MISSING;
}

/** The line below a box with lines, or 0: it is not whole, or another one follows. */
function framedEnd(texts: readonly string[], row: number): number {
  const [above = "", end] = [texts[row - 1], texts.findIndex((text, i) => i > row && LOWER.test(text))];
  const isLast = !texts.some((text, i) => i > end && UPPER.test(text));
  return end > 0 && isLast && UPPER.test(above) && texts[end]?.length === above.length ? end : 0;
}

/** The blank row below a box without lines: the last one, as a draft may have blank rows, too. */
function openEnd(texts: readonly string[], row: number): number {
  const last = texts.findLastIndex((text) => text !== "");
  const end = texts.findLastIndex((text, i) => i < last && text === "");
  return end > row && (texts[row - 1] ?? "") === "" ? end : 0;
}

function after(pieces: readonly Piece[], length: number): Piece[] {
  let skip = length;
  return pieces.flatMap(({ text, look }) => {
    const rest = text.slice(skip);
    skip = Math.max(0, skip - text.length);
    return rest === "" ? [] : [{ text: rest, look }];
  });
}

function withoutSide(pieces: readonly Piece[]): Piece[] {
  const at = pieces.findLastIndex(({ text }) => text.trim() !== "");
  return pieces.map((piece, i) => (i === at ? { ...piece, text: piece.text.replace(SIDE, "") } : piece));
}

/** What somebody typed: not what the program suggests behind it. */
function typed(pieces: readonly Piece[]): string {
  const isHint = ({ text, look }: Piece) => look === "faint" && !MARK.test(text);
  return pieces
    .map((piece) => (isHint(piece) ? " ".repeat(piece.text.length) : piece.text))
    .join("")
    .trimEnd();
}

/** Which hint of the program stands there, and nothing else. It may have its cursor on the first character. */
function hintIn({ hint }: Box, pieces: readonly Piece[]): "none" | "known" | "faint" | "guess" | undefined {
  const shown = pieces.filter(({ text }) => text.trim() !== "");
  const text = shown.map((piece) => piece.text).join("");
  const [first, ...others] = shown;
  if (!first) return "none";
  const isUnderCursor = first.look === "reverse" && [...first.text].length === 1 && others.length > 0;
  const rest = isUnderCursor ? others : shown;
  if (MARK.test(text)) return undefined;
  if (rest.every(({ look }) => look === "faint" || look === "coloured") && hint?.test(text.trim())) return "known";
  if (!rest.every(({ look }) => look === "faint")) return undefined;
  return isUnderCursor ? "guess" : "faint";
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

/** Without blanks and lines, which boxes and breaks change, and without what terminals do not show. */
function bare(text: string): string {
  return text.replace(/[\s\p{C}\p{M}│┃║|╭╮╰╯─━]/gu, "");
}
