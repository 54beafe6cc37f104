// A screen as callers read it, and the verbs that read it.
import * as z from "zod";
import { op } from "../op.ts";
import { At, Cols, Cursor, Hash, Range, Rows, SessionId, SessionRef, Ts } from "../words/ids.ts";
import { CursorAt, Echo, MouseMode } from "../words/program.ts";
import { RawNote } from "../words/raw.ts";
import { SessionState } from "./session.ts";

/** Columns; `to` is exclusive. What is in no span is output. */
export const ZoneSpan = z.object({
  row: z.int(),
  from: z.int(),
  to: z.int(),
  zone: z.enum(["prompt", "input", "output"]),
});
export type ZoneSpan = Readonly<z.output<typeof ZoneSpan>>;

/** Columns; `to` is exclusive. */
export const Selected = z.object({
  row: z.int(),
  from: z.int(),
  to: z.int(),
  text: z.string(),
  by: z.enum(["reverse", "background", "pointer"]),
});
export type Selected = Readonly<z.output<typeof Selected>>;

export const Screen = z.object({
  session_id: SessionId,
  seq: z.int(),
  hash: Hash,
  cols: Cols,
  rows_count: Rows,
  rows: z.array(z.string()),
  cursor: CursorAt,
  title: z.string(),
  alt_screen: z.boolean(),
  mouse: MouseMode,
  bracketed_paste: z.boolean(),
  echo: Echo,
  foreground: z.object({ pid: z.int(), name: z.string() }).nullable(),
  state: SessionState,
  hold: z.string(),
  hold_note: z.string().optional().describe("what a person said when they took the keyboard or gave it back"),
  scrollback: z.array(z.string()),
  scrollback_total: z.int(),
  cursor_bytes: Cursor,
  behind_bytes: z.int().optional().describe("printed and not on this screen yet; left out when it is current"),
  selected: z.array(Selected).optional().describe("what is drawn as selected, if anything is"),
  first_row: z.int().optional().describe("number of the first row given, when only some were asked for"),
  zones: z
    .array(ZoneSpan)
    .optional()
    .describe("columns the shell marked as prompt or input, `to` not included; the rest is output"),
  content: z.string().optional().describe("the screen in the format that was asked for"),
  unchanged: z.boolean().optional().describe("true when since_hash or since_seq is still current; rows are left out"),
  ts: Ts,
});
export type Screen = z.output<typeof Screen>;

export const readScreen = op("pty_read_screen", {
  summary: "Read what the terminal shows now, as text rows.",
  effect: "read",
  input: z.object({
    session_id: SessionRef,
    scrollback: z
      .int()
      .min(0)
      .max(10_000)
      .default(0)
      .describe("also this many lines from above the screen, at most 10000"),
    format: z
      .enum(["json", "text", "rows", "styled", "ansi", "html"])
      .default("json")
      .describe("also give it as one string; styled: each row with its number and what is bold, reverse, coloured"),
    rows: Range.optional().describe("only these rows, FROM:TO, counted from 0, both included; -3: is the last three"),
    zones: z.boolean().default(false).describe("also say which parts are prompt, input and output"),
    at: At.optional(),
    since_hash: z.string().optional().describe("answer in one line if the screen still has this hash"),
    since_seq: z.int().optional().describe("answer in one line if the screen still has this seq"),
  }),
  output: Screen,
  cli: {
    verb: "see",
    args: ["session_id"],
    print: "screen",
    examples: ["duetty see web", "duetty see web --json --scrollback 200", "duetty see web --at -5s"],
  },
  mcp: {
    title: "Read the screen",
    description:
      "Read what a terminal shows: rows (from 0), cursor, what is selected in a menu, program in front, whether it echoes, who has the keyboard. With since_hash or since_seq of the last reading: one line if nothing changed. `at` shows an earlier moment.",
    tier: "readonly",
    core: true,
    hints: { readOnly: true },
    hide: ["zones"],
  },
});

/** One answer may carry this much: more is read by asking again from `next`. */
export const RAW_BYTES_MAX = 1 << 20;

export const readRaw = op("pty_read_raw", {
  summary: "Read the exact bytes a session printed, from a cursor on.",
  effect: "read",
  input: z.object({
    session_id: SessionRef,
    from: Cursor.default(0).describe("first byte"),
    length: z.int().min(1).max(RAW_BYTES_MAX).default(RAW_BYTES_MAX).describe("most bytes in one answer"),
  }),
  output: z.object({
    session_id: SessionId,
    from: Cursor,
    next: Cursor,
    total: Cursor,
    base64: z.string(),
    ...RawNote.shape,
  }),
  cli: {
    verb: "raw",
    args: ["session_id"],
    print: "screen",
    examples: ["duetty raw web > out.bin", "duetty raw web --from 4096 --json"],
  },
  mcp: {
    title: "Read raw bytes",
    description:
      "Read the bytes a session printed, escape sequences included, from a byte offset on: to debug what a program draws. Returns base64 and `next`, the offset to go on from.",
    tier: "all",
    hints: { readOnly: true },
    defaults: { length: 2_000 },
  },
});
