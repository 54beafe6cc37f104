// The question of an agent above the status line: who wants what, the whole text, what it would read, and where it would happen.
// A long one is read by pages. Pure: a state becomes rows of exactly the terminal's width, at most half of its rows.
import { laterWords, partsOf, riskWords, ruleWords, wants } from "../../core/base/question-words.ts";
import type { Approval } from "../../protocol/ops/gate.ts";
import { visible } from "../text/harmless.ts";
import { cut, wrapped } from "../text/width.ts";
import { lineOf, type Piece, STYLE } from "./pieces.ts";
import { type AttachState, calledBy, type PromptText, proposed } from "./state.ts";

/** A smaller terminal keeps its rows for the program. It names the question in its status line and cannot approve it. */
export const QUESTION_ROWS_MIN = 8;

/** Room for the longest name of a part, and a blank. */
const NAME_COLS = 9;

export interface LineView {
  readonly cols: number;
  /** Rows of the terminal. */
  readonly rows: number;
  /** Milliseconds since the epoch, for expiry times. */
  readonly now: number;
  /** Monotonic, for how long something was shown. */
  readonly at: number;
  /** The session's size when it does not fit. */
  readonly clippedFrom: { readonly cols: number; readonly rows: number } | undefined;
  readonly prompt?: PromptText;
}

/** How far a question has been read. */
export interface Reading {
  /** Whether its last row is in view, after all rows before it. */
  readonly isWhole: boolean;
  /** Rows that one page shows. */
  readonly page: number;
  /** The first row of the last page. */
  readonly last: number;
}

export function readingOf(state: AttachState, view: LineView): Reading {
  const approval = proposed(state);
  const page = Math.max(1, (view.rows >> 1) - 1);
  if (!approval || view.rows < QUESTION_ROWS_MIN) return { isWhole: false, page, last: 0 };
  const last = Math.max(0, bodyOf(approval, state, view).length - page);
  return { isWhole: state.scrolled >= last, page, last };
}

/** Its first line, then a page of the rest. */
export function questionLines(state: AttachState, view: LineView): string[] {
  const approval = proposed(state);
  if (!approval || view.rows < QUESTION_ROWS_MIN) return [];
  const { page, last } = readingOf(state, view);
  const from = Math.min(state.scrolled, last);
  const rows = bodyOf(approval, state, view).slice(from, from + page);
  return [headOf(approval, state, view), ...rows.map((row) => lineOf(row, view.cols))];
}

/** The text, then its parts. The name of a part has a colour that no text can have. */
function bodyOf(approval: Approval, state: AttachState, view: LineView): Piece[][] {
  const rowsOf = (text: string, cols: number) => text.split("\n").flatMap((line) => wrapped(visible(line), cols));
  const text = isInHead(approval, state, view) ? [] : rowsOf(approval.text, view.cols);
  const parts = partsOf(approval).flatMap(({ name, text }) =>
    rowsOf(text, Math.max(1, view.cols - NAME_COLS)).map((row, i) => [
      fixed((i === 0 ? ` ${name} ` : "").padEnd(NAME_COLS - 1), STYLE.alert),
      fixed(` ${row}`, STYLE.plain),
    ]),
  );
  const later = approval.waits ? [] : wrapped(visible(laterWords(approval)), view.cols);
  return [...text.map((row) => [fixed(row, STYLE.strong)]), ...parts, ...later.map((row) => [fixed(row, STYLE.plain)])];
}

function fixed(text: string, sgr: string): Piece {
  return { texts: [text], weight: 0, sgr };
}

/** A short text has no rows of its own. */
function isInHead(approval: Approval, state: AttachState, view: LineView): boolean {
  const line = headWith(approval, state, view, visible(approval.text)).replace(/\x1b\[[\d;]*m/g, "");
  return !approval.text.includes("\n") && line.includes(visible(approval.text));
}

function headOf(approval: Approval, state: AttachState, view: LineView): string {
  return headWith(approval, state, view, isInHead(approval, state, view) ? visible(approval.text) : "");
}

function headWith(approval: Approval, state: AttachState, view: LineView, text: string): string {
  const risk = riskWords(approval) ?? "";
  const who = visible(calledBy(approval.actor));
  const verb = visible(wants(approval));
  const pieces: Piece[] = [
    {
      texts: [` ${who} ${verb}: `, ` ${cut(who, 12)} ${cut(verb, 24)}: `, ` ${cut(who, 8)}: `, " ? "],
      weight: 70,
      sgr: STYLE.alert,
    },
    { texts: [cut(text, 60), cut(text, 24), cut(text, 8)], grows: text, weight: 80, sgr: STYLE.strong },
    { texts: [risk && ` ${risk} `, approval.class ? ` ${approval.class} ` : "", ""], weight: 75, sgr: STYLE.alert },
    { texts: [` (${visible(ruleWords(approval))}) `, ""], weight: 30, sgr: STYLE.plain },
    { texts: [leftOf(approval, state, view.now), ""], weight: 58, sgr: STYLE.alert, side: "right" },
  ];
  return lineOf(pieces, view.cols);
}

/** How many more questions there are, and how long this one can still be answered. */
export function leftOf({ expires_at, waits }: Approval, { approvals }: AttachState, now: number): string {
  const left = `${Math.max(0, Math.ceil((expires_at - now) / 1_000))} s`;
  const seconds = waits ? left : `no longer waiting, open ${left}`;
  return approvals.length > 1 ? ` ${seconds}, ${approvals.length - 1} more ` : ` ${seconds} `;
}
