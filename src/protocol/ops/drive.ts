// Typing into a session and waiting for what comes of it.
import * as z from "zod";
import { op } from "../op.ts";
import { AgentState } from "../words/agent-state.ts";
import { Cursor, SessionRef } from "../words/ids.ts";
import { namesOf } from "../words/wrong-input.ts";
import { Screen } from "./screen.ts";

/** Longer patterns are more likely mistakes than searches. */
const PATTERN_CHARS_MAX = 500;
const Text = z.string().min(1).max(PATTERN_CHARS_MAX);

const Yes = z.literal(true);
const Ms = z.int().min(1).max(600_000);
const Row = z.int().min(0).max(999);

/** In the order in which they are named to a caller who got one wrong. */
const CONDITIONS = [
  z.strictObject({ text: Text }),
  z.strictObject({ regex: Text }),
  z.strictObject({ gone: Text }),
  z.strictObject({ row: Row, text: Text }),
  z.strictObject({ change: Yes }),
  z.strictObject({ settled_ms: Ms }),
  z.strictObject({ idle_ms: Ms }),
  z.strictObject({ exit: Yes }),
  z.strictObject({ prompt: Yes }),
  z.strictObject({ input: Yes }),
  z.strictObject({ block_end: Yes }),
  z.strictObject({ echo_off: Yes }),
  z.strictObject({ state: AgentState }),
] as const;
const NAMES =
  "text, regex, gone, row with text, change: true, settled_ms, idle_ms, exit: true, prompt: true, input: true, block_end: true, echo_off: true, state";

const SimpleCondition = z.union(CONDITIONS, { error: ({ input }) => noCondition(input, NAMES) });
export const Condition = z.union([...CONDITIONS, z.strictObject({ all: z.array(SimpleCondition).min(1).max(10) })], {
  error: ({ input }) => noCondition(input, `${NAMES}, all: […]`),
});
export type Condition = z.output<typeof Condition>;

function noCondition(input: unknown, names: string): string {
  const given =
    typeof input === "object" && input !== null ? `has ${namesOf(Object.keys(input)) || "no field"}` : "is no object";
  return `${given}, but a condition has exactly one of ${names}`;
}

/** A condition outside of its list is the usual mistake. */
function strayCondition(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== "unrecognized_keys") return undefined;
  return `has no field ${namesOf(issue.keys)}: a condition stands in any, all or stop, as in {any: [{text: "done"}]}`;
}

const TimeoutMs = z.int().min(0).max(3_600_000);

export const Wait = z.strictObject(
  {
    any: z
      .array(Condition)
      .min(1)
      .max(20)
      .optional()
      .describe(
        "one of these. prompt: the shell is back, or another program asks. input: the program in front reads the terminal again. state: the agent CLI in front is idle, working, blocked, done. A row's trailing blanks count only before the cursor; what you typed and entered never matches",
      ),
    all: z
      .array(SimpleCondition)
      .min(1)
      .max(10)
      .optional()
      .describe("all of these at a time: a text, and then settled; and one of any, if given"),
    stop: z.array(Condition).max(20).optional().describe("give up when one of these comes true"),
    since: Cursor.optional().describe(
      "what is printed from this cursor on is new; 0: everything. Default: what you were not answered with yet",
    ),
    ignore_rows: z
      .array(z.union([Row, z.tuple([Row, Row])]))
      .max(50)
      .optional()
      .describe("rows or [from, to] that do not count, from 0"),
    region: z.strictObject({ top: Row, bottom: Row }).optional().describe("only these rows count"),
    timeout_ms: TimeoutMs.default(30_000),
  },
  { error: strayCondition },
);
export type Wait = z.output<typeof Wait>;

/** How much of the screen an answer to typing or waiting has. */
export const Show = z.enum(["changes", "screen", "match", "none"]);
export type Show = z.output<typeof Show>;
const Shows = Show.default("screen").describe(
  "changes: rows that are new to you; screen: all rows; match: the row that matched; none",
);

export const WaitOutcome = z.object({
  outcome: z.enum(["matched", "stop", "deadline", "exited", "echo_off", "held", "cancelled"]),
  matched: z.string().nullable().describe("the text that matched, or the name of the condition"),
  matched_at_entry: z.boolean().describe("the text was on the screen before the wait began"),
  screen: Screen.describe("without rows, unless the whole screen was asked for"),
  changes: z
    .array(z.object({ row: z.int(), text: z.string() }))
    .optional()
    .describe("the rows that were asked for instead of the whole screen"),
  whole: Yes.optional().describe("changes has every row with text: most of the screen is new to you"),
  missed_lines: z.int().optional().describe("lines that came since your last look and scrolled past"),
  cursor: Cursor,
  exit_code: z
    .int()
    .nullable()
    .optional()
    .describe("of the command whose end or next prompt was waited for, or of the program that ended"),
  hint: z.string().optional().describe("why nothing matched, what matched instead, or what a person said"),
});
export type WaitOutcome = z.output<typeof WaitOutcome>;

export const ptyWait = op("pty_wait", {
  summary:
    "Wait until something new appears, the screen settles or the program ends. A deadline answers with the latest screen.",
  effect: "read",
  input: z.object({ session_id: SessionRef, ...Wait.shape, show: Shows }),
  output: WaitOutcome,
  cli: {
    verb: "wait",
    args: ["session_id"],
    conditions: { field: "", prefix: "" },
    hide: ["any", "all", "stop"],
    print: "screen",
    examples: [
      "duetty wait web --text 'ready in' --timeout 20000",
      "duetty wait web --text done --settled 300 --all",
      "duetty wait repl --input",
      "duetty wait job --exit",
      "duetty wait helper --state idle --state blocked --timeout 600000",
    ],
  },
  mcp: {
    title: "Wait for the terminal",
    description:
      "Wait until one of `any` (or all of `all`) is true: text or regex appears, text is gone, the screen settles, the prompt is back, the program reads again, the command or program ends, a password is asked. What came since your last call counts. Answers as pty_send does. A deadline says why.",
    tier: "drive",
    core: true,
    hints: { readOnly: true },
    hide: ["region"],
    defaults: { show: "changes" },
  },
});

export const Mouse = z.strictObject({
  action: z.enum(["click", "double_click", "press", "release", "move", "scroll_up", "scroll_down"]),
  button: z.enum(["left", "middle", "right"]).optional(),
  at: z.union([
    z.strictObject({ row: Row, col: Row }),
    z.strictObject({ text: Text, occurrence: z.int().min(1).max(100).optional() }),
  ]),
  modifiers: z.array(z.string()).max(4).optional(),
  count: z.int().min(1).max(100).optional(),
});
export type Mouse = z.output<typeof Mouse>;

/** One send is one paste at most; larger input belongs in a file. */
const INPUT_CHARS_MAX = 1 << 20;

export const ptySend = op("pty_send", {
  summary: "Type text, press keys or paste, wait if asked to, and answer with the screen.",
  effect: "write",
  input: z.object({
    session_id: SessionRef,
    text: z.string().max(INPUT_CHARS_MAX).optional().describe("text to type as it is; a line break is Enter"),
    keys: z.array(z.string()).max(200).optional().describe("key names: Enter, Ctrl+C, C-c, ^C, Up, F5, Alt+x …"),
    paste: z.string().max(INPUT_CHARS_MAX).optional().describe("text to paste, bracketed when the program asks for it"),
    click: z
      .string()
      .min(1)
      .max(PATTERN_CHARS_MAX)
      .optional()
      .describe("click on this visible text, or on ROW,COL, counted from 0"),
    scroll: z.int().min(-100).max(100).optional().describe("turn the wheel: lines down, or up when negative"),
    mouse: Mouse.optional().describe("click or scroll, by cell or by visible text"),
    then: Wait.optional().describe("wait for this before answering"),
    show: Shows,
    description: z.string().max(1_000).optional().describe("why, for the person who decides"),
    confidence: z.number().min(0).max(1).optional().describe("how sure you are that it is harmless, from 0 to 1"),
  }),
  output: WaitOutcome,
  cli: {
    verb: "send",
    args: ["session_id"],
    conditions: { field: "then", prefix: "wait-" },
    hide: ["then", "mouse"],
    print: "screen",
    examples: [
      "duetty send web --text 'ls -la' --keys Enter --wait-settled 200 --see",
      "duetty send web --keys 'Ctrl+C'",
    ],
  },
  mcp: {
    title: "Type into the terminal",
    description:
      "Type text, press keys, paste or click in a session, wait for `then`, and get the rows that changed: `ROW| text`, `ROW» text` if selected; the cursor is behind the last one unless `at ROW,COL` says where. For programs that run: editors, prompts, REPLs, menus. Shell commands: run_command. Order: text, paste, keys. A person may have to allow it.",
    tier: "drive",
    core: true,
    hints: { destructive: true, openWorld: true },
    hide: ["mouse"],
    defaults: { show: "changes" },
  },
});
