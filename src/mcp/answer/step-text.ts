// The text of an answer to typing or waiting: one line that says how it went, then the rows that are new to the caller. It is
// read after every step, so all that is not rows has a limit. Pure.
import { marked } from "../../core/base/invisible.ts";
import type { Output } from "../../protocol/ops.ts";
import type { Fence } from "../fence.ts";

/** The first line and the fence, in bytes. */
const FRAME_BYTES_MAX = 60;
/** Enough of a match to know it again. */
const MATCH_CHARS_MAX = 20;
/** Enough of a selected part. */
const SELECTED_CHARS_MAX = 60;

type Step = Output<"pty_wait">;
type Rows = Pick<Step, "changes" | "screen" | "whole">;
type Row = NonNullable<Step["changes"]>[number];

export function stepText(step: Step, fence: Fence): string {
  const { screen, missed_lines, hint } = step;
  const { rows, body } = rowsText(step, fence);
  const frame = Buffer.byteLength(body) - Buffer.byteLength(rows) + 1;
  const missed = `[${missed_lines} lines scrolled past: pty_read_screen with scrollback ${missed_lines}]`;
  return [
    headOf(step, FRAME_BYTES_MAX - frame),
    ...(missed_lines ? [missed] : []),
    ...(body === "" ? [] : [body]),
    ...(screen.hold_note === undefined ? [] : [`[Note from the person: ${screen.hold_note}]`]),
    ...(hint === undefined ? [] : [hint]),
  ].join("\n");
}

/** The rows in their fence. */
export function rowsText({ changes = [], screen, whole }: Rows, fence: Fence) {
  const rows = rowLines(changes, screen.selected ?? []).join("\n");
  return { rows, body: fence(rows, !whole ? "" : screen.alt_screen ? "alt screen " : "screen ") };
}

/** What came of it, without the screen. */
export function outcomeText(step: Step): string {
  return `${outcomeOf(step)}${matchOf(step)}${exitOf(step)}`;
}

/** The most that fits. What is left out is in pty_screen_status. */
function headOf(step: Step, bytesMax: number): string {
  const { echo } = step.screen;
  const ends = `${exitOf(step)}${echo === "off" && step.outcome !== "echo_off" ? ", echo off" : ""}`;
  const place = cursorText(step);
  const at = place === "" ? "" : `, ${place}`;
  const outcome = outcomeOf(step);
  const heads = [`${outcome}${matchOf(step)}${ends}${at}`, `${outcome}${ends}${at}`, `${outcome}${ends}`];
  return heads.find((head) => Buffer.byteLength(head) <= bytesMax) ?? outcome;
}

/** Who waited for nothing is not told that it came. */
function outcomeOf({ outcome, matched }: Step): string {
  return outcome === "matched" && (matched === null || matched === undefined) ? "sent" : outcome;
}

function exitOf({ exit_code }: Step): string {
  return typeof exit_code === "number" ? `, exit ${exit_code}` : "";
}

/** A text that matched is in the rows. A condition has only its name. */
function matchOf({ outcome, matched, changes = [] }: Step): string {
  if (
    matched === null ||
    matched === undefined ||
    matched === outcome ||
    changes.some(({ text }) => text.includes(matched))
  )
    return "";
  if (/^[a-z_]+$/.test(matched)) return ` ${matched.slice(0, MATCH_CHARS_MAX)}`;
  return ` ${JSON.stringify(marked(matched).slice(0, MATCH_CHARS_MAX))}`;
}

/** Where the cursor is, if it is not where a reader expects it. */
export function cursorText({ changes, screen }: Rows): string {
  const { cursor } = screen;
  return !cursor.visible ? "no cursor" : isAfterRows({ changes, screen }) ? "" : `at ${cursor.row},${cursor.col}`;
}

/** Behind the last row that is told, or a blank further. */
function isAfterRows({ changes = [], screen: { cursor } }: Rows): boolean {
  const last = changes.at(-1);
  if (!last || cursor.row !== last.row) return false;
  return cursor.col === last.text.length || cursor.col === last.text.length + 1;
}

/** `N| text`, and `N-M| text` for rows that are alike. No program writes such a number, so none of its rows is taken for ours. */
function rowLines(changes: readonly Row[], selected: NonNullable<Step["screen"]["selected"]>): string[] {
  const lines: { from: number; to: number; said: string }[] = [];
  for (const { row, text } of changes) {
    const said = saidOf(
      text,
      selected.filter((one) => one.row === row),
    );
    const last = lines.at(-1);
    if (last && last.to === row - 1 && last.said === said) last.to = row;
    else lines.push({ from: row, to: row, said });
  }
  return lines.map(({ from, to, said }) => `${from === to ? from : `${from}-${to}`}${said}`);
}

/** A selected row has » instead of |. Where only parts of it are selected, they stand behind it. */
function saidOf(text: string, selected: NonNullable<Step["screen"]["selected"]>): string {
  if (selected.length === 0) return text === "" ? "|" : `| ${text}`;
  const parts = selected.map((one) => one.text.slice(0, SELECTED_CHARS_MAX));
  const isWhole = selected.some((one) => one.by === "pointer" || one.text.trim() === text.trim());
  return isWhole ? `» ${text}` : `| ${text} » ${parts.join(" » ")}`;
}
