// Which rows of a screen stand out as selected: in reverse video, on a background of their own, or by a pointer before them.
// Pure. It reports what is drawn so; a title bar that is drawn like a selection is one. Bars of keys and panels are not.
import type { Selected } from "../../protocol/ops/screen.ts";
import { cellWidth } from "../base/cell-width.ts";
import { lineText } from "../base/clean.ts";
import type { StyledRow } from "./engine.ts";
import { styleOf } from "./style-words.ts";

/** More parts than these in a row are a bar of keys, as in nano or mc. */
const PARTS_MAX = 3;
/** More rows than these are a panel, not a selection. */
const ROWS_MAX = 8;

/** A part of a row in one style. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly reverse: boolean;
  readonly back: string;
}

/** `parts`: whether a part of a row can be selected. In plain output a coloured word is just a coloured word. */
export function selectionOf(rows: readonly StyledRow[], cols: number, parts: "any" | "whole rows"): Selected[] {
  const spans = rows.map(spansOf);
  const base = commonBack(spans, cols);
  const drawn = spans.flatMap((all, row) => {
    const found = joined(all.filter((part) => part.reverse || part.back !== base)).filter(hasText);
    if (found.length > PARTS_MAX || (parts === "whole rows" && !isWhole(found, all))) return [];
    return found.map(({ from, to, text, reverse }) => {
      const by: Selected["by"] = reverse ? "reverse" : "background";
      return { row, from, to, text: text.trim(), by };
    });
  });
  const marked = pointers(rows.map(({ runs }) => lineText(runs))).filter(
    ({ row }) => !drawn.some((one) => one.row === row),
  );
  const all = [...drawn, ...marked].sort((a, b) => a.row - b.row || a.from - b.from);
  return new Set(all.map(({ row }) => row)).size > ROWS_MAX ? [] : all;
}

function spansOf({ runs }: StyledRow): Span[] {
  let col = 0;
  return runs.map((run) => {
    const from = col;
    for (const char of run.text) col += cellWidth(char);
    const { reverse, back } = styleOf(run.sgr);
    return { from, to: col, text: lineText([run]), reverse, back };
  });
}

/** Neighbours of one kind are one span, whatever else differs in them. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of spans) {
    const last = all.at(-1);
    if (last && last.to === span.from && last.reverse === span.reverse)
      all[all.length - 1] = { ...last, to: span.to, text: last.text.padEnd(span.from - last.from) + span.text };
    else all.push(span);
  }
  return all;
}

function hasText({ text }: Span): boolean {
  return text.trim() !== "";
}

/** Whether one span has all the text of its row. */
function isWhole([only, ...others]: readonly Span[], row: readonly Span[]): boolean {
  if (!only || others.length > 0) return false;
  return row.every((span) => !hasText(span) || (span.from >= only.from && span.to <= only.to));
}

/** The background of most cells. A program may colour the whole screen. */
function commonBack(rows: readonly (readonly Span[])[], cols: number): string {
  const cells = new Map<string, number>();
  const add = (back: string, count: number) => cells.set(back, (cells.get(back) ?? 0) + count);
  for (const spans of rows) {
    for (const { back, from, to } of spans) add(back, to - from);
    add("", cols - (spans.at(-1)?.to ?? 0));
  }
  return [...cells].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
}

/** A pointer, and the text that it points at. */
const POINTER = /^(\s*(?:[│|]\s*)?)([❯›▸▶►➤»→>*●◉])(\s+)(?=\S)/u;
/** The same line without the pointer: a choice that is not taken. */
const OTHER = /^\s*(?:[│|]\s*)?[○◯◌]?\s*(?=\S)/u;

/** One row alone points, and one beside it has its text in the same column. */
function pointers(rows: readonly string[]): Selected[] {
  const all = rows.flatMap((text, row) => {
    const [whole, before = "", pointer = ""] = POINTER.exec(text) ?? [];
    return whole === undefined ? [] : [{ row, from: whole.length, key: `${before.length}${pointer}`, text }];
  });
  return all.flatMap(({ row, from, key, text }) => {
    const isChoice = (other = "") => !POINTER.test(other) && OTHER.exec(other)?.[0].length === from;
    // Several such rows are an enumeration, or quotes.
    if (all.filter((one) => one.key === key).length > 1) return [];
    if (!isChoice(rows[row - 1]) && !isChoice(rows[row + 1])) return [];
    return [{ row, from, to: text.length, text: text.slice(from), by: "pointer" as const }];
  });
}
