// The prompt editor: a text, a cursor in it, and earlier prompts. Pure: an editor and an edit make the next editor.
// The cursor is always between two characters as people see them, never inside one. Refuses: to know keys and terminals.
import { graphemes, layout, placeAt } from "./layout.ts";

/** As long as a task may be. */
export const PROMPT_CHARS_MAX = 100_000;
/** Prompts that Up brings back. */
const HISTORY_MAX = 200;

export interface Editor {
  readonly text: string;
  /** An index in the text. */
  readonly at: number;
  /** The column that Up and Down aim for. */
  readonly goal: number | null;
  /** Earlier prompts, oldest first. */
  readonly history: readonly string[];
  /** How far back in them. 0 is the person's own text. */
  readonly back: number;
  /** The person's own text while older ones are shown. */
  readonly draft: string;
  readonly killed: string;
}

export type Edit =
  | { readonly do: "insert"; readonly text: string }
  | { readonly do: "move"; readonly to: Target }
  | { readonly do: "delete"; readonly to: Target }
  /** Deletes text and keeps it for yank. */
  | { readonly do: "kill"; readonly to: Target }
  | { readonly do: "yank" }
  | { readonly do: "vertical"; readonly by: -1 | 1 }
  | { readonly do: "clear" };

export type Target = "left" | "right" | "word_left" | "word_right" | "blank_left" | "line_begin" | "line_end";

export const EMPTY_EDITOR: Editor = { text: "", at: 0, goal: null, history: [], back: 0, draft: "", killed: "" };

/** `cols`: the columns that its rows have. */
export function edited(editor: Editor, edit: Edit, cols: number): Editor {
  switch (edit.do) {
    case "insert":
      return inserted(editor, clean(edit.text));
    case "move":
      return { ...editor, at: targetOf(editor, edit.to), goal: null };
    case "delete":
      return removed(editor, edit.to);
    case "kill": {
      const [from, to] = rangeOf(editor, edit.to);
      return from === to ? editor : { ...removed(editor, edit.to), killed: editor.text.slice(from, to) };
    }
    case "yank":
      return inserted(editor, editor.killed);
    case "vertical":
      return vertical(editor, edit.by, cols);
    case "clear":
      return { ...editor, text: "", at: 0, goal: null, back: 0, draft: "" };
    default:
      return edit satisfies never;
  }
}

/** Remembers a prompt. A repeated one counts once. */
export function remembered(editor: Editor, text: string): Editor {
  if (text.trim() === "" || editor.history.at(-1) === text) return editor;
  const back = editor.back === 0 ? 0 : Math.min(editor.back + 1, HISTORY_MAX);
  return { ...editor, history: [...editor.history, text].slice(-HISTORY_MAX), back };
}

/** Normalises line ends, keeps tabs, and drops control characters. */
function clean(text: string): string {
  return text.replace(/\r\n?/gu, "\n").replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/gu, "");
}

function inserted(editor: Editor, text: string): Editor {
  const room = Math.max(0, PROMPT_CHARS_MAX - editor.text.length);
  const fits = text.length <= room ? text : text.slice(0, room).replace(/[\ud800-\udbff]$/u, "");
  if (fits === "") return editor;
  const { text: before, at } = editor;
  return withText(editor, before.slice(0, at) + fits + before.slice(at), at + fits.length);
}

function removed(editor: Editor, to: Target): Editor {
  const [from, end] = rangeOf(editor, to);
  return from === end ? editor : withText(editor, editor.text.slice(0, from) + editor.text.slice(end), from);
}

/** Joined text may now be one character to people. The cursor goes after it. */
function withText(editor: Editor, text: string, at: number): Editor {
  return { ...editor, text, at: boundary(text, at), goal: null };
}

function rangeOf(editor: Editor, to: Target): [number, number] {
  const target = targetOf(editor, to);
  // At the end of a line there is nothing left but the end itself.
  const isStuck = target === editor.at;
  const end = isStuck && to === "line_end" ? Math.min(target + 1, editor.text.length) : target;
  const begin = isStuck && to === "line_begin" ? Math.max(0, target - 1) : end;
  return begin < editor.at ? [begin, editor.at] : [editor.at, Math.max(end, editor.at)];
}

function targetOf({ text, at }: Editor, to: Target): number {
  switch (to) {
    case "left":
      return before(text, at);
    case "right":
      return after(text, at);
    case "word_left":
      return wordLeft(text.slice(0, at), WORD);
    case "word_right":
      return at + wordRight(text.slice(at), WORD);
    case "blank_left":
      return wordLeft(text.slice(0, at), NO_BLANK);
    case "line_begin":
      return lineBegin(text, at);
    case "line_end":
      return lineEnd(text, at);
    default:
      return to satisfies never;
  }
}

const WORD = /^[\p{L}\p{N}_]/u;
const NO_BLANK = /^\S/u;

/** Where the last word begins. */
function wordLeft(text: string, word: RegExp): number {
  const chars = graphemes(text);
  let i = chars.length;
  while (i > 0 && !word.test(chars[i - 1]?.text ?? "")) i -= 1;
  while (i > 0 && word.test(chars[i - 1]?.text ?? "")) i -= 1;
  return chars[i]?.index ?? text.length;
}

/** Where the first word ends. */
function wordRight(text: string, word: RegExp): number {
  const chars = graphemes(text);
  let i = 0;
  while (i < chars.length && !word.test(chars[i]?.text ?? "")) i += 1;
  while (i < chars.length && word.test(chars[i]?.text ?? "")) i += 1;
  return chars[i]?.index ?? text.length;
}

function lineBegin(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function before(text: string, at: number): number {
  const begin = lineBegin(text, at);
  if (begin === at) return Math.max(0, at - 1);
  return begin + (graphemes(text.slice(begin, at)).at(-1)?.index ?? 0);
}

function after(text: string, at: number): number {
  const line = text.slice(at, lineEnd(text, at));
  return line === "" ? Math.min(text.length, at + 1) : at + (graphemes(line)[0]?.text.length ?? 0);
}

/** The first place at or after this one that is not inside a character. */
function boundary(text: string, at: number): number {
  const begin = lineBegin(text, at);
  const line = text.slice(begin, lineEnd(text, at));
  if (at - begin >= line.length) return at;
  return begin + (graphemes(line).find(({ index }) => begin + index >= at)?.index ?? line.length);
}

/** Moves within the wrapped text, and beyond its ends through earlier prompts. */
function vertical(editor: Editor, by: -1 | 1, cols: number): Editor {
  const { rows, cursor } = layout(editor.text, editor.at, cols);
  const row = cursor.row + by;
  const goal = editor.goal ?? cursor.col;
  if (row >= 0 && row < rows.length) return { ...editor, at: placeAt(editor.text, rows, row, goal), goal };
  const { history, back } = editor;
  const next = back - by;
  if (next < 0 || next > history.length) return editor;
  const draft = back === 0 ? editor.text : editor.draft;
  const text = next === 0 ? draft : (history[history.length - next] ?? "");
  return { ...editor, text, at: text.length, goal: null, back: next, draft };
}
