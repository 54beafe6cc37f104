// Agent mode as rows: the conversation, a line, the prompt. Pure, except for the conversation's cache of rows.

import type { ConversationRows } from "../conversation/conversation.ts";
import { type Row, styled } from "../conversation/rows.ts";
import { cut } from "../text/width.ts";
import type { Area } from "./canvas.ts";
import type { Editor } from "./editor/editor.ts";
import { layout } from "./editor/layout.ts";
import type { OuterModes } from "./outer-screen.ts";

/** The prompt grows to this many rows, then it scrolls. */
const PROMPT_ROWS_MAX = 8;
const MARK = "> ";
/** Keys in their plain form, and the wheel. */
export const TALK_MODES: OuterModes = {
  application_cursor: false,
  application_keypad: false,
  bracketed_paste: true,
  mouse: "normal",
  mouse_format: "sgr",
  kitty_keyboard: 0,
};

export interface Picture {
  /** As many as the area has, no wider than it. */
  readonly rows: readonly string[];
  readonly cursor: { readonly row: number; readonly col: number };
}

/** Rows that are below the visible ones, and how many there were then. */
export interface Scroll {
  readonly above: number;
  readonly total: number;
}

const WELCOME: readonly Row[] = [
  { text: "  Say what the agent should do in this session, and press Enter.", tone: "plain" },
  { text: "  !command runs it in the terminal, Ctrl+T goes there and back.", tone: "dim" },
  { text: "  Alt+Enter begins a new line, Up brings back what was asked.", tone: "dim" },
];

export function promptCols({ cols }: Area): number {
  return Math.max(2, cols - MARK.length);
}

/** Rows that the conversation has. */
export function talkRoom(editor: Editor, area: Area): number {
  return Math.max(0, area.rows - promptOf(editor, area).rows.length - 1);
}

export function pictureOf(
  talk: ConversationRows,
  editor: Editor,
  before: Scroll,
  area: Area,
): { picture: Picture; scroll: Scroll } {
  const prompt = promptOf(editor, area);
  const room = Math.max(0, area.rows - prompt.rows.length - 1);
  const all = talk.isEmpty ? WELCOME.map((row) => ({ ...row, text: cut(row.text, area.cols) })) : talk.rows(area.cols);
  // A person who reads further up stays there while more arrives.
  const grown = before.above > 0 ? all.length - before.total : 0;
  const above = Math.min(Math.max(0, before.above + grown), Math.max(0, all.length - room));
  const shown = all.slice(Math.max(0, all.length - above - room), all.length - above).map(styled);
  const blank = Array.from({ length: Math.max(0, room - shown.length) }, () => "");
  const line = area.rows > prompt.rows.length ? [divider(above, area.cols)] : [];
  const rows = [...shown, ...blank, ...line, ...prompt.rows];
  const cursor = { row: rows.length - prompt.rows.length + prompt.cursor.row, col: prompt.cursor.col };
  return { picture: { rows, cursor }, scroll: { above, total: all.length } };
}

function divider(above: number, cols: number): string {
  const words = above > 0 ? ` ${above} more below: PageDown ` : "";
  return styled({ text: cut(`──${words}${"─".repeat(cols)}`, cols).replace(/…$/u, "─"), tone: "dim" });
}

/** The part of the prompt with the cursor in it. */
function promptOf(editor: Editor, area: Area): Picture {
  const { rows, cursor } = layout(editor.text, editor.at, promptCols(area));
  const max = Math.max(1, Math.min(PROMPT_ROWS_MAX, area.rows >> 1));
  const top = Math.max(0, cursor.row - max + 1);
  const shown = rows.slice(top, top + max).map(({ shown: text }, i) => {
    const mark = i + top === 0 ? styled({ text: MARK, tone: "person" }) : "  ";
    return `${mark}${text}`;
  });
  return { rows: shown, cursor: { row: cursor.row - top, col: Math.min(cursor.col + MARK.length, area.cols - 1) } };
}
