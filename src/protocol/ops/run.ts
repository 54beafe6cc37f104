// Running commands and tests, and the report of what came of them.
import * as z from "zod";
import { op } from "../op.ts";
import { Cursor, OnHost, SessionId, SessionRef, Ts } from "../words/ids.ts";
import { Nested, Waiting } from "../words/program.ts";
import { BlockId, Block as BlockSchema } from "./blocks.ts";
import { Screen } from "./screen.ts";

/** A command line of more than this belongs in a file. */
const COMMAND_CHARS_MAX = 20_000;
const STDIN_CHARS_MAX = 1 << 20;
const OUTPUT_CHARS_MAX = 1 << 20;
/** About four thousand tokens: what a model reads without losing its thread. */
const OUTPUT_CHARS = 16_000;

export const Kept = z.object({
  head: z.string().describe("the output, or its beginning when some is omitted"),
  tail: z.string().describe("its end; empty when nothing is omitted"),
  omitted_bytes: z.int().describe("bytes of text left out between head and tail"),
});
export type Kept = Readonly<z.output<typeof Kept>>;

/** How long a run is waited for when the caller does not say. */
export const RUN_MS = 30_000;
const TimeoutMs = z.int().min(0).max(3_600_000).describe("answer after this long; the command goes on");
const OutputChars = z.int().min(100).max(OUTPUT_CHARS_MAX).default(OUTPUT_CHARS).describe("head and tail together");
const EnvChanges = z.record(z.string(), z.union([z.string(), z.null()])).describe("variables to set; null removes");

const Refused = z.object({ what: z.string(), hint: z.string().describe("how to ask for it") });
export type Refused = z.output<typeof Refused>;

export const RunResult = z.object({
  status: z.enum(["done", "running", "waiting_for_input", "approval_pending", "denied"]),
  exit_code: z.int().nullable(),
  session_id: SessionId.nullable().describe("where it ran; null in mode pipe"),
  block_id: BlockId.nullable(),
  run_id: z.string(),
  mode: z.enum(["pty", "pipe"]),
  command: z.string(),
  cwd: z.string().nullable(),
  output: Kept,
  stderr: Kept.optional().describe("mode pipe only; in a terminal both are one"),
  duration_ms: z.number(),
  cursor: Cursor.describe("wait with `since` at this cursor to continue from here"),
  waiting: Waiting.nullable().describe(
    "what it waits for; go on with pty_send, or let a person type when it is a password",
  ),
  boxed: z.boolean().describe("it ran in a box: only its work tree can be written, no network"),
  refused: z.array(Refused).optional().describe("what the box refused it, as far as its output tells"),
  screen: Screen.optional().describe("what the terminal shows, when it waits"),
  changes: z
    .array(z.object({ row: z.int(), text: z.string() }))
    .optional()
    .describe("the rows of the screen that are its own, when it waits"),
  above: z.literal(true).optional().describe("more of its output has scrolled past"),
  note: z
    .string()
    .optional()
    .describe("what is not as asked: it ran beside the session (mode pipe), or a person changed the line"),
  hint: z.string().optional(),
  approval_id: z.string().optional(),
  url: z.string().optional().describe("where a person can answer"),
});
export type RunResult = z.output<typeof RunResult>;

export const runCommand = op("run_command", {
  summary:
    "Run one command line in a visible session and get its exit code and output. Answers early when it waits for input.",
  effect: "write",
  input: z.object({
    session_id: SessionRef.optional().describe("the session to run in; default: one kept for this folder"),
    command: z
      .union([z.string().max(COMMAND_CHARS_MAX), z.array(z.string().max(COMMAND_CHARS_MAX)).min(1)])
      .optional()
      .describe("the command line, or a program and its arguments"),
    cwd: z.string().optional().describe("the folder, when no session is named"),
    host: OnHost,
    env: EnvChanges.optional().describe("mode pipe and fresh sessions: variables to set; null removes"),
    base_env: z.record(z.string(), z.string()).optional().describe("whole environment instead of the daemon's"),
    timeout_ms: TimeoutMs.optional().describe(
      "answer after this long (30000); the command goes on. When given, half lines are waited for",
    ),
    mode: z
      .enum(["auto", "pty", "pipe"])
      .default("auto")
      .describe("pty: in the terminal; pipe: beside it, on the machine that has it, with separate stdout and stderr"),
    stdin: z.string().max(STDIN_CHARS_MAX).optional().describe("mode pipe: what it reads"),
    max_output_chars: OutputChars,
    description: z.string().max(1_000).optional().describe("why, for the person who decides"),
    confidence: z.number().min(0).max(1).optional().describe("how sure you are that it is harmless, from 0 to 1"),
    box: z.boolean().optional().describe("false: ask a person to run it outside the box"),
    resume: z.string().max(100).optional().describe("instead of a command: continue this run_id"),
  }),
  output: RunResult,
  cli: {
    verb: "run",
    args: ["session_id", "command"],
    rest: "command",
    lone: { field: "command", unless: "resume" },
    adds: ["cwd", "base_env"],
    print: "runs",
    examples: [
      "duetty run web -- npm run build",
      "duetty run 'ls | wc -l'",
      "duetty run --mode pipe --stdin hello -- wc -c",
    ],
  },
  mcp: {
    title: "Run a command",
    description:
      "Run one shell command in a visible terminal and get exit code and output. The first choice for anything that ends. Answers early when it waits for input (then pty_send) or after timeout_ms (then resume). A session that is busy or marks no commands (sh, ssh, docker exec) refuses: use pty_send. Risky commands wait for a person: approval_pending.",
    tier: "drive",
    core: true,
    hints: { destructive: true, openWorld: true },
    hide: ["base_env"],
    defaults: { max_output_chars: 6_000 },
  },
});

/** `file` as the runner printed it: relative to where it ran, or absolute. */
export const Failure = z.object({
  name: z.string(),
  file: z.string().nullable(),
  line: z.int().nullable(),
  message: z.string(),
});
export type Failure = Readonly<z.output<typeof Failure>>;

export const TestSummary = z.object({
  passed: z.int(),
  failed: z.int(),
  skipped: z.int(),
  failures: z.array(Failure),
  duration_ms: z.number().nullable(),
  runner: z.string(),
  crashed: z.boolean().describe("it ended badly without saying which test failed"),
});
export type TestSummary = z.output<typeof TestSummary>;

export const RunVerdict = z.enum(["passed", "failed", "running", "waiting", "unknown"]);
export type RunVerdict = z.output<typeof RunVerdict>;

export const TestPlan = z.object({
  runner: z.string(),
  command: z.string(),
  cwd: z.string(),
  scope: z.object({ kind: z.enum(["all", "files", "name", "package"]), what: z.array(z.string()) }),
  why: z.array(z.string()),
  others: z.array(z.string()),
});
export type TestPlan = z.output<typeof TestPlan>;

export const runTests = op("run_tests", {
  summary:
    "Find this workspace's test runner, run the smallest set of tests for what changed or was named, and sum up.",
  effect: "write",
  input: z.object({
    file: z.string().max(1_000).optional().describe("only the tests of this file"),
    name: z.string().max(500).optional().describe("only tests with this name"),
    package: z.string().max(500).optional().describe("only this package, crate or module"),
    runner: z.string().max(50).optional().describe("use this runner"),
    scope: z.enum(["auto", "all", "changed"]).default("auto").describe("auto: what changed, otherwise all"),
    session_id: SessionRef.optional().describe("session to run it in; default: one kept for this folder"),
    cwd: z.string().optional().describe("the workspace; default: the session's folder"),
    host: OnHost,
    timeout_ms: TimeoutMs.default(300_000),
    max_output_chars: OutputChars,
    dry_run: z.boolean().default(false).describe("only say what would run"),
  }),
  output: z.object({
    verdict: RunVerdict,
    summary: TestSummary.nullable().describe("null when the output was not understood"),
    plan: TestPlan,
    run: RunResult.nullable(),
  }),
  cli: {
    verb: "test",
    args: ["file"],
    adds: ["cwd"],
    print: "runs",
    examples: ["duetty test", "duetty test src/cart.test.ts --name 'adds tax'", "duetty test --scope all --json"],
  },
  mcp: {
    title: "Run tests",
    description:
      "Find the test runner, run the smallest set of tests for what changed or was named, get a verdict with counts and failures. Name cwd or a session. dry_run only tells the plan.",
    tier: "drive",
    hints: { openWorld: true },
    defaults: { max_output_chars: 600 },
  },
});

const ReportEntry = z.object({
  block: BlockSchema,
  verdict: RunVerdict,
  summary: TestSummary.nullable(),
  output: Kept,
});

export const Report = z.object({
  session_id: SessionId,
  subject: z.string().describe("the block, run or session that was asked for"),
  made_at: Ts,
  verdict: RunVerdict.describe("failed when the last run of any command or test failed"),
  counts: z.object({ commands: z.int(), passed: z.int(), failed: z.int(), running: z.int(), unknown: z.int() }),
  duration_ms: z.number(),
  entries: z.array(ReportEntry),
  omitted: z.int().describe("earlier commands left out"),
});
export type Report = z.output<typeof Report>;

export const report = op("report", {
  summary: "Report what was run: commands, times, exit codes, verdicts, test summaries, byte ranges.",
  effect: "read",
  input: z.object({
    id: z.string().min(1).max(200).describe("session, block id, SESSION:NUMBER, run id, or last: the newest command"),
    format: z.enum(["json", "markdown"]).default("json").describe("also give it as Markdown"),
    max_output_chars: OutputChars.default(2_000).describe("for each command's output"),
  }),
  output: z.object({ report: Report, markdown: z.string().optional() }),
  cli: {
    verb: "report",
    args: ["id"],
    forText: { format: "markdown" },
    print: "runs",
    examples: ["duetty report web", "duetty report web:last --json"],
  },
  mcp: {
    title: "Report",
    description:
      "Sum up what was run in a session: commands, exit codes, times, test verdicts, the end of each output.",
    tier: "readonly",
    hints: { readOnly: true },
    hide: ["format"],
    defaults: { max_output_chars: 100 },
  },
});

export const integrate = op("integrate", {
  summary:
    "Make the shell that runs inside of a session's program mark its commands: a nested one, or one behind ssh or docker.",
  effect: "control",
  input: z.object({ session_id: SessionRef }),
  output: z.object({ session_id: SessionId, nested: Nested }),
  cli: { verb: "integrate", args: ["session_id"], print: "runs", examples: ["duetty integrate far"] },
});
