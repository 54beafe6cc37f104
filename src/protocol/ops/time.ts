// Verbs about what a session showed and printed in the past.
import * as z from "zod";
import { op } from "../op.ts";
import { AllHosts, At, Cols, Cursor, Missing, OnHost, Rows, SessionId, SessionRef, Ts } from "../words/ids.ts";

/** Enough for one mark per pixel of any screen. */
export const MARKS_MAX = 5_000;

export const timeline = op("timeline", {
  summary: "Show when output came, sizes changed and the program ended, by cursor.",
  effect: "read",
  input: z.object({ session_id: SessionRef }),
  output: z.object({
    session_id: SessionId,
    started_at: Ts,
    ended_at: Ts.nullable(),
    latest_at: Ts.describe("the time of the last known event"),
    total_bytes: Cursor,
    cols: Cols,
    rows: Rows,
    marks: z
      .array(z.object({ cursor: Cursor, ts: Ts }))
      .max(MARKS_MAX)
      .describe("output from this cursor on came at this time or later"),
    resizes: z.array(z.object({ cursor: Cursor, ts: Ts, cols: Cols, rows: Rows })),
    exit_code: z.int().nullable(),
    signal: z.string().nullable(),
  }),
});

export const ExportFormat = z.enum(["cast", "text", "html"]);
export type ExportFormat = z.output<typeof ExportFormat>;

export const exportSession = op("export", {
  summary: "Turn a session into a file: an asciicast v3 recording, its whole text, or a page in colour.",
  effect: "read",
  input: z.object({
    session_id: SessionRef,
    format: ExportFormat.default("text").describe("the format"),
    from: At.optional(),
    to: At.optional(),
    after: z.string().max(100).optional().describe("`next` of the previous part; keep `from` and `to`"),
  }),
  output: z.object({
    session_id: SessionId,
    format: ExportFormat,
    from: Cursor,
    to: Cursor,
    media_type: z.string(),
    content: z.string().describe("one part; the file is all parts one after the other"),
    next: z.string().nullable().describe("null after the last part"),
  }),
  cli: {
    verb: "export",
    args: ["session_id"],
    choice: "format",
    answer: "file",
    print: "past",
    examples: ["duetty export web --cast -o web.cast", "duetty export web --text | less", "duetty export web --html"],
  },
  mcp: {
    title: "Export a session",
    description:
      "Turn a session into one text: all it printed, an asciicast v3 recording (cast) or a page in colour (html), secrets hidden. It comes in parts: go on with `next` until there is none.",
    tier: "all",
    hints: { readOnly: true },
  },
});

/** One answer is read by a person or a model; more comes with `after`. */
const MATCHES_MAX = 500;

export const SearchCase = z.enum(["sensitive", "insensitive"]);
export type SearchCase = z.output<typeof SearchCase>;

export const Match = z.object({
  session_id: SessionId,
  cursor: Cursor.describe("right after the match; the screen at this cursor shows it"),
  line: z.int().describe("lines printed before this one"),
  text: z.string().describe("the line, or the part of a long one around the match"),
  column: z.int().describe("where the match begins in the text"),
  length: z.int().describe("the length of the match"),
});
export type Match = Readonly<z.output<typeof Match>>;

export const search = op("search", {
  summary: "Find text in everything that one session or all sessions ever printed, the newest first. Ignores colours.",
  effect: "read",
  input: z.object({
    query: z.string().min(1).max(500).describe("what to look for"),
    session_id: SessionRef.optional(),
    regex: z.boolean().default(false).describe("the query is a regular expression"),
    case: SearchCase.default("sensitive").describe("whether capitals matter"),
    limit: z.int().min(1).max(MATCHES_MAX).default(100).describe("most matches in one answer"),
    after: z.string().max(100).optional().describe("`next` of the previous answer"),
    host: OnHost,
    hosts: AllHosts,
  }),
  output: z.object({
    matches: z.array(Match),
    truncated: z.boolean().describe("there may be more; continue with `next`"),
    next: z.string().nullable(),
    missing: Missing,
  }),
  cli: {
    verb: "search",
    args: ["query"],
    print: "past",
    also: { all: { hosts: "all" } },
    examples: [
      "duetty search 'connection refused'",
      "duetty search --session web --regex '\\d+ failed'",
      "duetty search 'connection refused' --all",
    ],
  },
  mcp: {
    title: "Search output",
    description:
      "Find text in all that one session, or every session, ever printed, instead of running it again. Newest first, each line with its cursor: pty_read_screen with `at` shows that moment.",
    tier: "readonly",
    hints: { readOnly: true },
    defaults: { limit: 20 },
  },
});
