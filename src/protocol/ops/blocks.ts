// Commands of a session as objects, and the verbs that read them; history, for a person who writes the next one.
import * as z from "zod";
import { op } from "../op.ts";
import { Cursor, Range, SessionId, SessionRef, Ts } from "../words/ids.ts";
import { Integration, NestedPlace } from "../words/program.ts";
import { RawNote } from "../words/raw.ts";

export const BlockId = z
  .string()
  .regex(/^b_[0-9a-z]{8}_\d{1,9}$/, { error: "must be a block's id, such as b_1a2b3c4d_7" });

export const Block = z.object({
  block_id: BlockId,
  session_id: SessionId,
  cmd: z.string().nullable().describe("the command line; null when the shell did not know it"),
  entered: z
    .literal(true)
    .optional()
    .describe("a person entered exactly this line, as their keys or their call tell; else it is what the shell says"),
  cwd: z.string().nullable(),
  actor: z.string().describe("who ran it: person or agent:NAME"),
  ts_begin: Ts,
  ts_end: Ts.nullable(),
  duration_ms: z.number().nullable(),
  exit_code: z.int().nullable().describe("128 + the signal's number when a signal ended it"),
  cursor_begin: Cursor.describe("first byte of its output"),
  cursor_end: Cursor.nullable().describe("after the last byte of its output; null while it runs"),
  state: z.enum(["running", "done", "failed", "lost"]),
  alt_screen_used: z.boolean().describe("a full-screen program ran in it"),
  run_id: z.string().nullable().describe("the call of run_command it came from"),
  nested: NestedPlace.optional().describe("it ran in a shell inside of the session's own"),
  enters: z
    .string()
    .optional()
    .describe("it is the shell with this id, whose commands follow; it goes on as another block"),
  left: z.string().optional().describe("it is the rest of the command that was the shell with this id"),
});
export type Block = z.output<typeof Block>;

/** One answer is read by a person or a model; earlier ones come with `before`. */
const BLOCKS_MAX = 1_000;

export const blocks = op("blocks", {
  summary: "List the commands that ran in a session, with exit codes and byte ranges, oldest first.",
  effect: "read",
  input: z.object({
    session_id: SessionRef,
    limit: z.int().min(1).max(BLOCKS_MAX).default(50).describe("how many, the newest ones"),
    before: z.string().max(100).optional().describe("only those before this block"),
    failed: z.boolean().default(false).describe("only those that did not exit with 0"),
    actor: z.string().max(200).optional().describe("only those of person, agent or agent:NAME"),
  }),
  output: z.object({
    session_id: SessionId,
    integration: Integration.describe("none: this session's program does not mark commands"),
    blocks: z.array(Block),
    total: z.int().describe("how many match in all"),
  }),
  cli: {
    verb: "blocks",
    args: ["session_id"],
    print: "runs",
    examples: ["duetty blocks web", "duetty blocks web --failed --json"],
  },
  mcp: {
    title: "List commands",
    description:
      "List the commands that ran in a session, by people too, oldest first: line, who ran it, exit code, duration. Read one's output with block.",
    tier: "readonly",
    hints: { readOnly: true },
    defaults: { limit: 20 },
  },
});

const BlockRef = z
  .string()
  .min(1)
  .max(200)
  .describe("block id, SESSION:NUMBER, SESSION:last, or last: the newest command");

/** Lines in one answer: a long page. More come with `lines`. */
export const BLOCK_LINES_MAX = 5_000;

export const Run = z.object({
  text: z.string(),
  sgr: z.string().describe('parameters that make the style after a reset: "1;31", or "" for plain'),
  link: z.string().optional(),
});
export type Run = Readonly<z.output<typeof Run>>;

export const block = op("block", {
  summary: "Read the output of one command: clean text, in colour, or its exact bytes.",
  effect: "read",
  input: z.object({
    block_id: BlockRef,
    format: z
      .enum(["text", "ansi", "html", "runs", "screen", "raw"])
      .default("text")
      .describe("screen: its last full screen, as runs"),
    lines: Range.optional().describe("only these lines, FROM:TO, counted from 0, both included; -3: is the last three"),
    offset: Cursor.default(0).describe("raw only: start this many bytes into the output"),
  }),
  output: z.object({
    block: Block,
    format: z.enum(["text", "ansi", "html", "runs", "screen", "raw"]),
    from_line: z.int().optional(),
    lines_total: z.int().optional(),
    content: z.string().optional().describe("text, ansi and html: the lines"),
    runs: z.array(z.array(Run)).optional().describe("runs and screen: per line, text in one style each"),
    base64: z.string().optional().describe("raw: the bytes"),
    after: z
      .object({
        jobs: z.array(z.string()).describe("the background jobs that ran meanwhile; with one it is its output"),
        content: z.string(),
        runs: z.array(z.array(Run)).optional(),
        lines_total: z.int().describe("how many there are; the last ones are shown"),
      })
      .optional()
      .describe("what was printed between this command and the next: background jobs, messages to the terminal"),
    next: Cursor.nullable().optional().describe("raw: the offset to continue from; null at the end"),
    ...RawNote.shape,
  }),
  cli: {
    verb: "block",
    args: ["block_id"],
    print: "runs",
    examples: [
      "duetty block last",
      "duetty block web:last",
      "duetty block b_k3v9x2aq_7 --format ansi",
      "duetty block web:3 --lines 0:40 --json",
    ],
  },
  mcp: {
    title: "Read a command's output",
    description:
      "Read the output of one command as clean text, long after it scrolled away. lines_total tells how many lines there are.",
    tier: "readonly",
    hints: { readOnly: true },
  },
});

/** More than a person reads. Who wants another one types another letter. */
const HISTORY_MAX = 100;

const HistoryUse = z.enum(["search", "recall", "suggest"]);
export type HistoryUse = z.output<typeof HistoryUse>;
const HistoryFilter = z.enum(["folder", "session", "failed"]);
export type HistoryFilter = z.output<typeof HistoryFilter>;

export const history = op("history", {
  summary: "Find commands that ran before in any session, each once, for the line that a person writes.",
  effect: "control",
  input: z.object({
    session_id: SessionRef.describe("where the person writes"),
    text: z.string().max(20_000).describe("letters to search for, or the beginning of the command"),
    use: HistoryUse.default("search").describe(
      "search: fuzzy, in all sessions; recall: those that begin so, this session's first; suggest: the one to offer unasked",
    ),
    only: z
      .array(HistoryFilter)
      .max(3)
      .default([])
      .describe("folder: ran in the session's folder; session: in this session; failed: did not exit with 0"),
    limit: z.int().min(1).max(HISTORY_MAX).default(50),
  }),
  output: z.object({
    cwd: z.string().nullable().describe("the session's folder, which `folder` means"),
    commands: z.array(
      Block.pick({ block_id: true, actor: true, cwd: true, exit_code: true, state: true, ts_begin: true }).extend({
        session_id: SessionId,
        cmd: z.string(),
      }),
    ),
    more: z.int().describe("commands left out"),
  }),
});
export type PastCommand = Readonly<z.output<typeof history.output>["commands"][number]>;
